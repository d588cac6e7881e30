package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that happened to a {@link Retry}. */
public sealed interface RetryEvent extends PolicyEvent {
  /**
   * A call will be made again.
   *
   * @param policy the name of the retry
   * @param attempt the number of the attempt that has failed, from 1
   * @param waitDuration how long until the next one
   * @param thrown what it threw; null if its result was not accepted
   */
  record Retrying(String policy, int attempt, Duration waitDuration, @Nullable Throwable thrown)
      implements RetryEvent {}

  /**
   * A call has succeeded the first time.
   *
   * @param policy the name of the retry
   */
  record Succeeded(String policy) implements RetryEvent {}

  /**
   * A call has succeeded, but not the first time.
   *
   * @param policy the name of the retry
   * @param attempts how many attempts it took
   */
  record Recovered(String policy, int attempts) implements RetryEvent {}

  /**
   * A call has failed for good.
   *
   * @param policy the name of the retry
   * @param attempts how many attempts were made
   * @param reason why there is no other
   * @param thrown what the last one threw; null if its result was not accepted
   */
  record GaveUp(String policy, int attempts, RetryEnd reason, @Nullable Throwable thrown)
      implements RetryEvent {}
}

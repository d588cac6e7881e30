package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that happened to a {@link Timeout}. */
public sealed interface TimeoutEvent extends PolicyEvent {
  /**
   * A call has ended in time.
   *
   * @param policy the name of the timeout
   * @param thrown what it threw; null if it returned
   */
  record CallFinished(String policy, @Nullable Throwable thrown) implements TimeoutEvent {}

  /**
   * A call has not ended in time.
   *
   * @param policy the name of the timeout
   * @param limit the time it had; zero if it was not made, since there was none left
   */
  record TimedOut(String policy, Duration limit) implements TimeoutEvent {}
}

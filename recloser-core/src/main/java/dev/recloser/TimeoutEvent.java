package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that happened to a {@link Timeout}. */
public sealed interface TimeoutEvent extends PolicyEvent {
  /**
   * A call has ended in time.
   *
   * @param policy the name of the timeout
   * @param duration how long it took
   * @param thrown what it threw; null if it returned
   */
  record CallFinished(String policy, Duration duration, @Nullable Throwable thrown)
      implements TimeoutEvent {}

  /**
   * A call has not ended in time.
   *
   * @param policy the name of the timeout
   * @param limit the time it had; zero if it was not made, since there was none left
   * @param duration after how long it was given up: about the limit, or longer where a plain call
   *     did not heed its interrupt; zero if it was not made
   */
  record TimedOut(String policy, Duration limit, Duration duration) implements TimeoutEvent {}
}

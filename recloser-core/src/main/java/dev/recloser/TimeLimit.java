package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The time of one call under a timeout, and the timer that ends the call with it. */
final class TimeLimit {
  final Timeout timeout;
  final TimeoutConfig config;
  private final long nanos;
  private final long startedAt;

  /** Written by whoever starts the call, read by whoever ends it, see {@link #startTimer}. */
  private volatile @Nullable Cancellable timer;

  /** What is to be done at the end of the time, if the call has not ended by then. */
  interface Limited extends Runnable {
    /** Whether the call has ended, one way or another. */
    boolean hasEnded();
  }

  /**
   * Begins to measure the time.
   *
   * @param around what the call is in, which may leave it less time than the timeout does
   */
  TimeLimit(Timeout timeout, @Nullable Scope around) {
    this.timeout = timeout;
    config = timeout.config();
    nanos = Math.min(config.timeoutNanos, Scope.leastLeft(around));
    startedAt = config.ticker.nanoTime();
  }

  /** Never throws: a clock that breaks while a call goes on leaves it to the timer to end that. */
  long nanosLeft() {
    try {
      return nanos - (config.ticker.nanoTime() - startedAt);
    } catch (Throwable e) {
      timeout.userCodeFailed("ticker", e);
      return nanos;
    }
  }

  /** Whether the time is over, whatever the timer says. */
  boolean isOver() {
    return nanosLeft() <= 0;
  }

  /** Whether there was no time from the start, so that there is no point in making the call. */
  boolean isNone() {
    return nanos <= 0;
  }

  TimeoutExceededException exceeded(@Nullable Throwable cause) {
    return new TimeoutExceededException(
        timeout.name(),
        Duration.ofNanos(Math.max(0, nanos)),
        cause,
        config.writableStackTraceEnabled());
  }

  /**
   * The call may end before the handle on its timer is known. Either its end sees the handle, or
   * the look after the handle was written sees the end; if both, it is cancelled twice.
   */
  void startTimer(Limited call) {
    timer = timeout.schedule(config, call, Duration.ofNanos(Math.max(0, nanosLeft())));
    if (call.hasEnded()) {
      cancelTimer();
    }
  }

  void cancelTimer() {
    Cancellable scheduled = timer;
    if (scheduled != null) {
      timeout.cancel(scheduled);
    }
  }
}

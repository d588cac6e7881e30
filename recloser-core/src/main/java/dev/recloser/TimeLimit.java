package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The time of a call under a timeout, and the timer that ends the call with it. */
abstract sealed class TimeLimit extends TimerWheel.Entry permits OwnTimer, StandingTimer {
  final Timeout timeout;

  // Of the present call. Written before it begins, which is published to whoever may end it.
  private TimeoutConfig config;
  private long nanos;
  private long startedAt;

  /** What is to be done at the end of the time, if the call has not ended by then. */
  interface Limited extends Runnable {
    /** Whether the call has ended, one way or another. */
    boolean hasEnded();
  }

  /** Makes one of which the time has not begun. */
  TimeLimit(Timeout timeout, TimeoutConfig config) {
    this.timeout = timeout;
    this.config = config;
  }

  /**
   * Begins to measure the time of a call.
   *
   * @param limit how long the call may take, more than zero
   */
  final void begin(TimeoutConfig with, long limit) {
    config = with;
    nanos = limit;
    startedAt = with.ticker.nanoTime();
  }

  final TimeoutConfig config() {
    return config;
  }

  final long nanos() {
    return nanos;
  }

  final long startedAt() {
    return startedAt;
  }

  /** Never throws: a clock that breaks while a call goes on leaves it to the timer to end that. */
  final long nanosLeft() {
    try {
      return nanos - (config.ticker.nanoTime() - startedAt);
    } catch (Throwable e) {
      timeout.userCodeFailed("ticker", e);
      return nanos;
    }
  }

  /** How long the call has taken until now. Never throws. */
  final Duration elapsed() {
    return Duration.ofNanos(Math.max(0, nanos - nanosLeft()));
  }

  /** Whether the time is over, whatever the timer says. */
  final boolean isOver() {
    return nanosLeft() <= 0;
  }

  final TimeoutExceededException exceeded(@Nullable Throwable cause) {
    return new TimeoutExceededException(
        timeout.name(), Duration.ofNanos(nanos), cause, config.writableStackTraceEnabled());
  }

  /** The call has begun. Never throws. */
  abstract void startTimer(Limited call);

  /** The call has ended, and is not to be ended by this any more. Never throws. */
  abstract void cancelTimer();
}

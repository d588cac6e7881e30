package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time of one call under a timeout, and the timer that ends the call with it. On the system's
 * time, it is that timer itself.
 */
final class TimeLimit extends TimerWheel.Entry {
  final Timeout timeout;
  final TimeoutConfig config;
  private final long nanos;
  private final long startedAt;

  /** Written by whoever starts the call, read by whoever ends it, see {@link #startTimer}. */
  private volatile @Nullable Cancellable timer;

  /** Written before the timer starts. */
  private @Nullable Limited call;

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
  void startTimer(Limited limited) {
    call = limited;
    if (config.onSystemTime) {
      timeout.schedule(this, startedAt, nanos);
    } else {
      timer = timeout.schedule(config, limited, Duration.ofNanos(Math.max(0, nanosLeft())));
    }
    if (limited.hasEnded()) {
      cancelTimer();
    }
  }

  void cancelTimer() {
    if (config.onSystemTime) {
      TimerWheel.remove(this);
      return;
    }
    Cancellable scheduled = timer;
    if (scheduled != null) {
      timeout.cancel(scheduled);
    }
  }

  /** To end a plain call is to interrupt it; the future of a stage has its dependents. */
  @Override
  boolean runsUserCode() {
    return call instanceof TimedStage;
  }

  @Override
  void ring() {
    Limited limited = call;
    if (limited != null) {
      limited.run();
    }
  }
}

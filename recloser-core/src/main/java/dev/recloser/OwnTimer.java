package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A timer for one call alone. On the system's time, it is that timer itself. */
final class OwnTimer extends TimeLimit {
  /** Written by whoever starts the call, read by whoever ends it, see {@link #startTimer}. */
  private volatile @Nullable Cancellable timer;

  /** Written before the timer starts. */
  private @Nullable Limited call;

  /** Makes one, and begins to measure the time. */
  OwnTimer(Timeout timeout, TimeoutConfig config, long nanos) {
    super(timeout, config);
    begin(config, nanos);
  }

  /**
   * The call may end before the handle on its timer is known. Either its end sees the handle, or
   * the look after the handle was written sees the end; if both, it is cancelled twice.
   */
  @Override
  void startTimer(Limited limited) {
    call = limited;
    if (config().onSystemTime) {
      timeout.schedule(this);
    } else {
      timer = timeout.schedule(config(), limited, Duration.ofNanos(Math.max(0, nanosLeft())));
    }
    if (limited.hasEnded()) {
      cancelTimer();
    }
  }

  @Override
  void cancelTimer() {
    if (config().onSystemTime) {
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

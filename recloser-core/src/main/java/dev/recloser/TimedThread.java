package dev.recloser;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A thread that runs a call under a timeout, or one call after the other. */
final class TimedThread extends ThreadScope implements TimeLimit.Limited {
  final TimeLimit limit;

  /**
   * Makes one for a single call.
   *
   * @param around what the call is in
   * @param over counted down when the call has ended or was stopped
   */
  TimedThread(OwnTimer limit, @Nullable Scope around, @Nullable CountDownLatch over) {
    super(around, over);
    this.limit = limit;
  }

  /** Makes one on the system's time for calls that each begin with {@link #renew}. */
  TimedThread(Timeout timeout, TimeoutConfig config) {
    super(/* outer= */ null, /* over= */ null);
    limit = new StandingTimer(timeout, config, this);
  }

  /** Begins to measure the time of another call, which will run in {@code around}. */
  void renew(@Nullable Scope around, TimeoutConfig config, long nanos) {
    renew(around);
    limit.begin(config, nanos);
  }

  /** Whether another call can have it: this one is over, and nobody else still looks at it. */
  boolean isReusable() {
    return limit.isStanding() && !isKept() && hasEnded() && !isStopped();
  }

  /** The time is over. */
  @Override
  public void run() {
    timeOut();
  }

  @Override
  long nanosLeft() {
    return limit.nanosLeft();
  }

  @Override
  @Nullable TimeoutExceededException timeout(@Nullable Throwable cause) {
    return isTimedOut() ? limit.exceeded(cause) : null;
  }
}

package dev.recloser;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A thread that runs a call under a timeout. */
final class TimedThread extends ThreadScope implements TimeLimit.Limited {
  final TimeLimit limit;

  TimedThread(TimeLimit limit, @Nullable CountDownLatch over) {
    super(over);
    this.limit = limit;
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

package dev.recloser;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * Runs short tasks later. Handing one in lets a breaker act at the very moment something is due
 * instead of at the next call.
 *
 * <p>Its delays are measured on the same time as the {@link Ticker} that goes with it. Tasks given
 * by a breaker never block. A scheduler that throws, or never runs a task, costs punctuality but
 * not correctness.
 */
@FunctionalInterface
public interface Scheduler {
  /**
   * Runs a task once, not before a delay has passed.
   *
   * @param task what to run
   * @param delay how long to wait, zero or more
   * @return a handle that takes the task back if it has not begun
   */
  Cancellable schedule(Runnable task, Duration delay);

  /**
   * Waits on the calling thread. Fake time overrides this to pass the time instead.
   *
   * @param delay how long, zero or more
   * @throws InterruptedException when the thread is interrupted meanwhile
   */
  default void sleep(Duration delay) throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    Cancellable timer = schedule(over::countDown, delay);
    try {
      over.await();
    } finally {
      timer.cancel();
    }
  }

  /**
   * Returns the shared scheduler of this JVM: a daemon thread that waits, and a few that run the
   * tasks, so that one that blocks does not hold up the others. They are started by the first task
   * and end when there has been none for a minute. Tasks that are due at the same time may run at
   * the same time.
   */
  static Scheduler system() {
    return SystemTime.SCHEDULER;
  }
}

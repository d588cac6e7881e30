package dev.recloser;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The clock and the timer of the JVM. */
final class SystemTime {
  static final Ticker TICKER = System::nanoTime;
  static final Scheduler SCHEDULER = SystemTime::schedule;

  private SystemTime() {}

  private static Cancellable schedule(Runnable task, Duration delay) {
    Future<?> future = Timer.INSTANCE.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    // Never interrupts: the task may be running, and listeners with it.
    return () -> future.cancel(/* mayInterruptIfRunning= */ false);
  }

  /** Created by the first task. */
  private static final class Timer {
    static final ScheduledThreadPoolExecutor INSTANCE = create();

    private static ScheduledThreadPoolExecutor create() {
      var executor =
          new ScheduledThreadPoolExecutor(
              1,
              task -> {
                Thread thread = new Thread(task, "recloser-timer");
                thread.setDaemon(true);
                return thread;
              });
      executor.setRemoveOnCancelPolicy(true);
      executor.setKeepAliveTime(1, TimeUnit.MINUTES);
      executor.allowCoreThreadTimeOut(true);
      return executor;
    }
  }
}

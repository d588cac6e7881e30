package dev.recloser.microprofile;

import dev.recloser.Cancellable;
import dev.recloser.Scheduler;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;

/**
 * The threads of one application, which end with it: those that run asynchronous methods, and a few
 * that run what is due. The latter are their own, so that a pool full of calls that hang does not
 * keep their time-outs from ending them. All are daemons, start when they are needed, and have the
 * application's class loader.
 *
 * <p>Thread-safe.
 */
final class ApplicationThreads implements AutoCloseable, Scheduler {
  /** Default of how many asynchronous methods run at once; any further one waits. */
  static final int DEFAULT_THREADS = 100;

  /** More than one, for a stage that is timed out runs what depends on it. */
  private static final int TIMERS = 4;

  private final ThreadPoolExecutor pool;
  private final ScheduledThreadPoolExecutor timers;

  ApplicationThreads(int threads) {
    pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            new Daemons("recloser-call-", CallThread::new));
    pool.allowCoreThreadTimeOut(true);
    timers =
        new ScheduledThreadPoolExecutor(TIMERS, new Daemons("recloser-timer-", TimerThread::new));
    timers.setRemoveOnCancelPolicy(true);
  }

  /** What runs asynchronous methods. */
  Executor executor() {
    return pool;
  }

  @Override
  public Cancellable schedule(Runnable task, Duration delay) {
    ScheduledFuture<?> timer = timers.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    return () -> timer.cancel(/* mayInterruptIfRunning= */ false);
  }

  /** Whether the calling thread is one that runs asynchronous methods of any application. */
  static boolean isOwnThread() {
    return Thread.currentThread() instanceof CallThread;
  }

  /** Interrupts what runs, and takes no more. */
  @Override
  public void close() {
    var unusedCalls = pool.shutdownNow();
    var unusedTimers = timers.shutdownNow();
  }

  private static final class Daemons implements ThreadFactory {
    private final String prefix;
    private final BiFunction<Runnable, String, Thread> maker;
    private final AtomicLong number = new AtomicLong();
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();

    Daemons(String prefix, BiFunction<Runnable, String, Thread> maker) {
      this.prefix = prefix;
      this.maker = maker;
    }

    @Override
    public Thread newThread(Runnable task) {
      Thread thread = maker.apply(task, prefix + number.incrementAndGet());
      thread.setDaemon(true);
      thread.setContextClassLoader(loader);
      return thread;
    }
  }

  // Both inherit nothing of the thread that happens to need them first.

  private static final class CallThread extends Thread {
    CallThread(Runnable task, String name) {
      super(null, task, name, 0, /* inheritThreadLocals= */ false);
    }
  }

  private static final class TimerThread extends Thread {
    TimerThread(Runnable task, String name) {
      super(null, task, name, 0, /* inheritThreadLocals= */ false);
    }
  }
}

package dev.recloser.microprofile;

import dev.recloser.Cancellable;
import dev.recloser.Scheduler;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
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

  private static final System.Logger LOG = System.getLogger("dev.recloser.microprofile");

  private final ThreadPoolExecutor pool;
  private final ScheduledThreadPoolExecutor timers;

  /** What is scheduled and has neither begun nor been cancelled. */
  private final Set<Timer> pending = ConcurrentHashMap.newKeySet();

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
    Timer timer = new Timer(task);
    pending.add(timer);
    try {
      ScheduledFuture<?> scheduled = timers.schedule(timer, delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> {
        if (pending.remove(timer)) {
          scheduled.cancel(/* mayInterruptIfRunning= */ false);
        }
      };
    } catch (RejectedExecutionException ended) {
      if (pending.remove(timer)) {
        throw ended;
      }
      return () -> {}; // The end has run it.
    }
  }

  /**
   * Waits on the calling thread.
   *
   * @throws RejectedExecutionException if the application ends meanwhile, or has ended, so that
   *     nobody makes another attempt
   */
  @Override
  public void sleep(Duration delay) throws InterruptedException {
    Scheduler.super.sleep(delay);
    if (timers.isShutdown()) {
      throw new RejectedExecutionException("The application has ended");
    }
  }

  /** Whether the calling thread is one that runs asynchronous methods of any application. */
  static boolean isOwnThread() {
    return Thread.currentThread() instanceof CallThread;
  }

  /**
   * Interrupts what runs on the threads, and takes no more. What is due later is due now: there is
   * a plain call on a thread of somebody else's behind it, which waits for its next attempt, is to
   * be timed out, or waits for its turn, and which would else do so for ever.
   *
   * <p>No timer is lost: it is pending before it is scheduled, so one that was not rejected is seen
   * here, after the end of what would have run it. Whoever takes it out of the pending runs it.
   */
  @Override
  public void close() {
    var unusedCalls = pool.shutdownNow();
    var unusedTimers = timers.shutdownNow();
    pending.forEach(Timer::runAtEnd);
  }

  private final class Timer implements Runnable {
    private final Runnable task;

    Timer(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (pending.remove(this)) {
        task.run();
      }
    }

    /** Its failures are its own, and keep no other from ending. */
    void runAtEnd() {
      try {
        run();
      } catch (RuntimeException | Error e) {
        LOG.log(System.Logger.Level.WARNING, "A timer threw at the end of the application", e);
      }
    }
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

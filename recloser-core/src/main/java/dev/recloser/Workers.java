package dev.recloser;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Threads for calls whose policy needs some and was given none; ended when idle for a minute. */
final class Workers {
  static final Executor SHARED = create();

  /** A few threads for the tasks of the system's scheduler, some of which may block after all. */
  static final Executor RINGERS = createRingers();

  private Workers() {}

  /**
   * What starts calls that have waited: the one of the settings, or else the common pool. The
   * thread of a scheduler of one's own does it itself, so that whoever moves the time by hand sees
   * what comes of it.
   */
  static Executor starter(@Nullable Executor given, Scheduler scheduler) {
    if (given != null) {
      return given;
    }
    return scheduler == Scheduler.system() ? ForkJoinPool.commonPool() : Runnable::run;
  }

  private static Executor createRingers() {
    int threads = Math.max(4, Runtime.getRuntime().availableProcessors());
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            task -> thread(task, "recloser-timer-task"));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static Executor create() {
    AtomicLong number = new AtomicLong();
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        1,
        TimeUnit.MINUTES,
        new SynchronousQueue<>(),
        task -> thread(task, "recloser-worker-" + number.incrementAndGet()));
  }

  /**
   * Makes a thread for whoever comes. So it has nothing of the one that happens to come first: with
   * its inheritable thread locals, all later calls would run as its user; and its context class
   * loader may be that of an application which is to be unloaded one day.
   */
  static Thread thread(Runnable task, String name) {
    Thread thread = new Thread(null, task, name, 0, /* inheritThreadLocals= */ false);
    thread.setDaemon(true);
    thread.setContextClassLoader(Workers.class.getClassLoader());
    return thread;
  }
}

package dev.recloser;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Threads for calls whose policy needs some and was given none; ended when idle for a minute. */
final class Workers {
  static final Executor SHARED = create();

  private Workers() {}

  private static Executor create() {
    AtomicLong number = new AtomicLong();
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        1,
        TimeUnit.MINUTES,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, "recloser-worker-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }
}

package dev.recloser.cli;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of the demo: daemons, named after what they do. */
final class DemoThreads {
  static final String PREFIX = "demo-";

  private static final long END_SECONDS = 2;

  private DemoThreads() {}

  static ThreadFactory named(String name) {
    var number = new AtomicInteger();
    return task -> {
      var thread = new Thread(task, PREFIX + name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Ends what runs and waits a moment until it has ended. */
  static void end(ExecutorService executor) {
    executor.shutdownNow();
    try {
      executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.recloser;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** A task that runs once, however often and from wherever it is run. */
final class Once implements Runnable {
  private final Runnable task;
  private final AtomicBoolean begun = new AtomicBoolean();

  Once(Runnable task) {
    this.task = task;
  }

  /** Runs a task on an executor, or on this thread if that rejects it. */
  static void on(Executor executor, Runnable task) {
    Once once = new Once(task);
    try {
      executor.execute(once);
    } catch (Throwable rejected) {
      once.run(); // Unless it is one that runs what it rejects.
    }
  }

  @Override
  public void run() {
    if (begun.compareAndSet(false, true)) {
      task.run();
    }
  }
}

package dev.recloser.config;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Threads for the calls of one bulkhead. A call gets one that is idle, or else a new one, and is
 * never rejected: how many there may be is for the bulkhead's slots to say. (A slot is free a
 * moment before its thread is, so a call that has waited for it may find one thread more.)
 *
 * <p>All threads end when they have had nothing to do for a while, so that nothing has to be
 * closed, and a bulkhead that nobody uses any more keeps none: those beyond the core after the time
 * that is set, those of the core after a minute or that time, if it is longer. A thread pool of the
 * JDK keeps the threads of its core for ever, or no longer than the others.
 *
 * <p>Everything is guarded by one lock, which is held for moments. No task is forgotten, for there
 * are never more of them in the queue than threads that wait for one or have just been started:
 * {@link #execute} starts a thread for a task that would be one too many, and a thread that has
 * waited long enough looks at the queue once more before it ends, under the same lock.
 */
final class CallThreads implements Executor {
  private static final long CORE_NANOS = Duration.ofMinutes(1).toNanos();

  private final String name;
  private final Lock lock = new ReentrantLock();
  private final Condition added = lock.newCondition();

  // Guarded by the lock.
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private int core;
  private long keepAliveNanos;
  private int alive;
  private int idle;
  private long started;

  /**
   * Creates one without any threads yet.
   *
   * @param name that of the bulkhead, with which theirs begin
   * @param core how many are kept longer
   * @param keepAlive how long the others are kept
   */
  CallThreads(String name, int core, Duration keepAlive) {
    this.name = name;
    this.core = core;
    keepAliveNanos = keepAlive.toNanos();
  }

  /** Changes how many are kept, and how long the others are; those that are too many end. */
  void keep(int core, Duration keepAlive) {
    lock.lock();
    try {
      this.core = core;
      keepAliveNanos = keepAlive.toNanos();
      added.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void execute(Runnable task) {
    Objects.requireNonNull(task, "task");
    lock.lock();
    try {
      if (tasks.size() >= idle) {
        start(); // Before the task is there: if it cannot be started, nothing has happened.
      }
      tasks.add(task);
      added.signal();
    } finally {
      lock.unlock();
    }
  }

  private void start() {
    // What the caller's thread has inherited is none of the business of other callers' calls.
    var thread =
        new Thread(
            null, this::work, name + "-" + (started + 1), 0, /* inheritThreadLocals= */ false);
    thread.setDaemon(true);
    thread.start();
    started++;
    alive++;
  }

  private void work() {
    for (Runnable task = next(); task != null; task = next()) {
      task.run(); // Nothing comes out of it: a call tells its caller what it throws.
      boolean unused = Thread.interrupted(); // Of the call that is over, like all that it left.
    }
  }

  /** The next task, or null when the thread has waited long enough and is to end. */
  private @Nullable Runnable next() {
    lock.lock();
    idle++;
    try {
      long waited = 0;
      while (tasks.isEmpty()) {
        long left = patienceNanos() - waited;
        if (left <= 0) {
          alive--;
          return null;
        }
        waited += left - awaitNanos(left);
      }
      return tasks.remove();
    } finally {
      idle--;
      lock.unlock();
    }
  }

  private long patienceNanos() {
    return alive > core ? keepAliveNanos : Math.max(CORE_NANOS, keepAliveNanos);
  }

  /** Waits, and returns what is left of the time. */
  @SuppressWarnings("WaitNotInLoop") // Its caller loops.
  private long awaitNanos(long nanos) {
    try {
      return added.awaitNanos(nanos);
    } catch (InterruptedException e) {
      return nanos; // Meant for nobody: there is no call on this thread.
    }
  }
}

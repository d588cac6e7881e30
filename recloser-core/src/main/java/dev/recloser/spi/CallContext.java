package dev.recloser.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries something that belongs to a thread, a logging context or a security context for example,
 * with a call that goes on on another thread: at every hop, and so through retries, waits,
 * fallbacks and executors.
 *
 * <p>One that shall hold for every call is found with {@link java.util.ServiceLoader} under this
 * type, by the class loader of the library; others are given to a pipeline. A pipeline's calls are
 * carried by both.
 *
 * <p>Implementations are called by many threads at once. One that throws is logged once and does
 * not touch the call, which then goes on without it.
 */
@FunctionalInterface
public interface CallContext {
  /**
   * Takes what the calling thread has now. Called once for each call that may change threads, on
   * the thread that makes the call, and so must be quick.
   *
   * @return what was taken; null for nothing
   */
  @Nullable Snapshot capture();

  /** What one thread had, to be had by others. */
  @FunctionalInterface
  interface Snapshot {
    /**
     * Runs a task on this thread with what was taken, and then puts back what the thread had
     * before. May be called several times and by several threads at once. A {@code ScopedValue} is
     * bound with {@code ScopedValue.where(key, value).run(task)}.
     *
     * @param task what to run, once; it does not throw
     */
    void run(Runnable task);
  }

  /**
   * Carries the value of a thread-local variable.
   *
   * @param variable what to carry
   */
  static <V> CallContext of(ThreadLocal<V> variable) {
    Objects.requireNonNull(variable, "variable");
    return () -> {
      V value = variable.get();
      return task -> {
        V before = variable.get();
        variable.set(value);
        try {
          task.run();
        } finally {
          if (before == null) {
            variable.remove();
          } else {
            variable.set(before);
          }
        }
      };
    };
  }
}

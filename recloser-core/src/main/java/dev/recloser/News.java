package dev.recloser;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Delivers what has happened in the order in which it was put in, one piece at a time and under no
 * lock: whoever finds nobody delivering does, also for the others.
 */
final class News {
  private final ArrayDeque<Runnable> line = new ArrayDeque<>(0);
  private boolean delivering;

  /** Puts something in; quick, and so may be done under a lock that fixes the order. */
  synchronized void add(Runnable delivery) {
    line.add(delivery);
  }

  /** Delivers what is in, unless somebody is at it already. Deliveries must not throw. */
  void deliver() {
    for (Runnable next = first(); next != null; next = next()) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable first() {
    if (delivering) {
      return null;
    }
    delivering = true;
    return next();
  }

  private synchronized @Nullable Runnable next() {
    Runnable next = line.poll();
    delivering = next != null;
    return next;
  }
}

package dev.recloser;

import dev.recloser.spi.CallContext.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * What goes with a call when it goes on on another thread, or later: the scope that it is in, and
 * the contexts of the thread that made it. Immutable.
 */
final class Hop {
  private final @Nullable Scope scope;
  private final Contexts contexts;
  private final Snapshot[] snapshots;

  Hop(@Nullable Scope scope, Contexts contexts, Snapshot[] snapshots) {
    this.scope = scope;
    this.contexts = contexts;
    this.snapshots = snapshots;
  }

  /** Runs a task, which must not throw, as part of the call. */
  void run(Runnable task) {
    if (snapshots.length == 0) {
      Scope.run(scope, task);
    } else {
      contexts.run(snapshots, () -> Scope.run(scope, task));
    }
  }

  /** How many nanoseconds the call has left. */
  long nanosLeft() {
    return Scope.leastLeft(scope);
  }
}

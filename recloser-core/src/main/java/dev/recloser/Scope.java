package dev.recloser;

import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Something that a call is in and that may end it, or leave it only so much time: a deadline, a
 * timeout, work that somebody can cancel. A thread is in one of them, which is in others; those
 * around it may belong to another thread, on which the call began.
 *
 * <p>So whatever a call comes to on its way, on whichever thread, finds out how much time there is
 * left, and whether what it sees now has already been ended from outside.
 */
abstract sealed class Scope permits Deadline.Mark, ThreadScope, TimedStage {
  /** What is left where nothing limits it. */
  static final long UNLIMITED = Long.MAX_VALUE;

  /**
   * The innermost scope that the thread is in. Set back to null rather than removed, which spares
   * the next call an allocation and leaves an empty entry behind.
   */
  private static final ThreadLocal<@Nullable Scope> CURRENT = new ThreadLocal<>();

  /**
   * Whether there has been any scope in this JVM; spares the calls of those who use none a look at
   * their thread. Not volatile: whoever runs inside a scope has its thread, or its hand-over, to
   * know.
   */
  private static boolean inUse;

  private @Nullable Scope outer;

  /**
   * Whether somebody may hold on to it beyond its end, so that it must not be used again. Written
   * by a thread that is in it: by the first one, before it can be in any other.
   */
  private boolean kept;

  Scope(@Nullable Scope outer) {
    this.outer = outer;
  }

  /** The innermost scope of this thread, for whoever keeps it. */
  static @Nullable Scope current() {
    Scope innermost = innermost();
    for (Scope scope = innermost; scope != null && !scope.kept; scope = scope.outer) {
      scope.kept = true;
    }
    return innermost;
  }

  /** The innermost scope of this thread, for whoever only looks at it, or is in it and so ends. */
  static @Nullable Scope innermost() {
    return inUse ? CURRENT.get() : null;
  }

  static void setCurrent(@Nullable Scope scope) {
    inUse |= scope != null;
    if (inUse) {
      CURRENT.set(scope);
    }
  }

  /** Runs a task on this thread as part of a scope. */
  static void run(@Nullable Scope scope, Runnable task) {
    Scope before = innermost();
    if (before == scope) {
      task.run();
      return;
    }
    setCurrent(scope);
    try {
      task.run();
    } finally {
      setCurrent(before);
    }
  }

  /**
   * Does what is due at the end of a stage, as part of what the stage was started in: the thread
   * that happens to end it may be in a call of its own, and that one's timeout is not the stage's.
   *
   * <p>Of what it was started in, a call on a thread that has gone on without the stage is left
   * out: whoever stops that thread does not stop the stage.
   */
  static void runAtEnd(@Nullable Scope started, Runnable end) {
    Scope now = innermost();
    Scope own = started;
    while (own instanceof ThreadScope && !isIn(own, now)) {
      own = own.outer;
    }
    run(own, end);
  }

  private static boolean isIn(Scope searched, @Nullable Scope innermost) {
    Scope scope = innermost;
    while (scope != null && scope != searched) {
      scope = scope.outer;
    }
    return scope != null;
  }

  /** How many nanoseconds a call in this scope has left; zero or less when none. */
  static long leastLeft(@Nullable Scope innermost) {
    long least = UNLIMITED;
    for (Scope scope = innermost; scope != null; scope = scope.outer) {
      least = Math.min(least, scope.nanosLeft());
    }
    return least;
  }

  /** Whether a call in this scope has been ended, by a timeout or by a caller who gave up. */
  static boolean isEnded(@Nullable Scope innermost) {
    Scope scope = innermost;
    while (scope != null && !scope.isStopped()) {
      scope = scope.outer;
    }
    return scope != null;
  }

  /** The exception of the timeout that has ended what this thread is in; null if none has. */
  static @Nullable TimeoutExceededException currentTimeout(@Nullable Throwable cause) {
    for (Scope scope = innermost(); scope != null; scope = scope.outer) {
      TimeoutExceededException exceeded = scope.timeout(cause);
      if (exceeded != null) {
        return exceeded;
      }
    }
    return null;
  }

  /**
   * What a breaker shall judge: the timeout that has ended the call, whatever came out of the call
   * after that; a cancellation, if somebody has given the call up and it threw then; else what the
   * call threw.
   *
   * @param thrown what the call threw; null if it returned
   * @return null for a result that is in time
   */
  static @Nullable Throwable judged(@Nullable Throwable thrown) {
    Scope innermost = innermost();
    if (innermost == null) {
      return thrown;
    }
    TimeoutExceededException exceeded = currentTimeout(thrown);
    if (exceeded != null) {
      return exceeded;
    }
    return thrown != null && isEnded(innermost) ? cancellation(thrown) : thrown;
  }

  final @Nullable Scope outer() {
    return outer;
  }

  final boolean isKept() {
    return kept;
  }

  /** Takes another place, for one that nobody keeps. */
  final void moveInto(@Nullable Scope newOuter) {
    outer = newOuter;
  }

  /** How long it leaves to what is in it; {@link #UNLIMITED} if it does not limit that. */
  abstract long nanosLeft();

  /** Whether it has been ended from outside. */
  abstract boolean isStopped();

  /** The exception of the timeout that has ended it; null if it was not a timeout, or not yet. */
  abstract @Nullable TimeoutExceededException timeout(@Nullable Throwable cause);

  private static CancellationException cancellation(Throwable thrown) {
    CancellationException cancelled = new CancellationException("the caller gave the call up");
    cancelled.initCause(thrown);
    return cancelled;
  }
}

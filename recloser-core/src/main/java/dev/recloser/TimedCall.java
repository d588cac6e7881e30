package dev.recloser;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call under a timeout: its timer, and what breakers inside it are told.
 *
 * <p>A thread is <em>in</em> such a call while it runs it, or cancels its stage. A breaker that
 * sees an interrupt or a cancellation there asks whether a timeout has brought it about, this one
 * or one around it. Nobody else asks, so that it costs a call nothing to come out well.
 *
 * <p>Run by its timer, when the time is over.
 */
abstract sealed class TimedCall implements Runnable permits TimedThread, TimedStage {
  /**
   * The innermost call that the thread is in. Set back to null rather than removed, which spares
   * the next call an allocation and leaves an empty entry behind.
   */
  private static final ThreadLocal<@Nullable TimedCall> CURRENT = new ThreadLocal<>();

  /**
   * Whether there has been any timeout in this JVM; spares the good calls of others a look at their
   * thread. Not volatile: whoever runs inside a timeout has its thread, or its hand-over, to know.
   */
  private static boolean inUse;

  final Timeout timeout;
  private final @Nullable TimedCall outer;
  private final long startedAt;

  /** Written by whoever starts the call, read by whoever ends it, see {@link #startTimer}. */
  private volatile @Nullable Cancellable timer;

  /**
   * Begins to measure the time.
   *
   * @param outer the call under a timeout that this one is part of, which may be on another thread
   */
  TimedCall(Timeout timeout, @Nullable TimedCall outer) {
    this.timeout = timeout;
    this.outer = outer;
    startedAt = timeout.now();
  }

  /** The innermost call under a timeout that this thread is in. */
  static @Nullable TimedCall current() {
    return CURRENT.get();
  }

  static void setCurrent(@Nullable TimedCall call) {
    inUse = true;
    CURRENT.set(call);
  }

  /** Whether what this thread is in has been ended, by a timeout or by a caller who gave up. */
  static boolean currentIsStopped() {
    TimedCall call = inUse ? current() : null;
    while (call != null && !call.isStopped()) {
      call = call.outer;
    }
    return call != null;
  }

  /** The exception of the timeout that has ended what this thread is in; null if none has. */
  static @Nullable TimeoutExceededException currentException(@Nullable Throwable cause) {
    TimedCall ended = timedOut();
    return ended == null ? null : ended.timeout.exceeded(cause);
  }

  /**
   * What a breaker shall judge: the timeout that has ended the call, whatever came out of the call
   * after that; else what the call threw.
   *
   * @param thrown what the call threw; null if it returned
   * @return null for a result that is in time
   */
  static @Nullable Throwable judged(@Nullable Throwable thrown) {
    TimeoutExceededException exceeded = inUse ? currentException(thrown) : null;
    return exceeded == null ? thrown : exceeded;
  }

  /** Runs what is somebody else's call, which the timeouts of this thread's call do not concern. */
  static <T> T outside(Supplier<T> call) {
    TimedCall mine = current();
    if (mine == null) {
      return call.get();
    }
    setCurrent(null);
    try {
      return call.get();
    } finally {
      setCurrent(mine);
    }
  }

  private static @Nullable TimedCall timedOut() {
    TimedCall call = current();
    while (call != null && !call.isTimedOut()) {
      call = call.outer;
    }
    return call;
  }

  /** Whether its timer has ended it. */
  abstract boolean isTimedOut();

  /** Whether it has been ended from outside. */
  abstract boolean isStopped();

  /** Whether it has ended, one way or another. */
  abstract boolean hasEnded();

  /** Whether the time is over, whatever its timer says. */
  final boolean isOver() {
    return nanosLeft() <= 0;
  }

  final long nanosLeft() {
    return timeout.nanosLeft(startedAt);
  }

  /**
   * The call may end before the handle on its timer is known. Either its end sees the handle, or
   * the look after the handle was written sees the end; if both, it is cancelled twice.
   */
  final void startTimer(Duration delay) {
    timer = timeout.schedule(this, delay);
    if (hasEnded()) {
      cancelTimer();
    }
  }

  final void cancelTimer() {
    Cancellable scheduled = timer;
    if (scheduled != null) {
      timeout.cancel(scheduled);
    }
  }
}

package dev.recloser;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A stage under a timeout. Whoever changes its state first ends it: the stage, the timer, or
 * somebody who completes the future; the others then find that there is nothing left to do.
 */
final class TimedStage<T extends @Nullable Object> extends TimedCall {
  private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);
  private final CompletableFuture<T> future = new CompletableFuture<>();

  /** Written before anybody can end the call. */
  private @Nullable CompletableFuture<T> source;

  private enum State {
    RUNNING,
    ENDED,
    TIMED_OUT
  }

  /** Begins to measure the time. */
  TimedStage(Timeout timeout) {
    super(timeout, null);
  }

  /** Watches a stage. No timer is needed for one that has ended by now. */
  CompletableFuture<T> watch(CompletableFuture<T> stage) {
    source = stage;
    var unusedHook = future.whenComplete((result, thrown) -> completedFromOutside(thrown));
    try {
      var unusedEnd = stage.whenComplete(this::sourceEnded);
    } catch (Throwable thrown) {
      future.completeExceptionally(thrown);
    }
    if (!hasEnded()) {
      awaitEnd(nanosLeft());
    }
    return future;
  }

  /** Starting the stage may have taken all the time there was. */
  private void awaitEnd(long nanos) {
    if (nanos > 0) {
      startTimer(Duration.ofNanos(nanos));
    } else {
      run();
    }
  }

  /**
   * The time is over. What goes on inside is ended first, so that its permits are free when the
   * caller learns of it; and the thread is in this call no longer when the caller does.
   */
  @Override
  public void run() {
    if (!state.compareAndSet(State.RUNNING, State.TIMED_OUT)) {
      return;
    }
    TimedCall before = current();
    setCurrent(this);
    try {
      cancelSource();
    } finally {
      setCurrent(before);
      future.completeExceptionally(timeout.timedOut(null));
    }
  }

  @Override
  boolean isStopped() {
    return isTimedOut();
  }

  @Override
  boolean isTimedOut() {
    return state.get() == State.TIMED_OUT;
  }

  @Override
  boolean hasEnded() {
    return state.get() != State.RUNNING;
  }

  @SuppressWarnings("NullAway") // A result is null where T says so.
  private void sourceEnded(@Nullable T result, @Nullable Throwable thrown) {
    if (!end()) {
      return;
    }
    if (isOver()) {
      future.completeExceptionally(timeout.timedOut(thrown));
    } else {
      timeout.ended(thrown);
      Stages.complete(future, result, thrown);
    }
  }

  private void completedFromOutside(@Nullable Throwable thrown) {
    if (end()) {
      timeout.ended(thrown);
      cancelSource();
    }
  }

  private boolean end() {
    if (!state.compareAndSet(State.RUNNING, State.ENDED)) {
      return false;
    }
    cancelTimer();
    return true;
  }

  private void cancelSource() {
    if (source != null) {
      Stages.cancel(source);
    }
  }
}

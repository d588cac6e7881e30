package dev.recloser;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A stage under a timeout. Whoever changes its state first ends it: the stage, the timer, or
 * somebody who completes the future; the others then find that there is nothing left to do.
 */
final class TimedStage<T extends @Nullable Object> extends Scope implements TimeLimit.Limited {
  private final OwnTimer limit;
  private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);
  private final CompletableFuture<T> future = new CompletableFuture<>();

  /** Written before anybody can end the call. */
  private @Nullable CompletableFuture<T> source;

  private enum State {
    RUNNING,
    ENDED,
    TIMED_OUT
  }

  TimedStage(OwnTimer limit) {
    super(current());
    this.limit = limit;
  }

  /** Starts a stage, which finds itself in here while that takes place. */
  CompletableFuture<T> start(Invocation<T> invocation, int inside) {
    Scope before = current();
    setCurrent(this);
    CompletableFuture<T> stage;
    try {
      stage = invocation.proceedAsync(inside);
    } finally {
      setCurrent(before);
    }
    return watch(stage);
  }

  /** Watches a stage. No timer is needed for one that has ended by now. */
  private CompletableFuture<T> watch(CompletableFuture<T> stage) {
    source = stage;
    var unusedHook = future.whenComplete((result, thrown) -> completedFromOutside(thrown));
    try {
      var unusedEnd = stage.whenComplete(this::sourceEnded);
    } catch (Throwable thrown) {
      future.completeExceptionally(thrown);
    }
    if (!hasEnded()) {
      awaitEnd();
    }
    return future;
  }

  /** Starting the stage may have taken all the time there was. */
  private void awaitEnd() {
    if (limit.isOver()) {
      run();
    } else {
      limit.startTimer(this);
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
    Scope before = current();
    setCurrent(this);
    try {
      if (source != null) {
        Stages.cancel(source);
      }
    } finally {
      setCurrent(before);
      future.completeExceptionally(limit.timeout.timedOut(limit, null));
    }
  }

  @Override
  long nanosLeft() {
    return limit.nanosLeft();
  }

  @Override
  boolean isStopped() {
    return state.get() == State.TIMED_OUT;
  }

  @Override
  @Nullable TimeoutExceededException timeout(@Nullable Throwable cause) {
    return isStopped() ? limit.exceeded(cause) : null;
  }

  @Override
  public boolean hasEnded() {
    return state.get() != State.RUNNING;
  }

  @SuppressWarnings("NullAway") // A result is null where T says so.
  private void sourceEnded(@Nullable T result, @Nullable Throwable thrown) {
    if (!end()) {
      return;
    }
    if (limit.isOver()) {
      future.completeExceptionally(limit.timeout.timedOut(limit, thrown));
    } else {
      limit.timeout.ended(limit, thrown);
      Stages.complete(future, result, thrown);
    }
  }

  private void completedFromOutside(@Nullable Throwable thrown) {
    if (end()) {
      limit.timeout.ended(limit, thrown);
      if (source != null) {
        Stages.cancel(source, future);
      }
    }
  }

  private boolean end() {
    if (!state.compareAndSet(State.RUNNING, State.ENDED)) {
      return false;
    }
    limit.cancelTimer();
    return true;
  }
}

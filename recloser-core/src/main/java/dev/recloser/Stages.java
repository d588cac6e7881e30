package dev.recloser;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What all policies do with stages. */
final class Stages {
  private Stages() {}

  /** What takes the end of a stage before whoever waits for it does; never throws. */
  interface End {
    void accept(@Nullable Object result, @Nullable Throwable thrown);
  }

  /** Starts a user's call; one that throws or returns no stage is a stage that failed. */
  static <T extends @Nullable Object> CompletableFuture<T> start(
      Supplier<? extends CompletionStage<T>> call) {
    try {
      CompletionStage<T> stage =
          Objects.requireNonNull(call.get(), "the call returned null instead of a stage");
      // Not one of a subclass, whose methods are user code and may do anything.
      return stage.getClass() == CompletableFuture.class
          ? (CompletableFuture<T>) stage
          : then(stage, (result, thrown) -> {});
    } catch (Throwable thrown) {
      return CompletableFuture.failedFuture(thrown);
    }
  }

  /**
   * Returns a future of a stage's result, which completes after {@code end} has taken it.
   * Completing the future first, from outside, cancels the stage and gives that result to {@code
   * end}.
   *
   * <p>A future that is handed out, rather than the stage itself, is what makes sure of the order:
   * dependents of one stage run in none in particular.
   */
  static <T extends @Nullable Object> CompletableFuture<T> then(CompletionStage<T> stage, End end) {
    CompletableFuture<T> future = new CompletableFuture<>();
    End own = inScopeOfNow(end);
    var ended = new AtomicBoolean();
    var unusedHook =
        future.whenComplete(
            (result, thrown) -> {
              if (ended.compareAndSet(false, true)) {
                cancel(stage, thrown); // First: what ends with it may let others begin.
                own.accept(result, thrown);
              }
            });
    try {
      var unusedEnd =
          stage.whenComplete(
              (result, thrown) -> {
                if (ended.compareAndSet(false, true)) {
                  try {
                    own.accept(result, thrown);
                  } finally {
                    complete(future, result, thrown);
                  }
                }
              });
    } catch (Throwable thrown) {
      future.completeExceptionally(thrown);
    }
    return future;
  }

  /** The same end, as part of what this thread is in now, whichever thread it comes from. */
  static End inScopeOfNow(End end) {
    Scope started = Scope.current();
    return (result, thrown) -> Scope.runAtEnd(started, () -> end.accept(result, thrown));
  }

  static <T extends @Nullable Object> void complete(
      CompletableFuture<T> future, T result, @Nullable Throwable thrown) {
    if (thrown == null) {
      future.complete(result);
    } else {
      future.completeExceptionally(thrown);
    }
  }

  /**
   * Cancels a stage for which a future stood that is done, and tells what is inside what the future
   * was ended with. Never throws.
   */
  static void cancel(CompletionStage<?> stage, CompletableFuture<?> done) {
    if (!(stage instanceof Future<?> future && future.isDone())) {
      var unused = done.whenComplete((result, thrown) -> cancel(stage, thrown)); // At once.
    }
  }

  /**
   * The same by what it was ended with; null for a result.
   *
   * <p>Completing it so is what {@code cancel} of a {@code CompletableFuture} does, but with a
   * cancellation that has a cause.
   */
  private static void cancel(CompletionStage<?> stage, @Nullable Throwable thrown) {
    if (thrown != null && stage.getClass() == CompletableFuture.class) {
      ((CompletableFuture<?>) stage).completeExceptionally(CancelledWith.of(thrown));
    } else {
      cancel(stage);
    }
  }

  /** Cancels what can be cancelled; a stage that cannot be goes on by itself. Never throws. */
  static void cancel(CompletionStage<?> stage) {
    try {
      Future<?> future = stage instanceof Future<?> f ? f : stage.toCompletableFuture();
      if (!future.isDone()) {
        future.cancel(/* mayInterruptIfRunning= */ true);
      }
    } catch (Throwable e) {
      // Nobody waits for it.
    }
  }
}

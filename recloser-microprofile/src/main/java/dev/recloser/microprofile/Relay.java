package dev.recloser.microprofile;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Hands on how a stage ends. */
final class Relay {
  private Relay() {}

  /**
   * Does the same as {@link #of(CompletionStage, UnaryOperator, Consumer)}, with nothing before.
   */
  static <T extends @Nullable Object> CompletableFuture<T> of(
      CompletionStage<T> stage, UnaryOperator<Throwable> failure) {
    return of(stage, failure, thrown -> {});
  }

  /**
   * Returns a future that ends as the stage does; completing it first, from outside, cancels the
   * stage.
   *
   * @param failure what becomes of what the stage fails with; does not throw
   * @param before told of the stage's end, with its failure if that is one, before whoever waits
   *     for the future; does not throw
   */
  static <T extends @Nullable Object> CompletableFuture<T> of(
      CompletionStage<T> stage,
      UnaryOperator<Throwable> failure,
      Consumer<@Nullable Throwable> before) {
    CompletableFuture<T> future = new CompletableFuture<>();
    var unusedHook = future.whenComplete((result, thrown) -> cancel(stage));
    try {
      var unusedEnd =
          stage.whenComplete(
              (result, thrown) -> {
                before.accept(thrown);
                if (thrown == null) {
                  future.complete(result);
                } else {
                  future.completeExceptionally(failure.apply(thrown));
                }
              });
    } catch (Throwable thrown) { // A stage of the user's own making.
      future.completeExceptionally(failure.apply(thrown));
    }
    return future;
  }

  /** Takes off what a stage puts around the failure of the stage that it depends on. */
  static Throwable withoutWrapper(Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
    return cause == null ? thrown : cause;
  }

  private static void cancel(CompletionStage<?> stage) {
    try {
      Future<?> future = stage instanceof Future<?> f ? f : stage.toCompletableFuture();
      if (!future.isDone()) {
        boolean unused = future.cancel(/* mayInterruptIfRunning= */ true);
      }
    } catch (Throwable e) {
      // One that cannot be cancelled goes on by itself, and nobody waits for it.
    }
  }
}

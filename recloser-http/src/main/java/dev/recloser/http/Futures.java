package dev.recloser.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Futures that are handed out in place of others. */
final class Futures {
  private Futures() {}

  /** Learns how a call ended before the caller does. Never throws. */
  interface End<S> {
    /** The call has ended by itself. Exactly one of the two is null. */
    void ended(@Nullable S result, @Nullable Throwable thrown);

    /** The caller has ended it; with an exception, or with null if it put a result in its place. */
    void endedByCaller(@Nullable Throwable thrown);

    /** The call has ended with a result that nobody gets, for the caller had ended it already. */
    void unclaimed(S result);
  }

  /** Makes what a future is to be completed with. */
  @FunctionalInterface
  interface Step<S, R> {
    /** Of a result; what it throws completes the future. */
    R of(S result);

    /** What stands for an exception; null for the exception itself. */
    default @Nullable R insteadOf(Throwable thrown) {
      return null;
    }
  }

  /**
   * Returns a future of what is made of the end of another. Completing it from outside cancels the
   * other one.
   *
   * <p>Where that races with the end of the other one, {@code end} may learn of both, and takes the
   * first.
   */
  static <S, R> CompletableFuture<R> then(
      CompletableFuture<S> source, End<? super S> end, Step<? super S, ? extends R> step) {
    CompletableFuture<R> future = new CompletableFuture<>();
    var unusedHook =
        future.whenComplete(
            (result, thrown) -> {
              if (!source.isDone()) {
                end.endedByCaller(thrown); // First: cancelling would look like a failure.
                source.cancel(/* mayInterruptIfRunning= */ true);
              }
            });
    var unusedEnd =
        source.whenComplete(
            (result, thrown) -> {
              Throwable bare = bare(thrown);
              end.ended(result, bare);
              if (bare != null) {
                failed(future, bare, step);
              } else if (!succeeded(future, result, step)) {
                end.unclaimed(result);
              }
            });
    return future;
  }

  /** False if the future was complete already. */
  private static <S, R> boolean succeeded(
      CompletableFuture<R> future, S result, Step<? super S, ? extends R> step) {
    R made;
    try {
      made = step.of(result);
    } catch (Throwable thrown) {
      return future.completeExceptionally(thrown);
    }
    return future.complete(made);
  }

  private static <S, R> void failed(
      CompletableFuture<R> future, Throwable thrown, Step<? super S, ? extends R> step) {
    R instead = step.insteadOf(thrown);
    if (instead == null) {
      future.completeExceptionally(thrown);
    } else {
      future.complete(instead);
    }
  }

  /** What was thrown, without what stages put around it. */
  private static @Nullable Throwable bare(@Nullable Throwable thrown) {
    return thrown instanceof CompletionException && thrown.getCause() != null
        ? thrown.getCause()
        : thrown;
  }
}

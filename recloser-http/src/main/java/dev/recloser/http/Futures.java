package dev.recloser.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Futures that are handed out in place of a client's own. */
final class Futures {
  private Futures() {}

  /** Learns how a call ended before the caller does. Never throws. */
  interface End<S> {
    /** The call has ended by itself. Exactly one of the two is null. */
    void ended(@Nullable S result, @Nullable Throwable thrown);

    /** The caller has ended it; with an exception, or with null if it put a result in its place. */
    void endedByCaller(@Nullable Throwable thrown);
  }

  /**
   * Returns a future of a part of the result of another. Completing it from outside cancels the
   * other one.
   *
   * <p>Where that races with the end of the other one, {@code end} may learn of both, and takes the
   * first.
   */
  static <S, R> CompletableFuture<R> then(
      CompletableFuture<S> source, End<? super S> end, Function<? super S, ? extends R> part) {
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
              if (bare == null) {
                future.complete(part.apply(result));
              } else {
                future.completeExceptionally(bare);
              }
            });
    return future;
  }

  /**
   * The same for another one of ours, which is ended with what this one was ended with, so that a
   * time-out stays one on the way in.
   */
  static <S, R> CompletableFuture<R> map(
      CompletableFuture<S> source, Function<? super S, ? extends R> part) {
    return then(source, new PassedOn(source), part);
  }

  /** What was thrown, without what stages put around it. */
  private static @Nullable Throwable bare(@Nullable Throwable thrown) {
    return thrown instanceof CompletionException && thrown.getCause() != null
        ? thrown.getCause()
        : thrown;
  }

  /** Of a call that is counted further in. */
  private record PassedOn(CompletableFuture<?> source) implements End<Object> {
    @Override
    public void ended(@Nullable Object result, @Nullable Throwable thrown) {}

    @Override
    public void endedByCaller(@Nullable Throwable thrown) {
      if (thrown != null) {
        source.completeExceptionally(thrown);
      }
    }
  }
}

package dev.recloser.microprofile;

import dev.recloser.Ticker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The future of a method that returns one: of the call as long as that goes on, and then the one
 * that the method returned.
 *
 * <p>Cancelling it interrupts the thread that is in the method only if that is asked for, and only
 * while it is: the policies see to the latter.
 */
final class GuardedFuture implements Future<@Nullable Object> {
  private final Call call;

  /** The call and its policies, to be cancelled. */
  private final CompletableFuture<@Nullable Object> running;

  /** What the caller knows of it: the future that was returned, a failure, or cancelled. */
  private final CompletableFuture<@Nullable Object> outcome;

  GuardedFuture(Call call, CompletableFuture<@Nullable Object> running) {
    this.call = call;
    this.running = running;
    outcome = new CompletableFuture<>();
    var unused =
        running.whenComplete(
            (result, thrown) -> {
              if (thrown == null) {
                outcome.complete(result);
              } else {
                outcome.completeExceptionally(Failures.specified(thrown));
              }
            });
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    if (outcome.cancel(mayInterruptIfRunning)) {
      boolean isFree = call.giveUp();
      if (mayInterruptIfRunning || isFree) {
        boolean unused = running.cancel(/* mayInterruptIfRunning= */ true);
      }
      return true;
    }
    Future<?> returned = returned();
    return returned != null && returned.cancel(mayInterruptIfRunning);
  }

  @Override
  public boolean isCancelled() {
    Future<?> returned = returned();
    return returned == null ? outcome.isCancelled() : returned.isCancelled();
  }

  @Override
  public boolean isDone() {
    Future<?> returned = returned();
    return returned == null ? outcome.isDone() : returned.isDone();
  }

  @Override
  public @Nullable Object get() throws InterruptedException, ExecutionException {
    Future<?> returned = (Future<?>) outcome.get();
    return returned == null ? null : returned.get();
  }

  @Override
  public @Nullable Object get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    long deadline = Ticker.system().nanoTime() + unit.toNanos(timeout);
    Future<?> returned = (Future<?>) outcome.get(timeout, unit);
    return returned == null
        ? null
        : returned.get(Math.max(0, deadline - Ticker.system().nanoTime()), TimeUnit.NANOSECONDS);
  }

  /** What the method returned; null if there is nothing of the kind, or not yet. */
  private @Nullable Future<?> returned() {
    return outcome.isDone() && !outcome.isCompletedExceptionally()
        ? (Future<?>) outcome.join()
        : null;
  }
}

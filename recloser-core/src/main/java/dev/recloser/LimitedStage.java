package dev.recloser;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A stage that waits for its turn, and is then started. Holds no thread while it waits. */
final class LimitedStage<T extends @Nullable Object> {
  private final RateLimiter limiter;
  private final int permits;
  private final Invocation<T> invocation;
  private final int inside;
  private final Executor executor;
  private final Hop hop;
  private final CompletableFuture<T> future = new CompletableFuture<>();

  // Guarded by this: what goes on now, to be ended with the future.
  private @Nullable Reservation place;
  private @Nullable CompletableFuture<T> running;
  private boolean started;

  LimitedStage(
      RateLimiter limiter, int permits, Invocation<T> invocation, int inside, Executor executor) {
    this.limiter = limiter;
    this.permits = permits;
    this.invocation = invocation;
    this.inside = inside;
    this.executor = executor;
    hop = invocation.hop();
  }

  /** Says where it stands in line; its turn may have come already. */
  CompletableFuture<T> waitAt(Reservation reserved) {
    synchronized (this) {
      place = reserved;
    }
    var unused = future.whenComplete((result, thrown) -> endWhatGoesOn());
    return future;
  }

  /** Has the call started, for its permits have been taken. */
  void start() {
    Once.on(executor, () -> hop.run(this::startHere));
  }

  private void startHere() {
    synchronized (this) {
      if (future.isDone()) {
        return; // Whoever ended it has given the permits back, or will when he gets the lock.
      }
      started = true;
    }
    limiter.tellAdmitted(permits);
    CompletableFuture<T> call = invocation.proceedAsync(inside);
    synchronized (this) {
      running = call;
    }
    try {
      var unused = call.whenComplete(this::complete);
    } catch (Throwable thrown) {
      complete(null, thrown); // A stage of the user's own making that cannot be waited for.
    }
    if (future.isDone()) {
      Stages.cancel(call, future);
    }
  }

  void refuse(Throwable refusal) {
    future.completeExceptionally(refusal);
  }

  @SuppressWarnings("NullAway") // A result is null where T says so.
  private void complete(@Nullable T result, @Nullable Throwable thrown) {
    Stages.complete(future, result, thrown);
  }

  private void endWhatGoesOn() {
    CompletableFuture<T> call;
    Reservation unused;
    synchronized (this) {
      call = running;
      unused = started ? null : place;
    }
    if (call != null) {
      Stages.cancel(call, future);
    }
    if (unused != null) {
      limiter.giveUp(unused);
    }
  }
}

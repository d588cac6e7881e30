package dev.recloser;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous call that waits for a slot. Holds no thread, and is not started on that of
 * whoever gives the slot: that one's interrupts and timeouts are none of its business.
 */
final class WaitingStage<T extends @Nullable Object> extends SlotWaiter {
  private final Bulkhead bulkhead;
  private final Invocation<T> invocation;
  private final int inside;
  private final BulkheadConfig config;
  private final Hop hop;
  private final CompletableFuture<T> future = new CompletableFuture<>();

  /** Guarded by this: the call, to be ended with the future. */
  private @Nullable CompletableFuture<T> running;

  WaitingStage(
      Bulkhead bulkhead, Slots slots, Invocation<T> invocation, int inside, BulkheadConfig config) {
    super(slots);
    this.bulkhead = bulkhead;
    this.invocation = invocation;
    this.inside = inside;
    this.config = config;
    hop = invocation.hop();
    var unused = future.whenComplete((result, thrown) -> ended());
  }

  CompletableFuture<T> future() {
    return future;
  }

  @Override
  void admitted() {
    endTimer();
    Once.on(config.executor, () -> hop.run(this::start));
  }

  private void start() {
    if (future.isDone()) {
      // Cancelled between its turn and now, when it could not leave the queue any more.
      bulkhead.countCancelled();
      slots.release();
      return;
    }
    CompletableFuture<T> call = bulkhead.start(invocation, inside);
    synchronized (this) {
      running = call;
    }
    try {
      var unused = call.whenComplete((result, thrown) -> Stages.complete(future, result, thrown));
    } catch (Throwable thrown) {
      future.completeExceptionally(thrown);
    }
    if (future.isDone()) {
      Stages.cancel(call);
    }
  }

  @Override
  void refused(@Nullable Throwable schedulerFailure) {
    future.completeExceptionally(bulkhead.refusedAfterWait(config, schedulerFailure));
  }

  /** The queue, and so the bulkhead, has no place for it. */
  void refuse() {
    future.completeExceptionally(bulkhead.refused(config));
  }

  /** Ends what goes on if the future was completed from outside, and finds nothing otherwise. */
  private void ended() {
    if (slots.leave(this)) {
      endTimer();
      bulkhead.countCancelled();
    }
    CompletableFuture<T> call;
    synchronized (this) {
      call = running;
    }
    if (call != null) {
      Stages.cancel(call);
    }
  }
}

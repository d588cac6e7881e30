package dev.recloser;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** When it began to wait, if somebody listens for how long it does. */
  private final @Nullable Long waitsSince;

  /** Whether it has got a slot. */
  private volatile boolean admitted;

  /**
   * Whether its slot has an owner: the call, or whoever gives it back because the future is done.
   * An executor may discard what it has accepted, so that nobody but the latter ever comes.
   */
  private final AtomicBoolean slotOwned = new AtomicBoolean();

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
    waitsSince = bulkhead.beginOfTold(BulkheadEvent.CallAdmitted.class);
    var unused = future.whenComplete((result, thrown) -> ended());
  }

  CompletableFuture<T> future() {
    return future;
  }

  @Override
  void admitted() {
    endTimer();
    admitted = true;
    Once.on(config.executor, () -> hop.run(this::start));
    if (future.isDone()) {
      giveBack();
    }
  }

  private void start() {
    if (future.isDone()) {
      giveBack();
      return;
    }
    if (!slotOwned.compareAndSet(false, true)) {
      return;
    }
    Duration waited = bulkhead.since(waitsSince);
    CompletableFuture<T> call =
        bulkhead.start(invocation, inside, waited == null ? Duration.ZERO : waited);
    synchronized (this) {
      running = call;
    }
    try {
      var unused = call.whenComplete((result, thrown) -> Stages.complete(future, result, thrown));
    } catch (Throwable thrown) {
      future.completeExceptionally(thrown);
    }
    if (future.isDone()) {
      Stages.cancel(call, future);
    }
  }

  /** Gives back the slot of a call that was given up between its turn and its start. */
  private void giveBack() {
    if (slotOwned.compareAndSet(false, true)) {
      bulkhead.countCancelled();
      slots.release();
    }
  }

  @Override
  void refused(@Nullable Throwable schedulerFailure) {
    future.completeExceptionally(bulkhead.refusedAfterWait(config, patience(), schedulerFailure));
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
    } else if (admitted) {
      giveBack(); // Unless the call has begun.
    }
    CompletableFuture<T> call;
    synchronized (this) {
      call = running;
    }
    if (call != null) {
      Stages.cancel(call, future);
    }
  }
}

package dev.recloser;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A stage that is started on a thread of an executor, for starting it may take its time. It holds
 * its slot as long as anything of it goes on: until the thread has left and the stage has ended.
 */
final class IsolatedStage<T extends @Nullable Object> {
  private final Invocation<T> invocation;
  private final int inside;
  private final BulkheadSlot slot;
  private final Stages.End end;
  private final CompletableFuture<T> future = new CompletableFuture<>();

  /** What holds the slot: the thread, and the stage once there is one. */
  private final AtomicInteger holders = new AtomicInteger(1);

  // Guarded by this: what goes on, to be ended with the future.
  private @Nullable CompletableFuture<?> starting;
  private @Nullable CompletableFuture<T> stage;

  // Written before the last holder lets go.
  private @Nullable T result;
  private @Nullable Throwable thrown;

  IsolatedStage(Invocation<T> invocation, int inside, BulkheadSlot slot) {
    this.invocation = invocation;
    this.inside = inside;
    this.slot = slot;
    end = Stages.inScopeOfNow(slot::end);
    var unused = future.whenComplete((given, failure) -> endWhatGoesOn());
  }

  CompletableFuture<T> start(Bulkhead bulkhead, Executor executor) {
    Hop hop = invocation.hop();
    CompletableFuture<Boolean> work = Work.start(bulkhead, hop, this::begin, executor, this::letGo);
    synchronized (this) {
      starting = work;
    }
    var unused =
        work.whenComplete(
            (begun, failure) -> {
              if (failure != null) { // Rejected, for what is begun does not throw.
                future.completeExceptionally(failure);
              }
            });
    if (future.isDone()) {
      endWhatGoesOn();
    }
    return future;
  }

  private boolean begin() {
    holders.incrementAndGet();
    CompletableFuture<T> begun = invocation.proceedAsync(inside);
    synchronized (this) {
      stage = begun;
    }
    try {
      var unused = begun.whenComplete(this::ended);
    } catch (Throwable failure) {
      ended(null, failure); // A stage of the user's own making that cannot be waited for.
    }
    if (future.isDone()) {
      endWhatGoesOn();
    }
    return true;
  }

  private void ended(@Nullable T given, @Nullable Throwable failure) {
    result = given;
    thrown = failure;
    letGo();
  }

  /** The last one gives the slot back, and only then the caller gets the result. */
  @SuppressWarnings("NullAway") // A result is null where T says so.
  private void letGo() {
    if (holders.decrementAndGet() > 0) {
      return;
    }
    boolean begun;
    synchronized (this) {
      begun = stage != null;
    }
    if (begun) {
      end.accept(result, thrown);
      Stages.complete(future, result, thrown);
    } else {
      slot.close();
    }
  }

  private void endWhatGoesOn() {
    CompletableFuture<?> first;
    CompletableFuture<T> second;
    synchronized (this) {
      first = starting;
      second = stage;
    }
    if (first != null) {
      Stages.cancel(first);
    }
    if (second != null) {
      Stages.cancel(second, future);
    }
  }
}

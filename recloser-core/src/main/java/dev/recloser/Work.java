package dev.recloser;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Something of a call that runs on a thread of an executor, as a future: cancelling that interrupts
 * the thread, or takes the work back if it has not begun.
 */
final class Work<R extends @Nullable Object> implements Runnable {
  private final Hop hop;
  private final CheckedSupplier<R, ?> body;
  private final Executor executor;
  private final Runnable onFree;
  private final Worker thread = new Worker();
  private final CompletableFuture<R> future = new CompletableFuture<>();

  private Work(Hop hop, CheckedSupplier<R, ?> body, Executor executor, Runnable onFree) {
    this.hop = hop;
    this.body = body;
    this.executor = executor;
    this.onFree = new Once(onFree);
  }

  /**
   * Starts work.
   *
   * @param policy whose work it is
   * @param body what to do, on the thread of the executor
   * @param onFree run once, before the future completes by itself: when no thread is in the work
   *     any more, or never will be; must not throw
   * @return failed with {@link CallNotStartedException} if the executor rejects the work
   */
  static <R extends @Nullable Object> CompletableFuture<R> start(
      Policy policy, Hop hop, CheckedSupplier<R, ?> body, Executor executor, Runnable onFree) {
    Work<R> work = new Work<>(hop, body, executor, onFree);
    var unused = work.future.whenComplete((result, thrown) -> work.ended());
    try {
      executor.execute(work);
    } catch (Throwable rejected) {
      if (work.thread.takeBack()) {
        work.onFree.run();
        work.future.completeExceptionally(new CallNotStartedException(policy.name(), rejected));
      }
    }
    return work.future;
  }

  /**
   * Waits for a future on this thread. An interrupt cancels it: the caller gets a {@code
   * CancellationException}, with its interrupt flag set.
   */
  static <T extends @Nullable Object> T await(CompletableFuture<T> future) throws Throwable {
    // Not the future's own get or join, which unwrap and wrap what the call has thrown.
    CompletableFuture<End<T>> end = future.handle(End::new);
    try {
      // Looked at first, because waiting would throw for an interrupt from before as well.
      if (!end.isDone()) {
        end.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Stages.cancel(future);
      throw cancellation(e);
    }
    return end.join().orThrow();
  }

  /** Not the interrupt itself, which the call need not have declared. */
  static CancellationException cancellation(InterruptedException interrupt) {
    CancellationException cancelled =
        new CancellationException("the caller was interrupted while it waited for the call");
    cancelled.initCause(interrupt);
    return cancelled;
  }

  /** What will not be done need not take a place in the queue of a pool. */
  static void withdraw(Runnable work, Executor executor) {
    if (executor instanceof ThreadPoolExecutor pool) {
      try {
        boolean unused = pool.remove(work);
      } catch (Throwable e) {
        // A pool of a user's own class; then it does nothing when its turn comes.
      }
    }
  }

  @Override
  public void run() {
    hop.run(this::runHere);
  }

  @SuppressWarnings("NullAway") // A result is null where R says so.
  private void runHere() {
    if (!thread.begin()) {
      return;
    }
    R result = null;
    Throwable thrown = null;
    try {
      result = body.get();
    } catch (Throwable t) {
      thrown = t;
    }
    thread.end();
    onFree.run();
    Stages.complete(future, result, thrown);
  }

  /** The future has been completed: by the work, or from outside, where that ends the work. */
  private void ended() {
    if (thread.takeBack()) {
      withdraw(this, executor);
      onFree.run();
    } else {
      thread.cancel();
    }
  }

  /** What a future has come to, as it was given to the future. */
  private record End<T extends @Nullable Object>(T result, @Nullable Throwable thrown) {
    T orThrow() throws Throwable {
      if (thrown != null) {
        throw thrown;
      }
      return result;
    }
  }

  /** The thread that is in the work. */
  static final class Worker extends ThreadScope {
    Worker() {
      super(current(), null);
    }

    @Override
    long nanosLeft() {
      return UNLIMITED;
    }

    @Override
    @Nullable TimeoutExceededException timeout(@Nullable Throwable cause) {
      return null;
    }
  }
}

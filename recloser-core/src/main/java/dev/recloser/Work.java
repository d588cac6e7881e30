package dev.recloser;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * A plain call that runs on a thread of an executor, as a future: cancelling that interrupts the
 * thread, or takes the call back if it has not begun.
 */
final class Work<T extends @Nullable Object> implements Runnable {
  private final Invocation<T> invocation;
  private final int inside;
  private final Hop hop;
  private final Executor executor;
  private final Runnable onFree;
  private final Worker thread = new Worker();
  private final CompletableFuture<T> future = new CompletableFuture<>();

  private Work(Invocation<T> invocation, int inside, Executor executor, Runnable onFree) {
    this.invocation = invocation;
    this.inside = inside;
    this.executor = executor;
    this.onFree = new Once(onFree);
    hop = invocation.hop();
  }

  /**
   * Starts a call.
   *
   * @param invocation the call's own, which goes on when its caller has long given up
   * @param onFree run once when no thread is in the call any more, or never will be; must not throw
   * @return failed with what the executor throws to reject the call
   */
  static <T extends @Nullable Object> CompletableFuture<T> start(
      Invocation<T> invocation, int inside, Executor executor, Runnable onFree) {
    Work<T> work = new Work<>(invocation, inside, executor, onFree);
    var unused = work.future.whenComplete((result, thrown) -> work.ended());
    try {
      executor.execute(work);
    } catch (Throwable rejected) {
      work.thread.cancel();
      work.future.completeExceptionally(rejected);
    }
    return work.future;
  }

  /**
   * Waits for a future on this thread. An interrupt cancels it: the caller gets a {@code
   * CancellationException}, with its interrupt flag set.
   */
  static <T extends @Nullable Object> T await(CompletableFuture<T> future) throws Throwable {
    try {
      // Looked at first, because waiting would throw for an interrupt from before as well.
      return future.isDone() ? future.join() : future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Stages.cancel(future);
      throw cancellation(e);
    } catch (ExecutionException | CompletionException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  /** Not the interrupt itself, which the call need not have declared. */
  static CancellationException cancellation(InterruptedException interrupt) {
    CancellationException cancelled =
        new CancellationException("the caller was interrupted while it waited for the call");
    cancelled.initCause(interrupt);
    return cancelled;
  }

  /** What will not be done need not take a place in the queue of a pool. */
  static void withdraw(Runnable work, ThreadScope thread, Executor executor) {
    if (!thread.isStoppedBeforeBegin() || !(executor instanceof ThreadPoolExecutor pool)) {
      return;
    }
    try {
      boolean unused = pool.remove(work);
    } catch (Throwable e) {
      // A pool of a user's own class; then it does nothing when its turn comes.
    }
  }

  @Override
  public void run() {
    hop.run(this::runHere);
  }

  @SuppressWarnings("NullAway") // A result is null where T says so.
  private void runHere() {
    if (!thread.begin()) {
      return;
    }
    T result = null;
    Throwable thrown = null;
    try {
      result = invocation.proceed(inside);
    } catch (Throwable t) {
      thrown = t;
    }
    thread.end();
    onFree.run();
    Stages.complete(future, result, thrown);
  }

  /** The future has been completed, by the call or from outside, where that ends the call. */
  private void ended() {
    thread.cancel();
    if (thread.isStoppedBeforeBegin()) {
      withdraw(this, thread, executor);
      onFree.run();
    }
  }

  /** The thread that is in the call. */
  static final class Worker extends ThreadScope {
    Worker() {
      super(null);
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

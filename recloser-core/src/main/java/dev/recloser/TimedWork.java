package dev.recloser;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A call under a timeout on a thread of an executor, while the caller waits: for its end, for the
 * timer, or to be interrupted. When it stops waiting, the call is interrupted or never begun.
 */
final class TimedWork<T extends @Nullable Object> implements Runnable {
  private final Invocation<T> caller;
  private final int inside;

  /** The work's own: it may go on with it when the caller has long been doing something else. */
  private final Invocation<T> invocation;

  private final CountDownLatch over = new CountDownLatch(1);
  private final TimedThread thread;

  // Written by the work before its end is published, and read only by a caller that has seen that.
  private @Nullable T result;
  private @Nullable Throwable thrown;

  private final Hop hop;

  TimedWork(OwnTimer limit, Invocation<T> caller, int inside) {
    this.caller = caller;
    this.inside = inside;
    hop = caller.hop();
    invocation = caller.fork();
    thread = new TimedThread(limit, Scope.current(), over);
  }

  @Override
  public void run() {
    hop.run(this::runHere);
  }

  private void runHere() {
    if (!thread.begin()) {
      return;
    }
    try {
      result = invocation.proceed(inside);
    } catch (Throwable t) {
      thrown = t;
    }
    thread.end();
  }

  /** Has it done, and waits; what comes of it is concluded by the timeout. */
  @SuppressWarnings("NullAway") // A result is null where T says so.
  T await(Executor executor) throws Throwable {
    Timeout timeout = thread.limit.timeout;
    thread.limit.startTimer(thread);
    Throwable unfinished = execute(executor);
    if (thread.isStopped()) {
      if (thread.isStoppedBeforeBegin()) {
        Work.withdraw(this, executor);
      }
      return timeout.conclude(thread, null, unfinished);
    }
    caller.answeredBy(invocation);
    return timeout.conclude(thread, result, thrown);
  }

  /** Returns why there is no result, if it is not for the timeout. */
  private @Nullable Throwable execute(Executor executor) {
    try {
      executor.execute(this);
    } catch (Throwable rejected) {
      thread.cancel();
      return new CallNotStartedException(thread.limit.timeout.name(), rejected);
    }
    try {
      // Looked at first, because waiting would throw for an interrupt from before as well.
      if (!thread.hasEnded()) {
        over.await();
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      thread.cancel();
      return Work.cancellation(e);
    }
  }
}

package dev.recloser;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A stage that is attempted until it succeeds or there is no further attempt. Holds no thread while
 * it waits. Every further attempt is begun by a timer, so that attempts cannot pile up on the
 * stack, and on an executor, so that starting one holds up no timer.
 */
final class RetriedStage<T extends @Nullable Object> {
  private final Invocation<T> invocation;
  private final int inside;
  private final Attempts attempts;
  private final RetryConfig config;
  private final Hop hop;
  private final CompletableFuture<T> future = new CompletableFuture<>();

  /**
   * Whether it has been decided, and counted, how the call ends: by the last attempt, or by
   * somebody who completes the future from outside. Whoever decides it does so alone.
   */
  private final AtomicBoolean over = new AtomicBoolean();

  // Guarded by this: what goes on now, to be ended with the future.
  private @Nullable CompletableFuture<T> running;
  private @Nullable Cancellable timer;
  private int waits;

  RetriedStage(Invocation<T> invocation, int inside, Attempts attempts, RetryConfig config) {
    this.invocation = invocation;
    this.inside = inside;
    this.attempts = attempts;
    this.config = config;
    hop = invocation.hop();
    var unused = future.whenComplete((result, thrown) -> completed());
  }

  CompletableFuture<T> start() {
    attempt();
    return future;
  }

  private void attempt() {
    CompletableFuture<T> attempt = invocation.proceedAsync(inside);
    synchronized (this) {
      running = attempt;
      timer = null;
    }
    try {
      var unused = attempt.whenComplete((result, thrown) -> hop.run(() -> ended(result, thrown)));
    } catch (Throwable thrown) {
      ended(null, thrown); // A stage of the user's own making that cannot be waited for.
    }
    if (future.isDone()) {
      endWhatGoesOn();
    }
  }

  private void again(long nanos) {
    if (!future.isDone()) {
      attempts.again(nanos);
      attempt();
    }
  }

  private void ended(@Nullable T result, @Nullable Throwable thrown) {
    if (over.get()) {
      return;
    }
    long wait = attempts.waitAfter(result, thrown);
    if (wait < 0 || !later(wait)) {
      complete(result, thrown);
    }
  }

  @SuppressWarnings("NullAway") // A result is null where T says so.
  private void complete(@Nullable T result, @Nullable Throwable thrown) {
    if (over.compareAndSet(false, true)) {
      attempts.over(thrown);
      Stages.complete(future, result, thrown);
    }
  }

  /** False if the scheduler does not take it: the last attempt stands. */
  private boolean later(long nanos) {
    // Once, whatever the scheduler does: two attempts at a time would not know of each other.
    Runnable next = new Once(() -> Once.on(config.starter(), () -> hop.run(() -> again(nanos))));
    int wait;
    synchronized (this) {
      wait = ++waits;
    }
    Cancellable scheduled;
    try {
      scheduled = config.scheduler.schedule(next, Duration.ofNanos(nanos));
    } catch (Throwable e) {
      attempts.retry().schedulerFailed(e);
      attempts.giveUp();
      return false;
    }
    synchronized (this) {
      if (waits == wait) { // It may be over by now, and even the next one begun.
        timer = scheduled;
      }
    }
    if (future.isDone()) {
      endWhatGoesOn();
    }
    return true;
  }

  /** The attempts belong to whoever is in the middle of one, so they are not asked here. */
  private void completed() {
    if (over.compareAndSet(false, true)) {
      attempts.givenUpByCaller();
      endWhatGoesOn();
    }
  }

  private void endWhatGoesOn() {
    CompletableFuture<T> attempt;
    Cancellable waiting;
    synchronized (this) {
      attempt = running;
      waiting = timer;
    }
    if (attempt != null) {
      Stages.cancel(attempt, future);
    }
    attempts.retry().cancel(waiting);
  }
}

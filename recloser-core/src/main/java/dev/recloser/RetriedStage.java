package dev.recloser;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A stage that is attempted until it succeeds or there is no further attempt. Holds no thread while
 * it waits. Every further attempt is begun by a timer, so that attempts cannot pile up on the
 * stack.
 */
final class RetriedStage<T extends @Nullable Object> {
  private final Invocation<T> invocation;
  private final int inside;
  private final Retry.Attempts attempts;
  private final Scheduler scheduler;
  private final CompletableFuture<T> future = new CompletableFuture<>();

  /** Attempts come one after the other, each handed on by the end of the one before. */
  private boolean first = true;

  // Guarded by this: what goes on now, to be ended with the future.
  private @Nullable CompletableFuture<T> running;
  private @Nullable Cancellable timer;

  RetriedStage(Invocation<T> invocation, int inside, Retry.Attempts attempts, Scheduler scheduler) {
    this.invocation = invocation;
    this.inside = inside;
    this.attempts = attempts;
    this.scheduler = scheduler;
    var unused =
        future.whenComplete(
            (result, thrown) -> {
              attempts.over();
              endWhatGoesOn();
            });
  }

  CompletableFuture<T> future() {
    return future;
  }

  void attempt() {
    if (future.isDone()) {
      return;
    }
    if (!first) {
      attempts.again();
    }
    first = false;
    CompletableFuture<T> attempt = invocation.proceedAsync(inside);
    synchronized (this) {
      running = attempt;
      timer = null;
    }
    try {
      var unused = attempt.whenComplete(this::ended);
    } catch (Throwable thrown) {
      ended(null, thrown); // A stage of the user's own making that cannot be waited for.
    }
    if (future.isDone()) {
      endWhatGoesOn();
    }
  }

  private void ended(@Nullable T result, @Nullable Throwable thrown) {
    if (future.isDone()) {
      return;
    }
    try {
      long wait = attempts.waitAfter(result, thrown);
      if (wait >= 0) {
        later(wait);
        return;
      }
    } catch (Throwable e) {
      // The scheduler does not take it: the last attempt stands.
    }
    complete(result, thrown);
  }

  @SuppressWarnings("NullAway") // A result is null where T says so.
  private void complete(@Nullable T result, @Nullable Throwable thrown) {
    Stages.complete(future, result, thrown);
  }

  private void later(long nanos) {
    Cancellable scheduled = scheduler.schedule(this::attempt, Duration.ofNanos(nanos));
    synchronized (this) {
      timer = scheduled;
    }
    if (future.isDone()) {
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
      Stages.cancel(attempt);
    }
    if (waiting != null) {
      waiting.cancel();
    }
  }
}

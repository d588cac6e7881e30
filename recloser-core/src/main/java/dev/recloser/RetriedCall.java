package dev.recloser;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A call that is made by hand under a {@link Retry}, attempt by attempt: for an interceptor of a
 * client, which cannot hand its call over as a function.
 *
 * <pre>{@code
 * Retry retry = Retry.create("inventory", config -> config.maxAttempts(3));
 * RetriedCall call = retry.begin();
 * Response response = client.send(sku);
 * for (var due = call.ended(response, null); due.isPresent(); due = call.ended(response, null)) {
 *   due.get().get(); // Waits; what is asynchronous goes on with thenRunAsync.
 *   response = client.send(sku);
 * }
 * }</pre>
 *
 * <p>How often, after what waits, and within which limits, is decided by the settings of the retry,
 * and counted there, as for any call. What the thread has that makes the call is not moved to
 * others, as a retry that makes the calls itself would.
 *
 * <p>Attempts come one after the other, from whichever threads; giving up is safe at any time.
 */
public final class RetriedCall {
  private final Attempts attempts;
  private final RetryConfig config;
  private final @Nullable Scope scope;

  /** Whether the end of the call has been counted. */
  private final AtomicBoolean over = new AtomicBoolean();

  RetriedCall(Attempts attempts, RetryConfig config, @Nullable Scope scope) {
    this.attempts = attempts;
    this.config = config;
    this.scope = scope;
  }

  /**
   * Says how an attempt ended, and asks whether there is to be another.
   *
   * @param result what it returned; ignored if it threw
   * @param thrown what it threw; null if it returned. If it is the last one it has the {@link
   *     RetryTrail} and, as suppressed ones, what attempts before it threw
   * @return completes, on the thread of the scheduler, when it is time for another attempt, which
   *     then must be made; cancelling it gives the call up. Empty when this attempt was the last
   */
  public Optional<CompletableFuture<@Nullable Void>> ended(
      @Nullable Object result, @Nullable Throwable thrown) {
    if (over.get()) {
      return Optional.empty();
    }
    long wait = attempts.waitAfter(thrown == null ? result : null, thrown);
    if (wait != Attempts.NO_MORE && !isEndedFromOutside()) {
      CompletableFuture<@Nullable Void> due = after(wait);
      if (due != null) {
        return Optional.of(due);
      }
    }
    if (over.compareAndSet(false, true)) {
      attempts.over(thrown);
    }
    return Optional.empty();
  }

  /** Says that the caller has given the call up: there will be no further attempt. */
  public void giveUp() {
    if (over.compareAndSet(false, true)) {
      attempts.givenUpByCaller();
    }
  }

  /**
   * A call may hide that a timeout around it has ended it; there is no time for another attempt.
   */
  private boolean isEndedFromOutside() {
    boolean isEnded = Scope.isEnded(scope);
    if (isEnded) {
      attempts.giveUp();
    }
    return isEnded;
  }

  /** Null if the scheduler does not take it: the last attempt stands. */
  private @Nullable CompletableFuture<@Nullable Void> after(long nanos) {
    CompletableFuture<@Nullable Void> due = new CompletableFuture<>();
    Runnable next =
        new Once(
            () -> {
              if (!due.isDone()) {
                attempts.again(nanos); // Before another thread goes on with the attempts.
                due.complete(null);
              }
            });
    Cancellable timer;
    try {
      timer = config.scheduler.schedule(next, Duration.ofNanos(nanos));
    } catch (Throwable e) {
      attempts.retry().schedulerFailed(e);
      attempts.giveUp();
      return null;
    }
    var unused =
        due.whenComplete(
            (nothing, cancelled) -> {
              if (cancelled != null) {
                attempts.retry().cancel(timer);
                giveUp();
              }
            });
    return due;
  }
}

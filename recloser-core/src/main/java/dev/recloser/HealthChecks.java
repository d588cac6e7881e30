package dev.recloser;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Fills the probe slots of a half-open breaker with the user's health check. */
final class HealthChecks {
  private HealthChecks() {}

  /** Runs one check after the other, unless one is running, until the breaker has decided. */
  static void run(HalfOpenState state, Supplier<? extends CompletionStage<?>> check) {
    // A loop as long as checks are done when they return, so that no number of them can exhaust the
    // stack; the first that is not goes on from its own completion.
    for (; ; ) {
      Permit permit = state.admitCheck(state.breaker.ticker().nanoTime());
      if (permit == null) {
        return;
      }
      state.breaker.counters().admitted();
      CompletableFuture<?> running = start(check);
      if (!running.isDone()) {
        var unused =
            running.whenComplete(
                (result, thrown) -> {
                  report(permit, result, thrown);
                  run(state, check);
                });
        return;
      }
      var unused = running.whenComplete((result, thrown) -> report(permit, result, thrown));
    }
  }

  private static CompletableFuture<?> start(Supplier<? extends CompletionStage<?>> check) {
    try {
      return Objects.requireNonNull(check.get(), "healthCheck returned null instead of a stage")
          .toCompletableFuture();
    } catch (Throwable thrown) {
      return CompletableFuture.failedFuture(thrown);
    }
  }

  /** A check that says nothing about the dependency has not shown that it is healthy. */
  private static void report(Permit permit, @Nullable Object result, @Nullable Throwable thrown) {
    Outcome outcome = permit.issuer.breaker.classify(result, thrown);
    if (outcome == Outcome.SUCCESS) {
      permit.complete(result);
    } else if (thrown == null || outcome != Outcome.FAILURE) {
      permit.record(Outcome.FAILURE);
    } else {
      permit.fail(thrown);
    }
  }
}

package dev.recloser;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Fills the probe slots of a half-open breaker with the user's health check. */
final class HealthChecks {
  private HealthChecks() {}

  /** Runs one check after the other, unless one is running, until the breaker has decided. */
  static void run(HalfOpenState state, Supplier<? extends CompletionStage<?>> check) {
    boolean done = true;
    while (done) {
      BreakerPermit permit = state.admitCheck(state.breaker.ticker().nanoTime());
      if (permit == null) {
        return;
      }
      state.breaker.counters().admitted(1);
      done = isDoneAtOnce(permit, state, check);
    }
  }

  /**
   * Starts one check. If it is done by then, the caller goes on to the next in a loop, so that no
   * number of such checks can exhaust the stack; if not, its own completion goes on. Whichever of
   * the two sets the flag second knows that the other has gone first.
   */
  private static boolean isDoneAtOnce(
      BreakerPermit permit, HalfOpenState state, Supplier<? extends CompletionStage<?>> check) {
    AtomicBoolean first = new AtomicBoolean();
    try {
      var unused =
          start(check)
              .whenComplete(
                  (result, thrown) -> {
                    permit.completeCheck(result, thrown);
                    if (!first.compareAndSet(false, true)) {
                      run(state, check);
                    }
                  });
    } catch (Throwable thrown) {
      permit.completeCheck(null, thrown);
      return true;
    }
    return !first.compareAndSet(false, true);
  }

  private static CompletionStage<?> start(Supplier<? extends CompletionStage<?>> check) {
    try {
      return Objects.requireNonNull(check.get(), "healthCheck returned null instead of a stage");
    } catch (Throwable thrown) {
      return CompletableFuture.failedFuture(thrown);
    }
  }
}

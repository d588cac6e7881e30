package dev.recloser;

import dev.recloser.CircuitBreaker.State;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A state that only an operator sets, and that ends when the operator says or its time runs out.
 */
abstract sealed class OperatorState extends BreakerState
    permits ForcedOpenState, DisabledState, MetricsOnlyState {
  private final @Nullable Long expiryNanos;

  OperatorState(Departure from, State to, @Nullable Duration expiry) {
    super(from, to, expiry, /* openings= */ 0);
    expiryNanos = expiry == null ? null : (Long) expiry.toNanos();
  }

  @Override
  boolean isTimed() {
    return expiryNanos != null;
  }

  @Override
  boolean timesResults() {
    return expiryNanos != null;
  }

  @Override
  final @Nullable BreakerState due(long now) {
    return expired(now);
  }

  @Override
  final @Nullable BreakerState expired(long now) {
    if (expiryNanos == null || now - enteredAt < expiryNanos) {
      return null;
    }
    long end = enteredAt + expiryNanos;
    String reason = "the " + Text.ofNanos(expiryNanos) + " set for " + kind() + " are over";
    return ClosedState.fresh(departure(end, TransitionCause.WAIT_ELAPSED, reason, conclude(now)));
  }

  /** A call that ends after the time has run out is late, timer or not. */
  @Override
  final Settlement settle(BreakerPermit permit, Result result) {
    BreakerState successor = result.timed() ? expired(result.now()) : null;
    return successor == null ? take(permit, result) : new Settlement(/* late= */ true, successor);
  }

  /** Takes the end of a call while the time has not run out. */
  abstract Settlement take(BreakerPermit permit, Result result);

  @Override
  @Nullable Long alarmAt(long now) {
    return expiryNanos == null ? null : (Long) (enteredAt + expiryNanos);
  }

  @Override
  final @Nullable Duration remaining(long now) {
    return expiryNanos == null
        ? null
        : Duration.ofNanos(Math.max(0, expiryNanos - (now - enteredAt)));
  }

  /** Not if it runs out: whoever sets it without a time wants it to stay. */
  @Override
  boolean isLasting(State target) {
    return super.isLasting(target) && expiryNanos == null;
  }

  @Override
  final long certainUntil(long now) {
    return expiryNanos == null || now - enteredAt < expiryNanos ? now : enteredAt + expiryNanos;
  }

  @Override
  Findings findings(long now) {
    return Findings.none(breaker.config());
  }
}

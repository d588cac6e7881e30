package dev.recloser;

import dev.recloser.CircuitBreaker.State;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Admits every call, judges them like a closed breaker, and only says when it would have opened.
 */
final class MetricsOnlyState extends OperatorState {
  private final Evidence evidence;

  MetricsOnlyState(Departure from, @Nullable Duration expiry) {
    super(from, State.METRICS_ONLY, expiry);
    evidence = new Evidence(breaker, from.at(), /* observing= */ true);
  }

  @Override
  State kind() {
    return State.METRICS_ONLY;
  }

  @Override
  boolean isTimed() {
    return super.isTimed() || breaker.config().slowCallNanos > 0;
  }

  @Override
  boolean timesResults() {
    CircuitBreakerConfig config = breaker.config();
    return super.timesResults() || config.timeBased || config.slowCallNanos > 0;
  }

  @Override
  BreakerPermit admit(long now, boolean timed) {
    if (timed && !evidence.isQuiet(now) && breaker.config().countInFlight) {
      tell(evidence.check(now));
    }
    return evidence.admit(this, now, timed);
  }

  /** Not if its time may have run out. */
  @Override
  boolean succeed(CircuitBreakerConfig config, int slot, boolean timed, long now, long nanos) {
    return !super.isTimed() && evidence.succeed(config, slot, timed, now, nanos);
  }

  @Override
  double admittedPercentage(long now) {
    return 100;
  }

  @Override
  RefusalReason refusal() {
    throw new AssertionError("a breaker that is METRICS_ONLY has refused a call");
  }

  @Override
  Settlement take(BreakerPermit permit, Result result) {
    Verdict verdict = evidence.end(permit, result);
    evidence.tellFault();
    if (verdict.late()) {
      return Settlement.LATE;
    }
    tell(verdict);
    return Settlement.COUNTED;
  }

  @Override
  Evidence evidence() {
    return evidence;
  }

  @Override
  Findings findings(long now) {
    return evidence.findings(now);
  }

  @Override
  @Nullable Long alarmAt(long now) {
    Long expiry = super.alarmAt(now);
    Long overdue = breaker.config().countInFlight ? evidence.nextOverdueAt(now) : null;
    if (expiry == null || overdue == null) {
      return expiry == null ? overdue : expiry;
    }
    return overdue - expiry < 0 ? overdue : expiry;
  }

  @Override
  void onAlarm(long now) {
    tell(evidence.check(now));
  }

  @Override
  void reconfigured(long now) {
    evidence.reconfigured(now);
  }

  private void tell(Verdict verdict) {
    if (verdict.cause() != null && verdict.findings() != null) {
      breaker.wouldHaveOpened(verdict.cause(), verdict.findings());
    }
  }
}

package dev.recloser;

import dev.recloser.CircuitBreaker.State;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Admits calls, during a ramp-up a share of them, until a rate reaches its threshold. */
final class ClosedState extends BreakerState {
  private final Evidence evidence;
  private final RampUp rampUp;

  /** The first state of a breaker. */
  ClosedState(CircuitBreaker breaker, long now) {
    super(breaker, now);
    evidence = new Evidence(breaker, now, /* observing= */ false);
    rampUp = RampUp.NONE;
  }

  private ClosedState(Departure from, int openings, RampUp rampUp) {
    super(from, State.CLOSED, null, openings);
    evidence = new Evidence(breaker, from.at(), /* observing= */ false);
    this.rampUp = rampUp;
  }

  /** Closes after the probes have succeeded: gently, and with the openings not forgotten yet. */
  static ClosedState recovered(Departure from, int openings) {
    CircuitBreakerConfig config = from.state().breaker.config();
    return new ClosedState(from, openings, RampUp.of(config, from.at()));
  }

  /** Closes because somebody said so. */
  static ClosedState fresh(Departure from) {
    return new ClosedState(from, 0, RampUp.NONE);
  }

  @Override
  State kind() {
    return State.CLOSED;
  }

  @Override
  boolean isTimed() {
    return breaker.config().slowCallNanos > 0 || rampUp.isRunning();
  }

  @Override
  boolean timesResults() {
    CircuitBreakerConfig config = breaker.config();
    return config.timeBased || config.slowCallNanos > 0;
  }

  /** Only where nobody has looked since it may have come to be so. */
  @Override
  @Nullable BreakerState due(long now) {
    return evidence.isQuiet(now) ? null : dueByTimer(now);
  }

  @Override
  @Nullable BreakerState dueByTimer(long now) {
    return breaker.config().countInFlight ? successor(evidence.check(now)) : null;
  }

  @Override
  @Nullable BreakerPermit admit(long now, boolean timed) {
    return rampUp.admits(now) ? evidence.admit(this, now, timed) : null;
  }

  /** Not while it admits a share of the calls only, nor when there is something to do first. */
  @Override
  int begin(CircuitBreakerConfig config, long startedAt) {
    boolean timed = config.slowCallNanos > 0;
    if ((rampUp != RampUp.NONE && rampUp.isRunning()) || (timed && !evidence.isQuiet(startedAt))) {
      return Stripes.NONE;
    }
    int slot = evidence.begin(config, startedAt);
    if (config.countInFlight && slot != Stripes.NONE) {
      alarm.setInTime(startedAt + config.slowCallNanos + 1, startedAt);
    }
    return slot;
  }

  @Override
  boolean succeed(CircuitBreakerConfig config, int slot, boolean timed, long now, long nanos) {
    return evidence.succeed(config, slot, timed, now, nanos);
  }

  @Override
  RefusalReason refusal() {
    return RefusalReason.RAMP_UP;
  }

  @Override
  Settlement settle(BreakerPermit permit, Result result) {
    Verdict verdict = evidence.end(permit, result);
    evidence.tellFault();
    if (verdict.late()) {
      // Whoever reached the verdict may have died on its way to the swap.
      Verdict decision = breaker.isIn(this) ? evidence.decision() : null;
      return decision == null
          ? Settlement.LATE
          : new Settlement(/* late= */ true, successor(decision));
    }
    BreakerState successor = successor(verdict);
    return successor == null ? Settlement.COUNTED : new Settlement(false, successor);
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
    return breaker.config().countInFlight ? evidence.nextOverdueAt(now) : null;
  }

  @Override
  @Nullable Duration remaining(long now) {
    return null;
  }

  long rampUpNanosLeft(long now) {
    return rampUp.nanosLeft(now);
  }

  long lastUse() {
    return evidence.lastUse();
  }

  /** Forgotten once it has been closed for the base wait. */
  @Override
  int openings(long now) {
    return now - enteredAt >= breaker.config().waitNanos ? 0 : openings;
  }

  @Override
  void reconfigured(long now) {
    evidence.reconfigured(now);
  }

  @Override
  double admittedPercentage(long now) {
    return rampUp.percentage(now);
  }

  private @Nullable BreakerState successor(Verdict verdict) {
    if (verdict.cause() == null || verdict.findings() == null) {
      return null;
    }
    CircuitBreakerConfig config = breaker.config();
    String reason = Reasons.opening(verdict.cause(), verdict.findings(), config);
    return OpenState.entered(
        departure(verdict.at(), verdict.cause(), reason, verdict.findings()),
        openings(verdict.at()) + 1);
  }
}

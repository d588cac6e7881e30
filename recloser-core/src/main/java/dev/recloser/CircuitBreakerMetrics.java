package dev.recloser;

import java.time.Duration;
import java.util.Map;

/**
 * Everything a breaker has counted since it was made, in every state. No number ever goes down, and
 * neither a transition nor a reset nor a new configuration starts one anew.
 *
 * @param admitted calls let through
 * @param succeeded admitted calls that ended as {@link Outcome#SUCCESS}, late ones included
 * @param failed admitted calls that ended as {@link Outcome#FAILURE}, late ones included
 * @param ignored admitted calls that ended as {@link Outcome#IGNORED}
 * @param cancelled admitted calls that ended as {@link Outcome#CANCELLED}
 * @param slow those of {@code succeeded} and {@code failed} that were slow
 * @param late ended calls, however they ended, that moved nothing because the state that admitted
 *     them had passed, or because their lease had run out
 * @param refused calls turned away, by reason
 * @param probes ended probes by outcome, late ones included
 * @param expiredProbes probes that did not report within their lease, and so counted as failed
 * @param wouldHaveOpened how often the breaker would have opened while {@code METRICS_ONLY}
 * @param transitions transitions by kind; kinds that never happened are left out
 * @param timeInState the time spent in each state, the present one included
 */
public record CircuitBreakerMetrics(
    long admitted,
    long succeeded,
    long failed,
    long ignored,
    long cancelled,
    long slow,
    long late,
    Map<RefusalReason, Long> refused,
    Map<Outcome, Long> probes,
    long expiredProbes,
    long wouldHaveOpened,
    Map<TransitionKind, Long> transitions,
    Map<CircuitBreaker.State, Duration> timeInState) {

  /** Admitted calls that have not ended yet. */
  public long callsInFlight() {
    return admitted - succeeded - failed - ignored - cancelled;
  }

  /** All calls turned away, for whatever reason. */
  public long totalRefused() {
    return refused.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * A kind of transition.
   *
   * @param from the state left
   * @param to the state entered
   * @param cause what moved it
   */
  public record TransitionKind(
      CircuitBreaker.State from, CircuitBreaker.State to, TransitionCause cause) {}
}

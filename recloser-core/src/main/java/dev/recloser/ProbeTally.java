package dev.recloser;

import java.time.Duration;

/**
 * What the probes of one half-open state have reported, and whether that is a verdict. Not
 * thread-safe: the state guards it.
 */
final class ProbeTally {
  private final int slots;
  private final FailureNotes failures = new FailureNotes();
  private int reported;
  private int failed;
  private int slow;
  private int slowFailed;
  private int expired;
  private long slowestNanos = -1;

  ProbeTally(int slots) {
    this.slots = slots;
  }

  int slots() {
    return slots;
  }

  /** Probes that counted as failed because they did not report. */
  int expired() {
    return expired;
  }

  void add(Result result) {
    reported++;
    slow += result.slow() ? 1 : 0;
    slowestNanos = Math.max(slowestNanos, result.durationNanos());
    if (result.outcome() == Outcome.FAILURE) {
      failed++;
      slowFailed += result.slow() ? 1 : 0;
      failures.add(result);
    }
  }

  void addExpired(long leaseNanos) {
    expired++;
    reported++;
    failed++;
    slow++;
    slowFailed++;
    slowestNanos = Math.max(slowestNanos, leaseNanos);
    failures.add(new FailureSample("no report", null, Duration.ofNanos(leaseNanos)));
  }

  /** Whether the verdict is against the dependency, whatever the other slots bring. */
  boolean hasFailed(CircuitBreakerConfig config) {
    return config.halfOpenByAllSucceed()
        ? failed + slow > 0
        : config.failureRate.isReachedBy(failed, slots)
            || config.slowCallRate.isReachedBy(slow, slots);
  }

  /** Whether the verdict is for the dependency, even if every other slot fails and is slow. */
  boolean hasSucceeded(CircuitBreakerConfig config) {
    int open = slots - reported;
    return config.halfOpenByAllSucceed()
        ? open == 0
        : !config.failureRate.isReachedBy(failed + open, slots)
            && !config.slowCallRate.isReachedBy(slow + open, slots);
  }

  Findings findings(CircuitBreakerConfig config, long now) {
    WindowSnapshot probes =
        new WindowSnapshot(
            reported,
            failed,
            slow,
            slowFailed,
            /* slowInFlight= */ 0,
            slots,
            config.failureRateThreshold(),
            config.slowCallRateThreshold());
    Duration slowest = slowestNanos < 0 ? null : Duration.ofNanos(slowestNanos);
    return new Findings(probes, failures.samples(), slowest, failures.retryAfterNanos(now));
  }
}

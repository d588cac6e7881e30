package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;

/** A breaker that takes an answer after half a minute for a good one. */
final class SlowCallsNotCounted extends BreakerCheck {
  SlowCallsNotCounted() {
    super(
        "slow-calls-not-counted",
        Severity.WARNING,
        "Neither a slow limit nor a timeout is given, so a dependency that is only slow looks"
            + " healthy.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    CircuitBreakerConfig config = breaker.config();
    boolean counted =
        breaker.gives("slowCallDurationThreshold") && !config.slowCallDurationThreshold().isZero();
    if (!counted && !guard.has(PolicyKind.TIMEOUT)) {
      findings.add(
          this,
          breaker,
          "slowCallDurationThreshold",
          "a dependency that answers after half a minute looks healthy while its callers run out"
              + " of workers",
          "no limit for slow calls is written, and no timeout that would make failures of them",
          "write a slowCallDurationThreshold between the p99 and the timeout, with a"
              + " slowCallRateThreshold, and a timeout");
    }
  }
}

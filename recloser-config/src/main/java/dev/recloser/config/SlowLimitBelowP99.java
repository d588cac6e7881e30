package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;
import java.time.Duration;

/** A limit that healthy calls pass. */
final class SlowLimitBelowP99 extends BreakerCheck {
  SlowLimitBelowP99() {
    super(
        "slow-limit-below-p99",
        Severity.WARNING,
        "slowCallDurationThreshold is not above the usual p99, so healthy calls count as slow.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    Duration p99 = workload.p99();
    Duration limit = breaker.config().slowCallDurationThreshold();
    if (p99 != null && !limit.isZero() && limit.compareTo(p99) <= 0) {
      findings.add(
          this,
          breaker,
          "slowCallDurationThreshold",
          "more than one healthy call in a hundred counts as slow, with a limit of "
              + Told.time(limit),
          "the usual p99 is " + Told.time(p99),
          "write a limit comfortably above the p99 and below the timeout");
    }
  }
}

package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;

/** A breaker that opens on a usual day. */
final class ThresholdBelowErrorRate extends BreakerCheck {
  ThresholdBelowErrorRate() {
    super(
        "threshold-below-error-rate",
        Severity.ERROR,
        "failureRateThreshold is not above the usual error rate, so the breaker opens on a usual"
            + " day.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    Double usual = workload.errorRate();
    double threshold = breaker.config().failureRateThreshold();
    if (usual != null && threshold <= usual) {
      findings.add(
          this,
          breaker,
          "failureRateThreshold",
          "the breaker opens on a usual day, at %s of failures".formatted(Told.percent(threshold)),
          "%s of the calls fail then".formatted(Told.percent(usual)),
          "write a threshold well above the usual error rate");
    }
  }
}

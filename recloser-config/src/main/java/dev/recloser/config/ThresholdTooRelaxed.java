package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;

/** A breaker that waits for more failures than anybody has time for. */
final class ThresholdTooRelaxed extends BreakerCheck {
  private static final double HIGH = 90;
  private static final int MANY = 100;

  ThresholdTooRelaxed() {
    super(
        "threshold-too-relaxed",
        Severity.WARNING,
        "failureRateThreshold is 90 or more, over 100 calls or more.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    CircuitBreakerConfig config = breaker.config();
    if (config.failureRateThreshold() >= HIGH && config.minimumNumberOfCalls() >= MANY) {
      findings.add(
          this,
          breaker,
          "failureRateThreshold",
          "the breaker opens when the damage is done",
          "%s of at least %s calls have to fail first"
              .formatted(
                  Told.percent(config.failureRateThreshold()), config.minimumNumberOfCalls()),
          "write a threshold of about 50, or a smaller minimumNumberOfCalls; lint with"
              + " --calls-per-second and --pool says which comes first");
    }
  }
}

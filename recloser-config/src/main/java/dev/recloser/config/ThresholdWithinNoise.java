package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;

/**
 * A breaker that bad luck opens. The number of failures among n calls that fail with probability p
 * has the standard deviation {@code sqrt(n p (1 - p))}; three of them off the mean is more than
 * once in a thousand windows.
 */
final class ThresholdWithinNoise extends BreakerCheck {
  private static final int DEVIATIONS = 3;

  ThresholdWithinNoise() {
    super(
        "threshold-within-noise",
        Severity.WARNING,
        "failureRateThreshold is within three standard deviations of the usual error rate among"
            + " minimumNumberOfCalls.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    Double usual = workload.errorRate();
    double threshold = breaker.config().failureRateThreshold();
    if (usual == null || threshold <= usual) {
      return;
    }
    int calls = breaker.config().minimumNumberOfCalls();
    double share = usual / 100;
    double noise = DEVIATIONS * 100 * Math.sqrt(share * (1 - share) / calls);
    if (threshold < usual + noise) {
      findings.add(
          this,
          breaker,
          "failureRateThreshold",
          "bad luck opens the breaker: of %s calls, %s fail now and then"
              .formatted(calls, Told.percent(threshold)),
          "%s of all calls fail on a usual day, and that is %s plus or minus %s of %s"
              .formatted(Told.percent(usual), Told.percent(usual), Told.percent(noise), calls),
          "write a higher failureRateThreshold, or a larger minimumNumberOfCalls");
    }
  }
}

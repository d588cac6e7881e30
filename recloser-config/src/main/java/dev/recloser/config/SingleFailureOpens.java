package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;

/** A breaker that one failed call opens. */
final class SingleFailureOpens extends BreakerCheck {
  SingleFailureOpens() {
    super(
        "single-failure-opens",
        Severity.WARNING,
        "minimumNumberOfCalls and failureRateThreshold let one failure open the breaker.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    CircuitBreakerConfig config = breaker.config();
    int minimum = config.minimumNumberOfCalls();
    double threshold = config.failureRateThreshold();
    if (minimum * threshold <= 100) {
      findings.add(
          this,
          breaker,
          "minimumNumberOfCalls",
          "one failed call opens the breaker",
          "1 of %s calls is %s already".formatted(minimum, Told.percent(threshold)),
          "write a minimumNumberOfCalls of at least 10, within the window");
    }
  }
}

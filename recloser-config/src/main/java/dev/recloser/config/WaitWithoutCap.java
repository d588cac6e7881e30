package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;

/** A wait that grows, and nobody has said how far. */
final class WaitWithoutCap extends BreakerCheck {
  private static final String CAP = "exponentialMaxWaitDurationInOpenState";

  WaitWithoutCap() {
    super(
        "wait-without-cap",
        Severity.WARNING,
        "The wait in the open state grows, and exponentialMaxWaitDurationInOpenState is not"
            + " given.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    CircuitBreakerConfig config = breaker.config();
    if (config.exponentialBackoffMultiplier() > 1 && !breaker.gives(CAP)) {
      findings.add(
          this,
          breaker,
          "exponentialBackoffMultiplier",
          "a dependency that has recovered may be waited for for "
              + Told.time(config.exponentialMaxWaitDurationInOpenState()),
          "without a longest wait it is ten times the base wait here, and without end in"
              + " Resilience4j",
          "write " + CAP);
    }
  }
}

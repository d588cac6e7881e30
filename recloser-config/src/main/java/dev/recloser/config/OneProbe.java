package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;

/** A verdict by a single call. */
final class OneProbe extends BreakerCheck {
  private static final String PROBES = "permittedNumberOfCallsInHalfOpenState";

  OneProbe() {
    super("one-probe", Severity.WARNING, PROBES + " is 1.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    if (breaker.config().permittedNumberOfCallsInHalfOpenState() == 1) {
      findings.add(
          this,
          breaker,
          PROBES,
          "one lucky call closes the breaker, one unlucky call opens it for another full wait",
          "a single answer says little about a dependency that is coming back",
          "write " + PROBES + ": 2 to 5");
    }
  }
}

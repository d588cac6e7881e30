package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;

/** A probe that is stricter than the steady state. */
final class TooManyProbes extends BreakerCheck {
  private static final String PROBES = "permittedNumberOfCallsInHalfOpenState";

  TooManyProbes() {
    super("too-many-probes", Severity.WARNING, PROBES + " is larger than minimumNumberOfCalls.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    int probes = breaker.config().permittedNumberOfCallsInHalfOpenState();
    int minimum = breaker.config().minimumNumberOfCalls();
    if (probes > minimum) {
      findings.add(
          this,
          breaker,
          PROBES,
          "%s calls go to a dependency that is not known to be well".formatted(probes),
          "the closed breaker believes a rate after %s calls already".formatted(minimum),
          "write fewer probes than minimumNumberOfCalls, 2 to 5 for most");
    }
  }
}

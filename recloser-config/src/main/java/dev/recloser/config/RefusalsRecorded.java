package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;

/** A breaker that blames the dependency for calls that were never made. */
final class RefusalsRecorded extends BreakerCheck {
  RefusalsRecorded() {
    super(
        "refusals-recorded",
        Severity.ERROR,
        "recordExceptions has a refusal, so that one open breaker opens the next.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    for (String name : breaker.config().recordExceptions()) {
      if (Refusals.isOurs(name) || Refusals.isTheirs(name)) {
        findings.add(
            this,
            breaker,
            "recordExceptions",
            "refusals count as failures of the dependency, and an open breaker feeds itself or the"
                + " next",
            name + " says that a call was not made, so it says nothing about the dependency",
            "leave it out; refusals are ignored by default");
      }
    }
  }
}

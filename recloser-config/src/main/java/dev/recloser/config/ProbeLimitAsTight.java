package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;
import java.time.Duration;

/** A probe that a warming dependency cannot pass. */
final class ProbeLimitAsTight extends BreakerCheck {
  ProbeLimitAsTight() {
    super(
        "probe-limit-as-tight",
        Severity.NOTE,
        "Probes have no more time than steady calls before they are slow.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    CircuitBreakerConfig config = breaker.config();
    Duration limit = config.slowCallDurationThreshold();
    boolean isMeant = breaker.gives("slowCallDurationThreshold") && !limit.isZero();
    if (isMeant && config.probeSlowCallDurationThreshold().compareTo(limit) <= 0) {
      findings.add(
          this,
          breaker,
          "probeSlowCallDurationThreshold",
          "a dependency that has recovered and is still warming up may not pass its probes",
          "they are slow after %s, as calls on a usual day are"
              .formatted(Told.time(config.probeSlowCallDurationThreshold())),
          "write a probeSlowCallDurationThreshold of two or three times that");
    }
  }
}

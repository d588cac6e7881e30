package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.TimeoutConfig;
import dev.recloser.config.Finding.Severity;
import java.time.Duration;

/** Probes that are given up while their calls may still succeed. */
final class ProbeLeaseBelowTimeout extends BreakerCheck {
  ProbeLeaseBelowTimeout() {
    super(
        "probe-lease-below-timeout",
        Severity.WARNING,
        "maxProbeDuration is shorter than the timeout, so a probe counts as failed while its call"
            + " goes on.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    Subject<TimeoutConfig> timeout = guard.first(PolicyKind.TIMEOUT);
    Duration lease = breaker.config().maxProbeDuration();
    if (timeout != null && lease.compareTo(timeout.config().timeoutDuration()) < 0) {
      findings.add(
          this,
          breaker,
          "maxProbeDuration",
          "a probe that takes longer than %s counts as failed, though its call may still succeed"
              .formatted(Told.time(lease)),
          "the timeout lets it go on for " + Told.time(timeout.config().timeoutDuration()),
          "write a maxProbeDuration above the timeout; it is waitDurationInOpenState if not set");
    }
  }
}

package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.TimeoutConfig;
import dev.recloser.config.Finding.Severity;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A probe that a warming dependency cannot pass. */
final class ProbeLimitAsTight extends BreakerCheck {
  private static final int MOST_TIMES = 3;

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
    Duration probes = config.probeSlowCallDurationThreshold();
    Duration timeout = timeout(guard);
    boolean isInForce = isMeant && (timeout == null || limit.compareTo(timeout) < 0);
    if (isInForce && probes.compareTo(limit) <= 0) {
      findings.add(
          this,
          breaker,
          "probeSlowCallDurationThreshold",
          "a dependency that has recovered and is still warming up may not pass its probes",
          "they are slow after %s, as calls on a usual day are".formatted(Told.time(probes)),
          "write a probeSlowCallDurationThreshold " + advice(probes, timeout));
    }
  }

  /** One that is not below the timeout would let every probe pass. */
  private static String advice(Duration probes, @Nullable Duration timeout) {
    return timeout != null && probes.multipliedBy(MOST_TIMES).compareTo(timeout) >= 0
        ? "between that and the timeout of " + Told.time(timeout)
        : "of two or three times that";
  }

  private static @Nullable Duration timeout(Guard guard) {
    Subject<TimeoutConfig> timeout = guard.first(PolicyKind.TIMEOUT);
    return timeout == null ? null : timeout.config().timeoutDuration();
  }
}

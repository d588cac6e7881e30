package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;

/** A slow limit whose rate is as good as never reached. */
final class SlowRateOfAll extends BreakerCheck {
  SlowRateOfAll() {
    super(
        "slow-rate-of-all",
        Severity.WARNING,
        "slowCallDurationThreshold is given, but slowCallRateThreshold is 100, so one fast call"
            + " keeps the breaker closed.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    CircuitBreakerConfig config = breaker.config();
    boolean isMeant =
        breaker.gives("slowCallDurationThreshold") && !config.slowCallDurationThreshold().isZero();
    if (isMeant && config.slowCallRateThreshold() == 100) {
      findings.add(
          this,
          breaker,
          "slowCallRateThreshold",
          "slow calls open the breaker only if all calls in the window are slow",
          "the slowCallRateThreshold is 100 %, and one fast call keeps the rate below it",
          "write a slowCallRateThreshold of 50 to 80");
    }
  }
}

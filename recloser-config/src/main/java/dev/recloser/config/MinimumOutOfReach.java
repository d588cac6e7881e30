package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.SlidingWindowType;
import dev.recloser.config.Finding.Severity;
import java.time.Duration;

/** A time window in which there are never as many calls as it takes to believe a rate. */
final class MinimumOutOfReach extends BreakerCheck {
  MinimumOutOfReach() {
    super(
        "minimum-out-of-reach",
        Severity.ERROR,
        "A time window never holds minimumNumberOfCalls at this traffic, so nothing opens the"
            + " breaker.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    CircuitBreakerConfig config = breaker.config();
    Double rate = workload.callsPerSecond();
    if (rate == null || config.slidingWindowType() != SlidingWindowType.TIME_BASED) {
      return;
    }
    Duration window = config.slidingWindowDuration();
    double calls = Workload.callsIn(window, rate);
    int minimum = config.minimumNumberOfCalls();
    if (calls < minimum) {
      findings.add(
          this,
          breaker,
          "minimumNumberOfCalls",
          "the breaker never opens: its window of %s holds about %s calls, and no rate is believed below %s"
              .formatted(Told.time(window), Told.number(calls), minimum),
          "calls come in at %s a second".formatted(Told.number(rate)),
          "write a minimumNumberOfCalls of at most half of what the window holds, or a"
              + " slidingWindowSize of at least "
              + Told.time(2 * minimum / rate));
    }
  }
}

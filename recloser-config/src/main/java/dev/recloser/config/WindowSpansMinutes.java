package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.SlidingWindowType;
import dev.recloser.config.Finding.Severity;

/** A count window that remembers too long at low traffic. */
final class WindowSpansMinutes extends BreakerCheck {
  private static final double LONGEST_SECONDS = 120;

  WindowSpansMinutes() {
    super(
        "window-spans-minutes",
        Severity.WARNING,
        "A count window holds minutes of calls at this traffic (more than 2).");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    CircuitBreakerConfig config = breaker.config();
    Double rate = workload.callsPerSecond();
    if (rate == null || config.slidingWindowType() != SlidingWindowType.COUNT_BASED) {
      return;
    }
    double seconds = config.slidingWindowCalls() / rate;
    if (seconds > LONGEST_SECONDS) {
      findings.add(
          this,
          breaker,
          "slidingWindowSize",
          "a burst of failures counts for %s, the time in which %s calls come in"
              .formatted(Told.time(seconds), config.slidingWindowCalls()),
          "calls come in at %s a second".formatted(Told.number(rate)),
          "write a smaller slidingWindowSize, or slidingWindowType: TIME_BASED");
    }
  }
}

package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.SlidingWindowType;
import dev.recloser.config.Finding.Severity;

/** A count window that takes noise for news at high traffic. */
final class WindowSpansMilliseconds extends BreakerCheck {
  private static final double SHORTEST_SECONDS = 1;

  WindowSpansMilliseconds() {
    super(
        "window-spans-milliseconds",
        Severity.WARNING,
        "A count window holds less than a second of calls at this traffic.");
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
    if (seconds < SHORTEST_SECONDS) {
      findings.add(
          this,
          breaker,
          "slidingWindowSize",
          "a hiccup of %s opens the breaker, for %s calls come in within that time"
              .formatted(Told.time(seconds), config.slidingWindowCalls()),
          "calls come in at %s a second".formatted(Told.number(rate)),
          "write slidingWindowType: TIME_BASED with some seconds, or a slidingWindowSize of at"
              + " least "
              + Told.number(Math.ceil(rate)));
    }
  }
}

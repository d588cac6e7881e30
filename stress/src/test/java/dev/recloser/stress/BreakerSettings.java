package dev.recloser.stress;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.HalfOpenRule;
import dev.recloser.Ticker;
import java.time.Duration;

/**
 * What the breakers are set to that Lincheck looks at, in numbers that model and breaker share.
 * Times are nanoseconds.
 *
 * <p>Small, so that a handful of calls brings a breaker through all its states.
 */
public enum BreakerSettings {
  /** Opens at two failures in two calls, as in three or four. */
  FAILURES(4, 2, 50, 0, 1, false),
  /** Opens at two failures in a window of three, and not before that is full. */
  FULL_WINDOW(3, 3, 60, 0, 1, false),
  /** Opens when half of two to four calls are slow, ended or in flight, or when all have failed. */
  SLOW_CALLS(4, 2, 100, 10, 1, false),
  ONE_PROBE(4, 2, 50, 0, 1, false),
  TWO_PROBES(4, 2, 50, 0, 2, false),
  THREE_PROBES(4, 2, 50, 0, 3, false),
  THREE_TIMED_PROBES(4, 2, 50, 10, 3, false),
  TWO_PROBES_ALL_SUCCEED(4, 2, 50, 10, 2, true);

  /** How long an open breaker waits. */
  static final int WAIT = 20;

  /** How long a probe may take. */
  static final int LEASE = 20;

  final int windowSize;
  final int minimumCalls;
  final int failurePercent;

  /** A call that takes longer is slow; 0 for no limit. */
  final int slowLimit;

  final int slowPercent = 50;
  final int probes;
  final boolean allMustSucceed;

  BreakerSettings(
      int windowSize,
      int minimumCalls,
      int failurePercent,
      int slowLimit,
      int probes,
      boolean allMustSucceed) {
    this.windowSize = windowSize;
    this.minimumCalls = minimumCalls;
    this.failurePercent = failurePercent;
    this.slowLimit = slowLimit;
    this.probes = probes;
    this.allMustSucceed = allMustSucceed;
  }

  CircuitBreaker breaker(Ticker ticker) {
    return CircuitBreaker.create(
        "lincheck",
        CircuitBreakerConfig.of(
            c ->
                c.slidingWindowSize(windowSize)
                    .minimumNumberOfCalls(minimumCalls)
                    .failureRateThreshold(failurePercent)
                    .slowCallDurationThreshold(Duration.ofNanos(slowLimit))
                    .slowCallRateThreshold(slowPercent)
                    .waitDurationInOpenState(Duration.ofNanos(WAIT))
                    .permittedNumberOfCallsInHalfOpenState(probes)
                    .halfOpenRule(allMustSucceed ? HalfOpenRule.ALL_SUCCEED : HalfOpenRule.RATE)
                    .maxProbeDuration(Duration.ofNanos(LEASE))
                    .ticker(ticker)));
  }
}

package dev.recloser;

import dev.recloser.test.FakeTime;
import java.time.Duration;

/**
 * What the calls of an {@link OrderService} to pricing go through, besides a breaker that opens
 * when half of them fail.
 */
enum PoolRemedies {
  NONE("nothing else", false, false, false, false),
  TIMEOUT("timeout", true, false, false, false),
  SLOW_CALLS("slow-call threshold", false, true, false, false),
  BULKHEAD("bulkhead", false, false, true, false),
  FALLBACK("fallback", false, false, false, true),
  TIMEOUT_FALLBACK("timeout, fallback", true, false, false, true),
  SLOW_CALLS_FALLBACK("slow-call threshold, fallback", false, true, false, true),
  BULKHEAD_FALLBACK("bulkhead, fallback", false, false, true, true),
  ALL("all four", true, true, true, true);

  /** Well below 25 s, and above the 100 ms that pricing takes as a rule. */
  static final Duration TIME_LIMIT = Duration.ofMillis(800);

  static final Duration SLOW = Duration.ofSeconds(1);

  /** Where there is a timeout too, for what takes longer than that cannot be seen to be slow. */
  static final Duration SLOW_IN_TIME = Duration.ofMillis(500);

  static final int SLOW_RATE = 80;
  static final int SLOTS = 50;
  static final Duration TIME_TO_LIVE = Duration.ofMinutes(5);

  private final String description;
  private final boolean timesOut;
  private final boolean countsSlowCalls;
  private final boolean limitsCalls;
  private final boolean fallsBack;

  PoolRemedies(
      String description,
      boolean timesOut,
      boolean countsSlowCalls,
      boolean limitsCalls,
      boolean fallsBack) {
    this.description = description;
    this.timesOut = timesOut;
    this.countsSlowCalls = countsSlowCalls;
    this.limitsCalls = limitsCalls;
    this.fallsBack = fallsBack;
  }

  @Override
  public String toString() {
    return description;
  }

  Pipeline<String> pipeline(CircuitBreaker breaker, FakeTime time) {
    return Pipeline.create(
        "orders-to-pricing",
        policies -> {
          if (fallsBack) {
            policies.fallback(rules -> rules.stale(TIME_TO_LIVE).ticker(time));
          }
          policies.circuitBreaker(breaker);
          if (limitsCalls) {
            policies.bulkhead(s -> s.maxConcurrentCalls(SLOTS));
          }
          if (timesOut) {
            policies.timeout(s -> s.timeoutDuration(TIME_LIMIT).ticker(time).scheduler(time));
          }
        });
  }

  CircuitBreaker breaker(FakeTime time) {
    return CircuitBreaker.create(
        "pricing",
        s ->
            s.slidingWindowSize(20)
                .minimumNumberOfCalls(10)
                .failureRateThreshold(50)
                .slowCallDurationThreshold(slowCallDurationThreshold())
                .slowCallRateThreshold(SLOW_RATE)
                .waitDurationInOpenState(Duration.ofSeconds(30))
                .permittedNumberOfCallsInHalfOpenState(2)
                .ticker(time)
                .scheduler(time));
  }

  private Duration slowCallDurationThreshold() {
    if (!countsSlowCalls) {
      return Duration.ZERO;
    }
    return timesOut ? SLOW_IN_TIME : SLOW;
  }
}

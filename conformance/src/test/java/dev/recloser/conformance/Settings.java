package dev.recloser.conformance;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Outcome;
import dev.recloser.test.FakeTime;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.core.IntervalFunction;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Settings that both breakers understand, and what makes them out of it.
 *
 * @param timeBased whether the window holds the calls of some time
 * @param windowSize its size in calls or seconds
 * @param minimum the calls before a rate is believed
 * @param failureRate the failure rate that opens, in whole percent
 * @param slowRate the slow-call rate that opens, in whole percent
 * @param slowLimit when a call is slow; zero when none is
 * @param baseWait the base wait
 * @param growth by what the wait is multiplied from opening to opening
 * @param probes the calls that a half-open breaker permits
 * @param timers whether timers end the open and the half-open state, rather than calls
 * @param halfOpenLimit how long the half-open state lasts at most, where there are timers; zero for
 *     no limit
 * @param listed whether failures are listed, rather than everything that is not ignored
 */
record Settings(
    boolean timeBased,
    int windowSize,
    int minimum,
    int failureRate,
    int slowRate,
    Duration slowLimit,
    Duration baseWait,
    double growth,
    int probes,
    boolean timers,
    Duration halfOpenLimit,
    boolean listed) {
  private static final Duration LONGER_THAN_A_TRACE = Duration.ofDays(30_000);
  private static final int MAX_GROWTH = 10;

  static Settings random(RandomGenerator random, Set<Translation> translations) {
    boolean timeBased = random.nextBoolean();
    int windowSize = 1 + random.nextInt(timeBased ? 12 : 30);
    int most = timeBased ? 20 : windowSize;
    int probes = 1 + random.nextInt(Math.min(8, most));
    int least = translations.contains(Translation.MINIMUM_OF_PROBES) ? probes : 1;
    return new Settings(
        timeBased,
        windowSize,
        least + random.nextInt(most - least + 1),
        percent(random),
        percent(random),
        pick(random, Duration.ZERO, Duration.ofMillis(100), Duration.ofMillis(500)),
        // Multiples of eight seconds: the growing waits are then whole milliseconds.
        Duration.ofSeconds(8L << random.nextInt(3)),
        pick(random, 1.0, 1.0, 1.5, 2.0, 3.0),
        probes,
        random.nextInt(3) == 0,
        pick(random, Duration.ZERO, Duration.ofMillis(700), Duration.ofSeconds(5)),
        random.nextBoolean());
  }

  boolean growing() {
    return growth > 1;
  }

  CircuitBreakerConfig recloser(FakeTime time, Set<Translation> translations) {
    return CircuitBreakerConfig.of(
        config -> {
          configure(config.ticker(time), translations);
          if (timers) {
            config
                .scheduler(time)
                .automaticTransitionFromOpenToHalfOpenEnabled(true)
                .maxWaitDurationInHalfOpenState(halfOpenLimit);
          }
          if (listed) {
            config.recordExceptions(IOException.class);
          }
        });
  }

  io.github.resilience4j.circuitbreaker.CircuitBreakerConfig resilience4j(
      FakeTime time, WallClock clock, Set<Translation> translations) {
    long less = translations.contains(Translation.END_OF_WAIT) ? 1 : 0;
    IntervalFunction waits =
        growing()
            ? IntervalFunction.ofExponentialBackoff(
                baseWait, growth, baseWait.multipliedBy(MAX_GROWTH))
            : IntervalFunction.of(baseWait);
    var config =
        io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.custom()
            .clock(clock)
            .currentTimestampFunction(c -> time.nanoTime(), TimeUnit.NANOSECONDS)
            .slidingWindowType(
                timeBased ? SlidingWindowType.TIME_BASED : SlidingWindowType.COUNT_BASED)
            .slidingWindowSize(windowSize)
            .minimumNumberOfCalls(minimum)
            .failureRateThreshold(failureRate)
            .slowCallRateThreshold(slowRate)
            .slowCallDurationThreshold(slowLimit.isZero() ? LONGER_THAN_A_TRACE : slowLimit)
            .waitIntervalFunctionInOpenState(opening -> waits.apply(opening) - less)
            .permittedNumberOfCallsInHalfOpenState(probes)
            .ignoreExceptions(IllegalArgumentException.class)
            .recordResult(End::isBad);
    if (listed) {
      config.recordExceptions(IOException.class);
    }
    return config.build();
  }

  private void configure(CircuitBreakerConfig.Builder config, Set<Translation> translations) {
    if (timeBased) {
      config.slidingWindowSize(Duration.ofSeconds(windowSize));
    } else {
      config.slidingWindowSize(windowSize);
    }
    config
        .minimumNumberOfCalls(minimum)
        .failureRateThreshold(failureRate)
        .slowCallRateThreshold(slowRate)
        .slowCallDurationThreshold(slowLimit)
        .waitDurationInOpenState(baseWait)
        .exponentialBackoffMultiplier(growth)
        .exponentialMaxWaitDurationInOpenState(baseWait.multipliedBy(MAX_GROWTH))
        .permittedNumberOfCallsInHalfOpenState(probes)
        .ignoreExceptions(IllegalArgumentException.class)
        .recordResult(End::isBad);
    if (translations.contains(Translation.SLICES)) {
      config.slidingWindowSlices(windowSize);
    }
    if (translations.contains(Translation.SLOW_CALLS_IN_FLIGHT)) {
      config.countSlowCallsInFlight(false);
    }
    if (translations.contains(Translation.PROBE_LEASE)) {
      config.maxProbeDuration(LONGER_THAN_A_TRACE);
    }
    if (translations.contains(Translation.UNLISTED_EXCEPTIONS)) {
      config.unlistedExceptions(Outcome.SUCCESS);
    }
  }

  /** Few thresholds are met exactly by chance; those that small windows can meet come often. */
  private static int percent(RandomGenerator random) {
    return random.nextInt(4) == 0
        ? 1 + random.nextInt(100)
        : pick(random, 10, 20, 25, 40, 50, 60, 75, 100);
  }

  @SafeVarargs
  private static <T> T pick(RandomGenerator random, T... values) {
    return values[random.nextInt(values.length)];
  }
}

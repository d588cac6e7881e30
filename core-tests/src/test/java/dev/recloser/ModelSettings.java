package dev.recloser;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Groups of settings that are drawn together, at first and when a breaker is reconfigured. */
enum ModelSettings {
  WINDOW {
    @Override
    void draw(CircuitBreakerConfig.Builder config, RandomGenerator random) {
      if (random.nextBoolean()) {
        int size = pick(random, 1, 2, 3, 5, 10, 64, 65);
        config
            .slidingWindowType(SlidingWindowType.COUNT_BASED)
            .slidingWindowSize(size)
            .minimumNumberOfCalls(Math.min(size, pick(random, 1, 2, 3, 5, 64)));
      } else {
        config
            .slidingWindowType(SlidingWindowType.TIME_BASED)
            .slidingWindowSize(nanos(random, 10 * MS, 20 * MS + 7, 100 * MS + 3))
            .slidingWindowSlices(pick(random, 1, 2, 3, 10))
            .minimumNumberOfCalls(pick(random, 1, 2, 3, 5));
      }
    }
  },
  RATES {
    @Override
    void draw(CircuitBreakerConfig.Builder config, RandomGenerator random) {
      config.failureRateThreshold(percent(random)).slowCallRateThreshold(percent(random));
    }
  },
  SLOW_CALLS {
    @Override
    void draw(CircuitBreakerConfig.Builder config, RandomGenerator random) {
      config
          .slowCallDurationThreshold(nanos(random, 0, 1, 5 * MS, 20 * MS))
          .countSlowCallsInFlight(random.nextInt(4) > 0);
    }
  },
  OPEN {
    @Override
    void draw(CircuitBreakerConfig.Builder config, RandomGenerator random) {
      Duration wait = nanos(random, 1, 8 * MS, 40 * MS);
      config
          .waitDurationInOpenState(wait)
          .exponentialMaxWaitDurationInOpenState(wait.multipliedBy(pick(random, 1, 2, 10)))
          .exponentialBackoffMultiplier(pick(random, 1.0, 1.0, 1.5, 2.0, 3.0))
          .randomizedWaitFactor(pick(random, 0.0, 0.0, 0.25, 0.5, 1.0))
          .automaticTransitionFromOpenToHalfOpenEnabled(random.nextBoolean());
    }
  },
  HALF_OPEN {
    @Override
    void draw(CircuitBreakerConfig.Builder config, RandomGenerator random) {
      config
          .permittedNumberOfCallsInHalfOpenState(pick(random, 1, 2, 3, 5, 10))
          .halfOpenRule(pick(random, HalfOpenRule.RATE, HalfOpenRule.ALL_SUCCEED))
          .maxWaitDurationInHalfOpenState(nanos(random, 0, 0, 0, 5 * MS, 30 * MS))
          .maxProbeDuration(nanos(random, 1, 10 * MS, 30 * MS, 50 * MS, 100 * MS))
          .probeSlowCallDurationThreshold(nanos(random, 0, 1, 5 * MS, 20 * MS, 50 * MS));
    }
  },
  RAMP_UP {
    @Override
    void draw(CircuitBreakerConfig.Builder config, RandomGenerator random) {
      config
          .rampUpDuration(nanos(random, 0, 20 * MS, 100 * MS))
          .rampUpInitialPercentage(pick(random, 0.7, 10.0, 25.0, 33.333333, 50.0, 100.0));
    }
  },
  CLASSIFICATION {
    @Override
    void draw(CircuitBreakerConfig.Builder config, RandomGenerator random) {
      config
          .recordExceptions(pick(random, NONE, NONE, NONE, IO, EXCEPTION))
          .ignoreExceptions(pick(random, NONE, NONE, NOT_FOUND, ARGUMENT))
          .unlistedExceptions(pick(random, Outcome.IGNORED, Outcome.SUCCESS, Outcome.FAILURE));
    }
  };

  static final long MS = 1_000_000;

  private static final List<String> NONE = List.of();
  private static final List<String> IO = List.of(IOException.class.getName());
  private static final List<String> EXCEPTION = List.of(Exception.class.getName());
  private static final List<String> NOT_FOUND = List.of(FileNotFoundException.class.getName());
  private static final List<String> ARGUMENT = List.of(IllegalArgumentException.class.getName());

  /** Sets every setting of the group, to values among which there are the awkward ones. */
  abstract void draw(CircuitBreakerConfig.Builder config, RandomGenerator random);

  @SafeVarargs
  static <T> T pick(RandomGenerator random, T... values) {
    return values[random.nextInt(values.length)];
  }

  private static Duration nanos(RandomGenerator random, long... values) {
    return Duration.ofNanos(values[random.nextInt(values.length)]);
  }

  private static double percent(RandomGenerator random) {
    return pick(
        random, 0.000001, 12.5, 33.3, 33.333333, 50.0, 50.0, 66.666667, 80.0, 99.9, 100.0, 100.0);
  }
}

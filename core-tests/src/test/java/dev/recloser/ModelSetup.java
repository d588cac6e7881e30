package dev.recloser;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/**
 * A breaker and the time it lives in; drawn from the seed, but for what is named.
 *
 * @param seed what the configuration is drawn from
 * @param origin the first reading of the ticker
 * @param timers which scheduler it is handed
 */
record ModelSetup(long seed, long origin, Timers timers) {
  /** What becomes of timers. */
  enum Timers {
    /** There is no scheduler. */
    NONE,
    /** They run when they are due. */
    ON_TIME,
    /** The scheduler takes them and never runs them. */
    LOST,
    /** The scheduler throws. */
    BROKEN
  }

  /** Draws all settings. */
  void configure(CircuitBreakerConfig.Builder config) {
    SplittableRandom random = new SplittableRandom(seed);
    for (ModelSettings group : ModelSettings.values()) {
      group.draw(config, random);
    }
    config.recordResult(ModelEnding::isBad);
    if (random.nextBoolean()) {
      config.retryAfter(ModelEnding::retryAfter);
    }
    if (hasWaitFunction()) {
      config.waitIntervalFunctionInOpenState(waitFunction(random.nextInt(3)));
    }
    adapt(config);
  }

  /** Draws one group of settings anew. */
  void reconfigure(CircuitBreakerConfig.Builder config, ModelOperation.Reconfigure operation) {
    operation.group().draw(config, new SplittableRandom(operation.seed()));
    adapt(config);
  }

  boolean runsTimers() {
    return timers == Timers.ON_TIME;
  }

  /** Takes back what does not go together, or would bring in the real time. */
  private void adapt(CircuitBreakerConfig.Builder config) {
    if (hasWaitFunction()) {
      config.exponentialBackoffMultiplier(1);
    }
    if (timers == Timers.NONE) {
      config.automaticTransitionFromOpenToHalfOpenEnabled(false);
    }
  }

  private boolean hasWaitFunction() {
    return seed % 5 == 0;
  }

  private static IntFunction<Duration> waitFunction(int kind) {
    return switch (kind) {
      case 0 -> openings -> Duration.ofMillis(4L * (openings - 1));
      case 1 -> openings -> Duration.ofDays(-1);
      default ->
          openings -> {
            throw new IllegalStateException("no wait for opening " + openings);
          };
    };
  }
}

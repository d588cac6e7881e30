package dev.recloser;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.function.IntFunction;

/** How long to stay open, in exact decimals. */
final class NaiveWait {
  private NaiveWait() {}

  /**
   * Returns the wait in nanoseconds.
   *
   * @param openings the number of the opening, from 1
   * @param asked how long the dependency asked to be left alone, 0 for not
   * @param draw the random number, 0 to 1
   */
  static long nanos(CircuitBreakerConfig config, int openings, long asked, double draw) {
    BigDecimal cap = nanos(config.exponentialMaxWaitDurationInOpenState());
    BigDecimal wait = grown(config, openings, cap).setScale(0, RoundingMode.DOWN);
    BigDecimal factor = BigDecimal.valueOf(config.randomizedWaitFactor());
    BigDecimal low = wait.multiply(BigDecimal.ONE.subtract(factor));
    BigDecimal high = wait.multiply(BigDecimal.ONE.add(factor)).min(cap);
    BigDecimal drawn = low.add(high.subtract(low).multiply(BigDecimal.valueOf(draw)));
    return drawn.max(BigDecimal.valueOf(asked)).min(cap).longValue();
  }

  private static BigDecimal grown(CircuitBreakerConfig config, int openings, BigDecimal cap) {
    BigDecimal base = nanos(config.waitDurationInOpenState());
    IntFunction<Duration> function = config.waitFunction();
    if (function != null) {
      return computed(function, openings, base).min(cap);
    }
    BigDecimal wait = base;
    for (int i = 1; i < openings && wait.compareTo(cap) < 0; i++) {
      wait = wait.multiply(BigDecimal.valueOf(config.exponentialBackoffMultiplier()));
    }
    return wait.min(cap);
  }

  /** A function that throws, or gives null or a negative time, means the base wait. */
  private static BigDecimal computed(
      IntFunction<Duration> function, int openings, BigDecimal base) {
    try {
      Duration wait = function.apply(openings);
      return wait == null || wait.isNegative() ? base : nanos(wait);
    } catch (RuntimeException e) {
      return base;
    }
  }

  private static BigDecimal nanos(Duration duration) {
    return BigDecimal.valueOf(duration.toNanos());
  }
}

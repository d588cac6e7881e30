package dev.recloser;

import java.math.BigDecimal;

/**
 * A percentage that is compared exactly.
 *
 * <p>The number is taken as the decimal that was written (0.1 means one in a thousand, not the
 * binary fraction next to it) and held in millionths of a percent, so that a share is compared by
 * two multiplications of integers. Counts up to 9 * 10^10 calls are exact.
 */
final class Threshold {
  private static final int DECIMALS = 6;
  private static final long WHOLE = 100_000_000L;

  private final double percent;
  private final long millionths;

  private Threshold(double percent, long millionths) {
    this.percent = percent;
    this.millionths = millionths;
  }

  /** Whether a number can be a threshold: above 0, at most 100, at most six decimals. */
  static boolean isValid(double percent) {
    return percent > 0
        && percent <= 100
        && BigDecimal.valueOf(percent).stripTrailingZeros().scale() <= DECIMALS;
  }

  static Threshold of(double percent) {
    return new Threshold(
        percent, BigDecimal.valueOf(percent).movePointRight(DECIMALS).longValueExact());
  }

  /** Whether {@code part} of {@code whole} is at least this share; never of nothing. */
  boolean isReachedBy(long part, long whole) {
    return whole > 0 && part * WHOLE >= millionths * whole;
  }

  /** Whether {@code part} of {@code whole} is at most this share. */
  boolean allows(long part, long whole) {
    return part * WHOLE <= millionths * whole;
  }

  /** The largest part of {@code whole} that is at most this share. */
  long mostOf(long whole) {
    return millionths * whole / WHOLE;
  }

  double percent() {
    return percent;
  }
}

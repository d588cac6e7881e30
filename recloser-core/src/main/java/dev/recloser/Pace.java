package dev.recloser;

import java.math.BigInteger;

/**
 * How fast permits come into a bucket and how many of them it holds. Immutable.
 *
 * <p>A permit takes {@code period / limit} nanoseconds, which is seldom a whole number. So moments
 * carry a fraction whose denominator is the limit, and every sum of permits is exact: nothing
 * drifts, however long it runs. Permits are split into the whole and the broken part of their time
 * before they are multiplied, so that no product overflows.
 */
final class Pace {
  private static final long LONGEST = Faults.MAX_DURATION.toNanos();

  private final int limit;
  private final long periodNanos;
  final int burst;

  Pace(int limit, long periodNanos, int burst) {
    this.limit = limit;
    this.periodNanos = periodNanos;
    this.burst = burst;
  }

  /** A moment, as a reading of the ticker and so many parts of a nanosecond. */
  record Moment(long nanos, int fraction) {
    static Moment of(long nanos) {
      return new Moment(nanos, 0);
    }

    boolean isAfter(Moment other) {
      long difference = nanos - other.nanos;
      return difference > 0 || (difference == 0 && fraction > other.fraction);
    }

    /** The first reading that is not before it. */
    long reached() {
      return fraction == 0 ? nanos : nanos + 1;
    }

    static Moment later(Moment one, Moment other) {
      return one.isAfter(other) ? one : other;
    }
  }

  /** The moment at which so many permits have come since another one. */
  Moment after(Moment from, int permits) {
    long parts = permits * (periodNanos % limit) + from.fraction;
    return new Moment(from.nanos + wholeNanos(permits) + parts / limit, (int) (parts % limit));
  }

  /** The moment since which so many permits have come at another one. */
  Moment before(Moment to, int permits) {
    long parts = to.fraction - permits * (periodNanos % limit);
    long borrowed = Math.floorDiv(parts, (long) limit);
    return new Moment(to.nanos - wholeNanos(permits) + borrowed, Math.floorMod(parts, limit));
  }

  /** Whether the bucket fills in a time that can be measured. */
  boolean isMeasurable() {
    Moment full = after(Moment.of(0), burst);
    return full.nanos >= 0 && full.nanos < LONGEST;
  }

  /** How many whole permits have come between two moments; negative if the first is the later. */
  long permitsBetween(Moment from, Moment to) {
    return parts(from, to).divide(BigInteger.valueOf(periodNanos)).longValue()
        - (isPartlyOwed(from, to) ? 1 : 0);
  }

  /**
   * The same number of permits before a moment, broken ones included, at another pace; it is
   * rounded to a part of a nanosecond against whoever wants permits.
   */
  Moment restated(Moment from, Moment to, Pace other) {
    BigInteger[] quotient =
        parts(from, to)
            .multiply(BigInteger.valueOf(other.periodNanos))
            .divide(BigInteger.valueOf(periodNanos))
            .min(BigInteger.valueOf(LONGEST).multiply(BigInteger.valueOf(other.limit)))
            .divideAndRemainder(BigInteger.valueOf(other.limit));
    int fraction = quotient[1].intValue();
    long nanos = to.nanos - quotient[0].longValue();
    return fraction == 0 ? Moment.of(nanos) : new Moment(nanos - 1, other.limit - fraction);
  }

  /** The time between two moments in parts of a nanosecond; a permit is as many as a period has. */
  private BigInteger parts(Moment from, Moment to) {
    return BigInteger.valueOf(to.nanos - from.nanos)
        .multiply(BigInteger.valueOf(limit))
        .add(BigInteger.valueOf((long) to.fraction - from.fraction));
  }

  private boolean isPartlyOwed(Moment from, Moment to) {
    BigInteger parts = parts(from, to);
    return parts.signum() < 0 && parts.remainder(BigInteger.valueOf(periodNanos)).signum() != 0;
  }

  /** The whole part of the time of so many permits; at most the longest there is. */
  private long wholeNanos(int permits) {
    long each = periodNanos / limit;
    return each > LONGEST / permits ? LONGEST : each * permits;
  }
}

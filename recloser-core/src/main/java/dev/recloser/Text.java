package dev.recloser;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** Numbers as people read them. */
final class Text {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private Text() {}

  /** A duration in at most two units: {@code 150 ms}, {@code 1.5 s}, {@code 2 min 30 s}. */
  static String of(Duration duration) {
    long nanos;
    try {
      nanos = Math.absExact(duration.toNanos());
    } catch (ArithmeticException e) {
      return duration.toDays() + " d";
    }
    return (duration.isNegative() ? "-" : "") + ofNanos(nanos);
  }

  static String ofNanos(long nanos) {
    if (nanos < 10_000) {
      return nanos == 0 ? "0 s" : nanos + " ns";
    } else if (nanos < SECOND) {
      return decimal(nanos, MILLI, nanos < 10 * MILLI ? 2 : 1) + " ms";
    } else if (nanos < MINUTE) {
      return decimal(nanos, SECOND, 1) + " s";
    } else if (nanos < HOUR) {
      return pair(nanos, MINUTE, "min", SECOND, "s");
    } else if (nanos < DAY) {
      return pair(nanos, HOUR, "h", MINUTE, "min");
    }
    return pair(nanos, DAY, "d", HOUR, "h");
  }

  /**
   * A percentage with at most two decimals. Rounded down, so that a share just short of its
   * threshold never reads as if it had reached it.
   */
  static String percent(double percent) {
    return BigDecimal.valueOf(percent)
            .setScale(2, RoundingMode.DOWN)
            .stripTrailingZeros()
            .toPlainString()
        + " %";
  }

  /** {@code 1 probe}, {@code 2 probes}. */
  static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  private static String pair(long nanos, long unit, String name, long part, String partName) {
    long rest = nanos % unit / part;
    return nanos / unit + " " + name + (rest == 0 ? "" : " " + rest + " " + partName);
  }

  private static String decimal(long nanos, long unit, int places) {
    return BigDecimal.valueOf(nanos)
        .divide(BigDecimal.valueOf(unit), places, RoundingMode.DOWN)
        .stripTrailingZeros()
        .toPlainString();
  }
}

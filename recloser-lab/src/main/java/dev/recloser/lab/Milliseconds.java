package dev.recloser.lab;

import java.math.BigDecimal;
import java.time.Duration;

/** Times as milliseconds with decimals, exact to the nanosecond. */
final class Milliseconds {
  private static final int NANO_DIGITS = 6;
  private static final int LONGEST = 100;
  private static final BigDecimal MAX = BigDecimal.valueOf(RecordedCall.MAX_TIME.toMillis());
  private static final long[] POWERS_OF_TEN = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000};

  private Milliseconds() {}

  /**
   * Reads a time.
   *
   * @return nanoseconds; -1 if the text is not a number from zero to {@link RecordedCall#MAX_TIME}
   */
  static long toNanos(String text) {
    long nanos = shortToNanos(text);
    return nanos >= 0 ? nanos : anyToNanos(text);
  }

  /** The shortest number that says exactly this time. */
  static BigDecimal ofNanos(long nanos) {
    return BigDecimal.valueOf(nanos, NANO_DIGITS).stripTrailingZeros();
  }

  /** The same for a time of any length. */
  static BigDecimal of(Duration time) {
    BigDecimal seconds = BigDecimal.valueOf(time.toSeconds(), -3);
    return seconds.add(BigDecimal.valueOf(time.toNanosPart(), NANO_DIGITS)).stripTrailingZeros();
  }

  /** Reads what nearly all times are: a few digits, up to six of them decimals; else -1. */
  private static long shortToNanos(String text) {
    if (text.isEmpty() || text.length() > 12 || text.equals(".")) {
      return -1;
    }
    long digits = 0;
    int point = text.length() - 1;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= '0' && c <= '9') {
        digits = 10 * digits + (c - '0');
      } else if (c == '.' && point == text.length() - 1) {
        point = i;
      } else {
        return -1;
      }
    }
    int decimals = text.length() - 1 - point;
    return decimals > NANO_DIGITS ? -1 : digits * POWERS_OF_TEN[NANO_DIGITS - decimals];
  }

  private static long anyToNanos(String text) {
    if (text.length() > LONGEST) {
      return -1; // Reading a number takes time that grows with the square of its length.
    }
    BigDecimal millis;
    try {
      millis = new BigDecimal(text);
    } catch (NumberFormatException e) {
      return -1;
    }
    boolean inRange = millis.signum() >= 0 && millis.compareTo(MAX) <= 0;
    return inRange ? millis.movePointRight(NANO_DIGITS).longValue() : -1;
  }
}

package dev.recloser.lab;

import java.math.BigDecimal;

/** Times as decimal numbers in some unit, exact to the nanosecond and cut there. */
enum DecimalTime {
  SECONDS("seconds", 9),
  MILLISECONDS("milliseconds", 6),
  MICROSECONDS("microseconds", 3),
  NANOSECONDS("nanoseconds", 0);

  private static final int LONGEST = 100;
  private static final int MAX_DIGITS = 18;
  private static final BigDecimal MAX = BigDecimal.valueOf(RecordedCall.MAX_TIME.toNanos());
  private static final long[] POWERS_OF_TEN = {
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000
  };

  private final String unit;
  private final int nanoDigits;

  DecimalTime(String unit, int nanoDigits) {
    this.unit = unit;
    this.nanoDigits = nanoDigits;
  }

  /** What has to be written. */
  String expected() {
    return unit + ", zero or more and at most 36,500 days";
  }

  /**
   * Reads a time.
   *
   * @return nanoseconds; -1 if the text is not a number from zero to {@link RecordedCall#MAX_TIME}
   */
  long toNanos(String text) {
    long nanos = shortToNanos(text);
    return nanos >= 0 ? nanos : anyToNanos(text);
  }

  /**
   * Reads what nearly all times are: a few digits, and no more decimals than nanoseconds have; else
   * -1. With at most eighteen digits to the left of the nanosecond's point nothing overflows, and
   * none exceeds the longest time.
   */
  private long shortToNanos(String text) {
    int length = text.length();
    if (length == 0 || length + nanoDigits > MAX_DIGITS || text.equals(".")) {
      return -1;
    }
    long digits = 0;
    int point = length - 1;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= '0' && c <= '9') {
        digits = 10 * digits + (c - '0');
      } else if (c == '.' && point == length - 1) {
        point = i;
      } else {
        return -1;
      }
    }
    int decimals = length - 1 - point;
    return decimals > nanoDigits ? -1 : digits * POWERS_OF_TEN[nanoDigits - decimals];
  }

  private long anyToNanos(String text) {
    if (text.length() > LONGEST) {
      return -1; // Reading a number takes time that grows with the square of its length.
    }
    BigDecimal nanos;
    try {
      nanos = new BigDecimal(text).movePointRight(nanoDigits);
    } catch (ArithmeticException | NumberFormatException e) {
      return -1;
    }
    boolean inRange = nanos.signum() >= 0 && nanos.compareTo(MAX) <= 0;
    return inRange ? nanos.longValue() : -1;
  }
}

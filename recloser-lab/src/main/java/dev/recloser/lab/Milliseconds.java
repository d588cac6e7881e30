package dev.recloser.lab;

import java.math.BigDecimal;
import java.time.Duration;

/** Times as milliseconds with decimals, exact to the nanosecond. */
final class Milliseconds {
  private static final int NANO_DIGITS = 6;

  private Milliseconds() {}

  /**
   * Reads a time.
   *
   * @return nanoseconds; -1 if the text is not a number from zero to {@link RecordedCall#MAX_TIME}
   */
  static long toNanos(String text) {
    return DecimalTime.MILLISECONDS.toNanos(text);
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
}

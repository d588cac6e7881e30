package dev.recloser.config;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** Numbers as people read them. */
final class Told {
  private static final long MINUTE = 60;
  private static final double MILLIS_PER_SECOND = 1_000;

  private Told() {}

  /** {@code 150 ms}, {@code 1.5 s}, {@code 10 min}. */
  static String time(Duration time) {
    return time(Workload.seconds(time));
  }

  /** {@code 150 ms}, {@code 1.5 s}, {@code 10 min}. */
  static String time(double seconds) {
    if (seconds > 0 && seconds < 1) {
      return number(seconds * MILLIS_PER_SECOND) + " ms";
    }
    return seconds < 2 * MINUTE ? number(seconds) + " s" : number(seconds / MINUTE) + " min";
  }

  /** {@code 12.5 %}. */
  static String percent(double percent) {
    return number(percent) + " %";
  }

  /** At most two decimals, more of a number below one hundredth. */
  static String number(double number) {
    int decimals = number == 0 || Math.abs(number) >= 0.01 ? 2 : 6;
    return BigDecimal.valueOf(number)
        .setScale(decimals, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }
}

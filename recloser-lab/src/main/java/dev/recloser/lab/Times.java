package dev.recloser.lab;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;

/** Times as people read them, to the millisecond. */
final class Times {
  private Times() {}

  /** A moment as on a clock: {@code 0:12.800}, {@code 1:02:03.400}, {@code 2d 01:02:03.400}. */
  static String clock(long nanos) {
    Duration time = Duration.ofNanos(nanos);
    String seconds = format("%02d.%03d", time.toSecondsPart(), time.toMillisPart());
    if (time.toHours() == 0) {
      return time.toMinutesPart() + ":" + seconds;
    }
    String minutes = format("%02d:", time.toMinutesPart()) + seconds;
    return time.toDays() == 0
        ? time.toHoursPart() + ":" + minutes
        : time.toDays() + format("d %02d:", time.toHoursPart()) + minutes;
  }

  static String span(long nanos) {
    return span(Duration.ofNanos(nanos));
  }

  /** A length in its two largest units: {@code 150 ms}, {@code 22.4 s}, {@code 1 h 5 min}. */
  static String span(Duration time) {
    if (time.toDays() > 0) {
      return pair(time.toDays(), "d", time.toHoursPart(), "h");
    } else if (time.toHours() > 0) {
      return pair(time.toHours(), "h", time.toMinutesPart(), "min");
    } else if (time.toMinutes() > 0) {
      return pair(time.toMinutes(), "min", time.toSecondsPart(), "s");
    } else if (time.toSeconds() > 0 || time.isZero()) {
      return decimal(time.toNanos(), 9) + " s";
    }
    return time.toNanos() < 10_000 ? time.toNanos() + " ns" : decimal(time.toNanos(), 6) + " ms";
  }

  private static String pair(long number, String unit, int rest, String part) {
    return number + " " + unit + (rest == 0 ? "" : " " + rest + " " + part);
  }

  private static String decimal(long nanos, int digits) {
    return BigDecimal.valueOf(nanos, digits)
        .setScale(3, RoundingMode.DOWN)
        .stripTrailingZeros()
        .toPlainString();
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}

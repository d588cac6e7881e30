package dev.recloser.lab;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * ISO-8601 instants, counted from the first.
 *
 * <p>The JDK's parser takes longer than all the rest of a replay. So it is only asked for the first
 * instant of a day, and for those in an unusual form.
 */
final class Instants implements AtColumn {
  /** {@code 2026-01-31T12:00:00Z} without its time. */
  private static final int DAY_LENGTH = "2026-01-31T".length();

  private static final int SECOND_LENGTH = "2026-01-31T12:00:00".length();
  private static final long SECOND = 1_000_000_000L;

  private final Instant origin;

  /** The last day that was seen, as it begins each of its instants, and when it began. */
  private String day = "";

  private long dayNanos;

  private Instants(Instant origin) {
    this.origin = origin;
  }

  /** Returns null if the text is no instant. */
  static @Nullable Instants startingWith(String text) {
    Instant origin = instant(text);
    return origin == null ? null : new Instants(origin);
  }

  @Override
  public long toNanos(String text) {
    long nanos = nanosOfSameDay(text);
    return nanos >= 0 ? nanos : nanosOfAnyDay(text);
  }

  @Override
  public String expected() {
    return "an ISO-8601 instant as in the first row, no earlier and at most 36,500 days later";
  }

  private long nanosOfAnyDay(String text) {
    Instant instant = instant(text);
    if (instant == null) {
      return -1;
    }
    Duration elapsed = Duration.between(origin, instant);
    if (elapsed.isNegative() || elapsed.compareTo(RecordedCall.MAX_TIME) > 0) {
      return -1;
    }
    rememberDay(text, instant);
    return elapsed.toNanos();
  }

  private void rememberDay(String text, Instant instant) {
    if (text.endsWith("Z") && text.indexOf('T') == DAY_LENGTH - 1) {
      day = text.substring(0, DAY_LENGTH);
      Instant midnight =
          instant.atOffset(ZoneOffset.UTC).toLocalDate().atStartOfDay().toInstant(ZoneOffset.UTC);
      dayNanos = Duration.between(origin, midnight).toNanos();
    }
  }

  /** Returns -1 if it is another day, another form, or no instant at all. */
  private long nanosOfSameDay(String text) {
    int end = text.length() - 1;
    if (day.isEmpty() || end < SECOND_LENGTH || text.charAt(end) != 'Z' || !text.startsWith(day)) {
      return -1;
    }
    int hours = twoDigits(text, DAY_LENGTH, 'T', 23);
    int minutes = twoDigits(text, DAY_LENGTH + 3, ':', 59);
    int seconds = twoDigits(text, DAY_LENGTH + 6, ':', 59);
    long fraction = fraction(text, SECOND_LENGTH, end);
    if (hours < 0 || minutes < 0 || seconds < 0 || fraction < 0) {
      return -1;
    }
    return dayNanos + (3_600L * hours + 60L * minutes + seconds) * SECOND + fraction;
  }

  /** Reads two digits behind a separator; -1 if they are not there or too large. */
  private static int twoDigits(String text, int at, char separator, int max) {
    int tens = text.charAt(at) - '0';
    int ones = text.charAt(at + 1) - '0';
    boolean digits = tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9;
    int value = 10 * tens + ones;
    return digits && text.charAt(at - 1) == separator && value <= max ? value : -1;
  }

  /** Reads the nanoseconds from the point to the end; -1 if that is not what stands there. */
  private static long fraction(String text, int point, int end) {
    if (point == end) {
      return 0;
    }
    int digits = end - point - 1;
    if (text.charAt(point) != '.' || digits < 1 || digits > 9) {
      return -1;
    }
    long nanos = 0;
    for (int i = point + 1; i < end; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      nanos = 10 * nanos + (c - '0');
    }
    for (int i = digits; i < 9; i++) {
      nanos *= 10;
    }
    return nanos;
  }

  private static @Nullable Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }
}

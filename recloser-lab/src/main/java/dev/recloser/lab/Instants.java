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

  /** Instants counted from 1970. */
  static Instants sinceEpoch() {
    return new Instants(Instant.EPOCH);
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
    int hours = Digits.two(text, DAY_LENGTH, 'T', 23);
    int minutes = Digits.two(text, DAY_LENGTH + 3, ':', 59);
    int seconds = Digits.two(text, DAY_LENGTH + 6, ':', 59);
    long fraction = Digits.fraction(text, SECOND_LENGTH, end);
    if (hours < 0 || minutes < 0 || seconds < 0 || fraction < 0) {
      return -1;
    }
    return dayNanos + (3_600L * hours + 60L * minutes + seconds) * SECOND + fraction;
  }

  private static @Nullable Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }
}

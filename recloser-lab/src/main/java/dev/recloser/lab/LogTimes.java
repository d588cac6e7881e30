package dev.recloser.lab;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;

/**
 * Reads moments as logs write them: ISO-8601 instants and the dates of the Common Log Format
 * ({@code 31/Jan/2026:12:00:00 +0100}, with or without decimals; without an offset they are taken
 * as UTC).
 */
final class LogTimes {
  static final String EXPECTED =
      "a time such as 31/Jan/2026:12:00:00 +0100 or 2026-01-31T12:00:00.5Z";

  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

  /** What is later does not fit into a trace, see {@link RecordedCall#MAX_TIME}. */
  private static final LocalDate LAST = LocalDate.EPOCH.plusDays(RecordedCall.MAX_TIME.toDays());

  private static final int DAY_LENGTH = "31/Jan/2026".length();
  private static final int SECOND_LENGTH = "31/Jan/2026:12:00:00".length();
  private static final long SECOND = 1_000_000_000L;

  private final Instants instants = Instants.sinceEpoch();

  /** The day that was seen last, as it is written, and when it began; most lines share it. */
  private String day = "";

  private long dayNanos;

  /** Returns nanoseconds since 1970; -1 if the text is neither, or earlier, or later than 2069. */
  long toNanos(String text) {
    boolean commonLog = text.length() >= SECOND_LENGTH && text.charAt(2) == '/';
    return commonLog ? commonLogToNanos(text) : instants.toNanos(text);
  }

  private long commonLogToNanos(String text) {
    if (!text.startsWith(day) || day.isEmpty()) {
      if (!readDay(text.substring(0, DAY_LENGTH))) {
        return -1;
      }
    }
    int hours = Digits.two(text, DAY_LENGTH + 1, ':', 23);
    int minutes = Digits.two(text, DAY_LENGTH + 4, ':', 59);
    int seconds = Digits.two(text, DAY_LENGTH + 7, ':', 60); // Leap seconds are written as 60.
    int space = text.indexOf(' ', SECOND_LENGTH);
    int end = space < 0 ? text.length() : space;
    long fraction = Digits.fraction(text, SECOND_LENGTH, end);
    int offset = space < 0 ? 0 : offsetMinutes(text, space + 1);
    if (hours < 0 || minutes < 0 || seconds < 0 || fraction < 0 || offset == Integer.MIN_VALUE) {
      return -1;
    }
    long ofDay = 3_600L * hours + 60L * (minutes - offset) + seconds;
    long nanos = dayNanos + ofDay * SECOND + fraction;
    return RecordedCall.isInRange(nanos) ? nanos : -1;
  }

  private boolean readDay(String text) {
    int dayOfMonth = Digits.two(text, 0);
    int month = MONTHS.indexOf(text.substring(3, 6)) + 1;
    int century = Digits.two(text, 7);
    int year = Digits.two(text, 9);
    if (text.charAt(6) != '/' || century < 0 || year < 0) {
      return false;
    }
    LocalDate date;
    try {
      date = LocalDate.of(100 * century + year, month, dayOfMonth);
    } catch (DateTimeException e) {
      return false;
    }
    if (date.isBefore(LocalDate.EPOCH.minusDays(1)) || date.isAfter(LAST)) {
      return false;
    }
    day = text;
    dayNanos = date.toEpochDay() * 86_400 * SECOND;
    return true;
  }

  /** Reads {@code +0100}; {@code Integer.MIN_VALUE} if that is not what stands there. */
  private static int offsetMinutes(String text, int at) {
    if (text.length() != at + 5 || (text.charAt(at) != '+' && text.charAt(at) != '-')) {
      return Integer.MIN_VALUE;
    }
    int hours = Digits.two(text, at + 1);
    int minutes = Digits.two(text, at + 3);
    if (hours < 0 || minutes < 0) {
      return Integer.MIN_VALUE;
    }
    int offset = 60 * hours + minutes;
    return text.charAt(at) == '-' ? -offset : offset;
  }
}

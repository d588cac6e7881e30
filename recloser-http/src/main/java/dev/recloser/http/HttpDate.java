package dev.recloser.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The three forms in which HTTP writes a date (RFC 9110, 5.6.7): all of them must be read. */
final class HttpDate {
  private static final DateTimeFormatter ASCTIME =
      DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss uuuu", Locale.US);

  private HttpDate() {}

  /**
   * Reads a date.
   *
   * @param now what a year of two digits is near to: at most 50 years later
   * @return null if it is none
   */
  static @Nullable Instant parse(String text, Instant now) {
    try {
      int comma = text.indexOf(',');
      if (comma < 0) {
        return asctime(text);
      }
      return text.indexOf('-', comma) < 0
          ? DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from)
          : rfc850(text.substring(comma + 1).strip(), now);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** {@code Sun Nov 6 08:49:37 1994}, with two places for the day. */
  private static @Nullable Instant asctime(String text) {
    int afterWeekday = text.indexOf(' ');
    return afterWeekday < 0
        ? null
        : LocalDateTime.parse(text.substring(afterWeekday + 1), ASCTIME).toInstant(ZoneOffset.UTC);
  }

  /** {@code Sunday, 06-Nov-94 08:49:37 GMT}, of which the weekday is not needed. */
  private static Instant rfc850(String text, Instant now) {
    LocalDate base = LocalDate.ofInstant(now, ZoneOffset.UTC).minusYears(49);
    DateTimeFormatter format =
        new DateTimeFormatterBuilder()
            .appendPattern("dd-MMM-")
            .appendValueReduced(ChronoField.YEAR, 2, 2, base)
            .appendPattern(" HH:mm:ss 'GMT'")
            .toFormatter(Locale.US);
    return LocalDateTime.parse(text, format).toInstant(ZoneOffset.UTC);
  }
}

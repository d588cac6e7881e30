package dev.recloser.config;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as they are written: {@code 150ms}, {@code 30s}, {@code PT1M}. */
final class Durations {
  private static final Pattern WITH_UNIT =
      Pattern.compile("([+-]?\\d+) ?(ns|us|ms|s|m|h|d)", Pattern.CASE_INSENSITIVE);

  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "ns", ChronoUnit.NANOS,
          "us", ChronoUnit.MICROS,
          "ms", ChronoUnit.MILLIS,
          "s", ChronoUnit.SECONDS,
          "m", ChronoUnit.MINUTES,
          "h", ChronoUnit.HOURS,
          "d", ChronoUnit.DAYS);

  /** What {@link #parse} reads, for editors, which know no flags; a little less is promised. */
  static final String PATTERN =
      "^[0-9]+( ?([nN][sS]|[uU][sS]|[mM][sS]|[sS]|[mM]|[hH]|[dD]))?$|^[pP][0-9dDtThHmMsS.]+$";

  private Durations() {}

  /** Reads a duration, in which a bare number is milliseconds; null if it is none. */
  static @Nullable Duration parse(String text) {
    return text.matches("[+-]?\\d+") ? parseWithUnit(text + "ms") : parseWithUnit(text);
  }

  /** Reads a duration that says its unit; null if it is none. */
  static @Nullable Duration parseWithUnit(String text) {
    Matcher matcher = WITH_UNIT.matcher(text);
    try {
      return matcher.matches()
          ? Duration.of(
              Long.parseLong(matcher.group(1)),
              UNITS.get(matcher.group(2).toLowerCase(Locale.ROOT)))
          : Duration.parse(text);
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      return null; // None, or one that no Duration can hold.
    }
  }
}

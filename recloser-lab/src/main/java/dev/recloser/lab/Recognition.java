package dev.recloser.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds out from its first lines in which format a log is. */
final class Recognition {
  /** At most so many lines are tried. */
  static final int LINES = 100;

  /** Names separated by commas. A line of a log has other characters. */
  private static final Pattern HEADER = Pattern.compile("\uFEFF?[\\w \t\".-]*(,[\\w \t\".-]*)+");

  private static final long MILLISECOND = 1_000_000;

  private final String name;
  private final List<String> lines;

  /**
   * Creates one.
   *
   * @param name what messages call the source
   * @param lines the first lines, none of them blank
   */
  Recognition(String name, List<String> lines) {
    this.name = name;
    this.lines = lines;
  }

  /**
   * The format that most lines fit, and why it was taken.
   *
   * @param format the format
   * @param reason a phrase
   */
  record Result(LogFormat format, String reason) {}

  /**
   * Whether the lines are those of a file with comma-separated values, be its header right or not.
   */
  boolean isCsv() {
    if (lines.isEmpty() || name.endsWith(".csv") || name.endsWith(".csv.gz")) {
      return true;
    }
    String first = lines.get(0).toLowerCase(Locale.ROOT);
    return HEADER.matcher(first).matches()
        && (first.contains("duration") || first.contains("outcome"));
  }

  /**
   * Tries some formats.
   *
   * @throws InvalidTraceException if not one line fits any of them
   */
  Result among(List<LogFormat> formats) throws InvalidTraceException {
    requireLines();
    List<LogFormat> best = new ArrayList<>();
    long most = 1;
    for (LogFormat format : formats) {
      long fitting = lines.stream().filter(line -> fits(format, line)).count();
      if (fitting > most) {
        best.clear();
        most = fitting;
      }
      if (fitting == most) {
        best.add(format);
      }
    }
    if (best.isEmpty()) {
      throw new InvalidTraceException(name, 1, new Unrecognised(lines, formats).problem());
    }
    requireUnit(best.get(0));
    return new Result(best.get(0), reason(most) + others(best));
  }

  /**
   * Requires that there is anything.
   *
   * @throws InvalidTraceException if all lines are blank
   */
  void requireLines() throws InvalidTraceException {
    if (lines.isEmpty()) {
      throw new InvalidTraceException(name, 1, "nothing (expected: the lines of a log)");
    }
  }

  /**
   * A whole number at the end of a line is microseconds, milliseconds or seconds, depending on who
   * wrote it. Half of the requests of a server taking more than a millisecond is usual, and half of
   * them taking more than a second is not, so a thousand tells them apart. Below it, a wrong guess
   * would make a healthy service of a slow one.
   */
  private void requireUnit(LogFormat format) throws InvalidTraceException {
    if (format.numberInMicroseconds() && medianDuration(format) < MILLISECOND) {
      throw new InvalidTraceException(
          name,
          1,
          "the number at the end of the lines is small for the microseconds of %D (expected: to be"
              + " told what it is, as in tomcat9, where %D is milliseconds, or tomcat: and a pattern"
              + " with %D, %T or %F) in "
              + first());
    }
  }

  private long medianDuration(LogFormat format) {
    long[] durations =
        lines.stream()
            .flatMap(line -> calls(format, line).stream())
            .mapToLong(LoggedCall::durationNanos)
            .sorted()
            .toArray();
    return durations[durations.length / 2];
  }

  /**
   * Requires that a key tells something.
   *
   * @throws IllegalArgumentException if the first lines have calls, but none of them a key
   */
  void requireKey(String key, CallKeys keys, LogFormat format) {
    List<String> found = new ArrayList<>();
    for (String line : lines) {
      found.addAll(keys(keys, format, line));
    }
    if (!found.isEmpty() && found.stream().allMatch(CallKeys.UNKNOWN::equals)) {
      throw new IllegalArgumentException(
          "key: "
              + Shown.value(key)
              + " (expected: a field that has a value, none of the first "
              + found.size()
              + " calls of "
              + name
              + " has one)");
    }
  }

  private String reason(long fitting) {
    return lines.size() == 1
        ? "which its first line fits"
        : "which " + fitting + " of its first " + lines.size() + " lines fit";
  }

  private static String others(List<LogFormat> best) {
    String others =
        best.stream().skip(1).map(LogFormat::toString).collect(Collectors.joining(" and "));
    return others.isEmpty() ? "" : "; they fit " + others + " as well";
  }

  private static boolean fits(LogFormat format, String line) {
    try {
      format.dialect().calls(format.lines().split(line));
      return true;
    } catch (UnreadableLineException e) {
      return false;
    }
  }

  private static List<String> keys(CallKeys keys, LogFormat format, String line) {
    try {
      Fields fields = format.lines().split(line);
      return format.dialect().calls(fields).stream().map(call -> keys.of(fields, call)).toList();
    } catch (UnreadableLineException e) {
      return List.of();
    }
  }

  private static List<LoggedCall> calls(LogFormat format, String line) {
    try {
      return format.dialect().calls(format.lines().split(line));
    } catch (UnreadableLineException e) {
      return List.of();
    }
  }

  private String first() {
    return Shown.line(lines.get(0));
  }
}

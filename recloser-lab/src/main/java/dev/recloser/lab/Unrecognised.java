package dev.recloser.lab;

import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Says of a log that fits none of some formats what it looks like instead, and what to do. */
final class Unrecognised {
  /** The beginning that all formats derived from the Common Log Format share. */
  private static final Pattern COMMON_LOG =
      Pattern.compile("\\S+ \\S+ \\S+ \\[\\d{2}/\\w{3}/\\d{4}:[^]]+] \"[^\"]*\" \\d{3} \\S+.*");

  private final List<String> lines;
  private final List<LogFormat> formats;

  /**
   * Creates one.
   *
   * @param lines the first lines, at least one
   * @param formats those that were tried
   */
  Unrecognised(List<String> lines, List<LogFormat> formats) {
    this.lines = lines;
    this.formats = formats;
  }

  String problem() {
    return what() + " in " + Shown.line(lines.get(0));
  }

  private String what() {
    List<String> programs = formats.stream().map(LogFormat::program).distinct().sorted().toList();
    if (programs.size() == 1) {
      return none()
          + formats.stream().map(LogFormat::toString).collect(Collectors.joining(" or "))
          + " (expected: one of them, or another format string behind the name and a colon)";
    }
    if (lines.stream().anyMatch(line -> COMMON_LOG.matcher(line).matches())) {
      return "the common or combined log format, without how long a request took, or with it in an"
          + " unusual place (expected: $request_time or %D at the end of the line, or the format"
          + " named with its format string)";
    }
    return json(programs);
  }

  private String json(List<String> programs) {
    try {
      String fields = String.join(", ", new TreeSet<>(JsonLines.read(lines.get(0)).keySet()));
      return "JSON lines with the fields "
          + Shown.line(fields)
          + " (expected: to be told which of them to read, as in"
          + " jsonl:end=time,duration_s=took,outcome=status)";
    } catch (UnreadableLineException e) {
      return none()
          + "of a known format (expected: one of "
          + String.join(", ", programs)
          + ", or CSV with the columns at, duration and outcome)";
    }
  }

  private String none() {
    return lines.size() == 1
        ? "the first line is not "
        : "none of the first " + lines.size() + " lines is ";
  }
}

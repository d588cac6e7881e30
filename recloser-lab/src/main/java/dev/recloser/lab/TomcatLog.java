package dev.recloser.lab;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat, alone or within a Spring Boot application, and Apache httpd, whose access logs share a
 * syntax but not all meanings: {@code %t} is the end of a request in Tomcat and its beginning in
 * httpd, and {@code %D} is microseconds but for Tomcat up to version 9, where it is milliseconds.
 */
final class TomcatLog implements LogDialect {
  static final String COMMON = "%h %l %u %t \"%r\" %s %b";
  static final String COMBINED = COMMON + " \"%{Referer}i\" \"%{User-Agent}i\"";

  /** Which program wrote the log. */
  enum Program {
    /** From version 10 on. */
    TOMCAT,
    /** Up to version 9. */
    TOMCAT_9,
    APACHE
  }

  private static final Pattern TIME = Pattern.compile("(\\{(begin:|end:)?(?<format>[^}]*)})?t");
  private static final Pattern DURATION = Pattern.compile("D|F|(\\{\\w+})?T");

  private final LogValues values = new LogValues();
  private final Program program;
  private final String timeField;
  private final boolean stampedAtBegin;
  private final @Nullable DecimalTime timeUnit;
  private final String durationField;
  private final DecimalTime durationUnit;

  /**
   * Creates one.
   *
   * @throws IllegalArgumentException if the fields do not say when a request was, how long it took,
   *     and how it ended
   */
  TomcatLog(Program program, Set<String> fields) {
    this.program = program;
    new RequiredFields(fields)
        .oneOf("%t", TIME.asMatchPredicate())
        .oneOf("%D, %F, %T", DURATION.asMatchPredicate())
        .oneOf("%s")
        .check();
    timeField = finestTime(fields);
    durationField = finestDuration(fields);
    stampedAtBegin =
        timeField.startsWith("{begin:")
            || (program == Program.APACHE && !timeField.startsWith("{end:"));
    timeUnit = timeUnit(timeField);
    durationUnit = durationUnit(durationField);
  }

  /** Text is mostly to the second. */
  private static String finestTime(Set<String> fields) {
    return fields.stream()
        .filter(TIME.asMatchPredicate())
        .max(
            Comparator.comparing(
                TomcatLog::timeUnit, Comparator.nullsFirst(Comparator.naturalOrder())))
        .orElseThrow();
  }

  /** The time to the first byte is only taken where nothing says when the last was sent. */
  private String finestDuration(Set<String> fields) {
    return fields.stream()
        .filter(DURATION.asMatchPredicate())
        .min(
            Comparator.comparing((String field) -> field.equals("F"))
                .thenComparing(this::durationUnit, Comparator.reverseOrder()))
        .orElseThrow();
  }

  /** Null for a time that is written as text. */
  private static @Nullable DecimalTime timeUnit(String field) {
    return switch (field.replaceAll("begin:|end:", "")) {
      case "{sec}t" -> DecimalTime.SECONDS;
      case "{msec}t" -> DecimalTime.MILLISECONDS;
      case "{usec}t" -> DecimalTime.MICROSECONDS;
      default -> null;
    };
  }

  private DecimalTime durationUnit(String field) {
    return switch (field) {
      case "D" -> program == Program.TOMCAT_9 ? DecimalTime.MILLISECONDS : DecimalTime.MICROSECONDS;
      case "F", "{ms}T" -> DecimalTime.MILLISECONDS;
      case "{us}T" -> DecimalTime.MICROSECONDS;
      case "{ns}T" -> DecimalTime.NANOSECONDS;
      default -> DecimalTime.SECONDS;
    };
  }

  @Override
  public List<LoggedCall> calls(Fields line) throws UnreadableLineException {
    String time = line.get(timeField);
    long stamp =
        timeUnit == null ? values.time(timeField, time) : values.time(timeField, time, timeUnit);
    long duration = duration(line.get(durationField));
    RecordedOutcome outcome = values.status("s", line.get("s"));
    return List.of(
        stampedAtBegin
            ? LoggedCall.begunAt(stamp, duration, outcome)
            : LoggedCall.endedAt(stamp, duration, outcome));
  }

  /** Only some seconds have decimals, and they always do. */
  private long duration(@Nullable String text) throws UnreadableLineException {
    boolean decimals =
        durationField.equals("{fracsec}T")
            || (program == Program.TOMCAT_9 && durationField.equals("T"));
    if (text != null && decimals != text.indexOf('.') >= 0) {
      String expected = decimals ? "seconds with decimals" : "a whole number";
      throw new UnreadableLineException(durationField, text, expected);
    }
    return values.duration(durationField, text, durationUnit);
  }

  @Override
  public List<String> hosts() {
    return List.of("{Host}i", "v", "V");
  }

  @Override
  public List<String> routes() {
    return List.of();
  }

  @Override
  public List<String> upstreams() {
    return List.of("v", "V");
  }

  @Override
  public List<List<String>> requests() {
    return List.of(List.of("r"), List.of("m", "U"));
  }
}

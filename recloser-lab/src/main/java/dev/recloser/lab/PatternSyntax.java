package dev.recloser.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How a program writes the fields in its format strings. */
enum PatternSyntax {
  /** nginx: {@code $name} and <code>${name}</code>. The variables of upstreams are lists. */
  NGINX("$status", "\\$\\{(?<a>\\w+)}|\\$(?<b>\\w+)"),

  /** Tomcat and Apache httpd: {@code %h}, {@code %>s}, <code>%{Referer}i</code>. */
  TOMCAT("%s", "%[<>]?(?<a>(?:\\{[^}]*})?[a-zA-Z])"),

  /** HAProxy: {@code %ci}, <code>%{+Q}r</code> with quotes, {@code %[capture.req.hdr(0)]}. */
  HAPROXY("%ST", "%(?:\\{(?<flags>[^}]*)})?(?:\\[(?<a>[^]]*)]|(?<b>[A-Za-z]+))"),

  /** Envoy: {@code %START_TIME%}, {@code %REQ(:PATH)%}, {@code %DURATION%}. */
  ENVOY("%RESPONSE_CODE%", "%(?<a>[A-Z0-9_]+(?:\\([^)]*\\))?)(?::[0-9]+)?%");

  private final String example;
  private final Pattern field;

  PatternSyntax(String example, String field) {
    this.example = example;
    this.field = Pattern.compile(field);
  }

  /**
   * Reads a format string.
   *
   * @param written as it stands in the program's configuration
   * @throws IllegalArgumentException if it has no fields, or two with nothing in between
   */
  LogPattern compile(String written) {
    String format = unescaped(written);
    Matcher matcher = field.matcher(format);
    List<String> names = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (matcher.find()) {
      text.append(format, at, matcher.start()).append(around(matcher, '['));
      texts.add(text.toString());
      names.add(name(matcher));
      text.setLength(0);
      text.append(around(matcher, ']'));
      at = matcher.end();
    }
    texts.add(text.append(format.substring(at)).toString());
    requireSeparated(format, names, texts);
    return new LogPattern(texts.get(0), fields(names, texts));
  }

  /** Tabs, and the end of the line, as configuration files write them. */
  private static String unescaped(String format) {
    String line = format.endsWith("\\n") ? format.substring(0, format.length() - 2) : format;
    return line.replace("\\t", "\t");
  }

  private String name(Matcher matcher) {
    String name = matcher.group("a");
    if (name == null) {
      name = matcher.group("b");
    }
    // The format of a start time is seen from what it prints.
    return this == ENVOY && name.startsWith("START_TIME(") ? "START_TIME" : name;
  }

  /** What the program prints around the value of a field; the bracket tells on which side. */
  private String around(Matcher matcher, char bracket) {
    if (this == TOMCAT && matcher.group("a").equals("t")) {
      return String.valueOf(bracket);
    }
    String flags = this == HAPROXY ? matcher.group("flags") : null;
    return flags != null && flags.contains("Q") ? "\"" : "";
  }

  private List<LogPattern.Field> fields(List<String> names, List<String> texts) {
    List<LogPattern.Field> fields = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      String end = texts.get(i + 1);
      boolean list = this == NGINX && name.startsWith("upstream_");
      boolean quoted = texts.get(i).endsWith("\"") && end.startsWith("\"");
      fields.add(new LogPattern.Field(name, list, quoted, end));
    }
    return fields;
  }

  private void requireSeparated(String format, List<String> names, List<String> texts) {
    if (names.isEmpty()) {
      throw new IllegalArgumentException(
          "no fields in \"%s\" (expected: some, such as %s)"
              .formatted(Shown.line(format), example));
    }
    for (int i = 1; i < names.size(); i++) {
      if (texts.get(i).isEmpty()) {
        throw new IllegalArgumentException(
            "%s and %s with nothing in between (expected: text that tells where one ends)"
                .formatted(names.get(i - 1), names.get(i)));
      }
    }
  }

  /** The syntax that a program has; null if it has no format strings. */
  static @Nullable PatternSyntax of(String program) {
    return switch (program) {
      case "nginx" -> NGINX;
      case "tomcat", "tomcat9", "apache" -> TOMCAT;
      case "haproxy" -> HAPROXY;
      case "envoy" -> ENVOY;
      default -> null;
    };
  }
}

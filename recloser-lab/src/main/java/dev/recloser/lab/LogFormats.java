package dev.recloser.lab;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The formats of logs that are known, and those that a user describes. */
final class LogFormats {
  /** How a format is named. */
  static final String EXPECTED =
      "csv, nginx, haproxy, envoy, alb, traefik, tomcat, tomcat9, apache or jsonl; nginx, haproxy,"
          + " envoy, tomcat, tomcat9 and apache with a colon and a format string, if it is not the"
          + " usual one; jsonl with a colon and the names of fields";

  private static final String JSON_LINES = "jsonl";

  private LogFormats() {}

  /** The formats by which a log is recognised, those that fit the fewest lines first. */
  static List<LogFormat> recognised() {
    return List.of(
        traefikJson(),
        envoyJson(),
        jsonLines(JsonLog.DEFAULT, "at, duration and outcome"),
        haproxy(),
        alb(),
        envoy("Istio's format", EnvoyLog.ISTIO),
        envoy("the default format", EnvoyLog.DEFAULT),
        traefikCommon(),
        nginx(
            "combined with $request_time, $upstream_response_time and $upstream_status",
            NginxLog.WITH_UPSTREAM),
        nginx("combined with $request_time", NginxLog.WITH_REQUEST_TIME),
        tomcat("combined", TomcatLog.COMBINED),
        tomcat("common", TomcatLog.COMMON),
        tomcat9("combined", TomcatLog.COMBINED, "%T"),
        tomcat9("common", TomcatLog.COMMON, "%T"));
  }

  /**
   * The formats that a user can mean.
   *
   * @param text the name of a program, with or without a colon and a format string
   * @throws IllegalArgumentException if there is no such format, or the format string is wrong
   */
  static List<LogFormat> named(String text) {
    int colon = text.indexOf(':');
    String program = colon < 0 ? text : text.substring(0, colon);
    if (colon >= 0) {
      return List.of(described(program, text.substring(colon + 1)));
    }
    List<LogFormat> formats =
        Stream.concat(recognised().stream(), namedOnly().stream())
            .filter(format -> format.program().equals(program))
            .toList();
    if (formats.isEmpty()) {
      throw unknown(text);
    }
    return formats;
  }

  /** Formats that look like others, so that their lines do not tell them. */
  private static List<LogFormat> namedOnly() {
    return List.of(
        tomcat9("combined", TomcatLog.COMBINED, "%D"),
        tomcat9("common", TomcatLog.COMMON, "%D"),
        apache("combined", TomcatLog.COMBINED),
        apache("common", TomcatLog.COMMON));
  }

  private static LogFormat described(String program, String format) {
    if (program.equals(JSON_LINES)) {
      return jsonLines(format, format);
    }
    PatternSyntax syntax = PatternSyntax.of(program);
    if (syntax == null) {
      throw unknown(program + ":" + format);
    }
    boolean nginx = syntax == PatternSyntax.NGINX;
    LogPattern lines = syntax.compile(nginx ? LogFormatDirective.joined(format) : format);
    return new LogFormat(program, "as described", lines, dialect(program, lines.names()));
  }

  private static LogDialect dialect(String program, Set<String> fields) {
    return switch (program) {
      case "nginx" -> new NginxLog(fields);
      case "haproxy" -> new HaproxyLog(fields);
      case "envoy" -> new EnvoyLog(fields);
      case "tomcat9" -> new TomcatLog(TomcatLog.Program.TOMCAT_9, fields);
      case "apache" -> new TomcatLog(TomcatLog.Program.APACHE, fields);
      default -> new TomcatLog(TomcatLog.Program.TOMCAT, fields);
    };
  }

  private static LogFormat nginx(String description, String format) {
    LogPattern lines = PatternSyntax.NGINX.compile(format);
    return new LogFormat("nginx", description, lines, new NginxLog(lines.names()));
  }

  private static LogFormat haproxy() {
    LogPattern lines = PatternSyntax.HAPROXY.compile(HaproxyLog.HTTP_LOG);
    LineFormat bare = new WithoutSyslogHeader(lines);
    return new LogFormat("haproxy", "HTTP log", bare, new HaproxyLog(lines.names()));
  }

  private static LogFormat envoy(String description, String format) {
    LogPattern lines = PatternSyntax.ENVOY.compile(format);
    return new LogFormat("envoy", description, lines, new EnvoyLog(lines.names()));
  }

  private static LogFormat envoyJson() {
    return new LogFormat("envoy", "JSON", new JsonLines(), new EnvoyLog(null));
  }

  private static LogFormat alb() {
    LogPattern lines = PatternSyntax.NGINX.compile(AlbLog.FIELDS);
    return new LogFormat("alb", "access log", lines, new AlbLog());
  }

  private static LogFormat traefikJson() {
    return new LogFormat("traefik", "JSON", new JsonLines(), new TraefikLog());
  }

  private static LogFormat traefikCommon() {
    LogPattern lines = PatternSyntax.NGINX.compile(TraefikLog.COMMON);
    return new LogFormat("traefik", "common log format", lines, new TraefikLog());
  }

  private static LogFormat tomcat(String name, String format) {
    LogPattern lines = PatternSyntax.TOMCAT.compile(format + " %D");
    return new LogFormat(
        "tomcat",
        name + " with %D in microseconds",
        lines,
        new TomcatLog(TomcatLog.Program.TOMCAT, lines.names()),
        true);
  }

  private static LogFormat tomcat9(String name, String format, String duration) {
    LogPattern lines = PatternSyntax.TOMCAT.compile(format + " " + duration);
    String unit = duration.equals("%D") ? " in milliseconds" : " in seconds with decimals";
    return new LogFormat(
        "tomcat9",
        name + " with " + duration + unit,
        lines,
        new TomcatLog(TomcatLog.Program.TOMCAT_9, lines.names()));
  }

  private static LogFormat apache(String name, String format) {
    LogPattern lines = PatternSyntax.TOMCAT.compile(format + " %D");
    return new LogFormat(
        "apache",
        name + " with %D in microseconds",
        lines,
        new TomcatLog(TomcatLog.Program.APACHE, lines.names()));
  }

  private static LogFormat jsonLines(String mapping, String description) {
    return new LogFormat(JSON_LINES, description, new JsonLines(), new JsonLog(mapping));
  }

  private static IllegalArgumentException unknown(String text) {
    return new IllegalArgumentException(Shown.value(text) + " (expected: " + EXPECTED + ")");
  }

  private record WithoutSyslogHeader(LineFormat format) implements LineFormat {
    @Override
    public Fields split(String line) throws UnreadableLineException {
      return format.split(HaproxyLog.withoutSyslogHeader(line));
    }

    @Override
    public @Nullable Set<String> names() {
      return format.names();
    }
  }
}

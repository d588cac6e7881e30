package dev.recloser.lab;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * JSON lines whose fields the user names: {@code end_s=ts,duration_s=took,outcome=status}.
 *
 * <p>A number of {@code at} or {@code end} is counted in the unit behind the underscore,
 * milliseconds without one; anything else is a time as text.
 */
final class JsonLog implements LogDialect {
  static final String DEFAULT = "at=at,duration=duration,outcome=outcome";
  static final String EXPECTED =
      "at=FIELD or end=FIELD, duration=FIELD and outcome=FIELD, separated by commas; the first two"
          + " with _s, _ms, _us or _ns for a unit other than milliseconds";

  private static final Map<String, DecimalTime> UNITS =
      Map.of(
          "", DecimalTime.MILLISECONDS,
          "_s", DecimalTime.SECONDS,
          "_ms", DecimalTime.MILLISECONDS,
          "_us", DecimalTime.MICROSECONDS,
          "_ns", DecimalTime.NANOSECONDS);

  private final LogValues values = new LogValues();
  private final Role at;
  private final Role duration;
  private final Role outcome;
  private final boolean stampedAtEnd;

  private record Role(String field, DecimalTime unit) {}

  /**
   * Creates one.
   *
   * @param mapping which field has which role
   * @throws IllegalArgumentException if a role is missing, given twice, or unknown
   */
  JsonLog(String mapping) {
    Map<String, Role> roles = roles(mapping);
    stampedAtEnd = roles.containsKey("end");
    if (stampedAtEnd == roles.containsKey("at")) {
      throw wrong(mapping);
    }
    at = role(roles, stampedAtEnd ? "end" : "at", mapping);
    duration = role(roles, "duration", mapping);
    outcome = role(roles, "outcome", mapping);
    if (roles.size() > 3) {
      throw wrong(mapping);
    }
  }

  private static Map<String, Role> roles(String mapping) {
    Map<String, Role> roles = new TreeMap<>();
    for (String part : mapping.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals <= 0 || equals == part.length() - 1) {
        throw wrong(mapping);
      }
      String name = part.substring(0, equals).strip();
      int underscore = name.indexOf('_');
      String role = underscore < 0 ? name : name.substring(0, underscore);
      DecimalTime unit = UNITS.get(underscore < 0 ? "" : name.substring(underscore));
      String field = part.substring(equals + 1).strip();
      if (unit == null || roles.put(role, new Role(field, unit)) != null) {
        throw wrong(mapping);
      }
    }
    return roles;
  }

  private static Role role(Map<String, Role> roles, String name, String mapping) {
    return Optional.ofNullable(roles.get(name)).orElseThrow(() -> wrong(mapping));
  }

  private static IllegalArgumentException wrong(String mapping) {
    return new IllegalArgumentException(Shown.value(mapping) + " (expected: " + EXPECTED + ")");
  }

  @Override
  public List<LoggedCall> calls(Fields line) throws UnreadableLineException {
    long stamp = values.time(at.field(), line.get(at.field()), at.unit());
    String time = line.get(duration.field());
    long nanos = values.duration(duration.field(), time, duration.unit());
    RecordedOutcome ended = values.outcome(outcome.field(), line.get(outcome.field()));
    return List.of(
        stampedAtEnd
            ? LoggedCall.endedAt(stamp, nanos, ended)
            : LoggedCall.begunAt(stamp, nanos, ended));
  }

  @Override
  public List<String> hosts() {
    return List.of("host");
  }

  @Override
  public List<String> routes() {
    return List.of("route");
  }

  @Override
  public List<String> upstreams() {
    return List.of("upstream");
  }

  @Override
  public List<List<String>> requests() {
    return List.of(List.of("method", "path"), List.of("method", "uri"));
  }
}

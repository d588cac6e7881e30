package dev.recloser.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which dependency a logged call went to. */
final class CallKeys {
  /** The key of a call whose line does not tell. */
  static final String UNKNOWN = "-";

  private static final String HOST = "host";
  private static final String ROUTE = "route";
  private static final String UPSTREAM = "upstream";

  private final LogDialect dialect;
  private final List<String> fields;
  private final List<List<String>> requests;

  /** The keys that were seen last, so that each is one string however many calls have it. */
  private final Memo<String, String> shared = new Memo<>(key -> key);

  private CallKeys(LogDialect dialect, List<String> fields, List<List<String>> requests) {
    this.dialect = dialect;
    this.fields = fields;
    this.requests = requests;
  }

  /**
   * Creates them.
   *
   * @param key host, route, upstream, or a field as it is written in the format
   * @throws IllegalArgumentException if the format has no field for it
   */
  static CallKeys by(String key, LogFormat format) {
    Set<String> names = format.lines().names();
    List<String> fields = known(fields(key, format.dialect()), names);
    List<List<String>> requests =
        key.equals(ROUTE) ? knownRequests(format.dialect(), names) : List.of();
    if (fields.isEmpty() && requests.isEmpty()) {
      throw unknown(key, format.dialect(), names == null ? Set.of() : names);
    }
    return new CallKeys(format.dialect(), fields, requests);
  }

  private static List<String> fields(String key, LogDialect dialect) {
    return switch (key) {
      case HOST -> dialect.hosts();
      case ROUTE -> dialect.routes();
      case UPSTREAM -> dialect.upstreams();
      default -> List.of(bare(key));
    };
  }

  private static List<String> known(List<String> fields, @Nullable Set<String> names) {
    return names == null ? fields : fields.stream().filter(names::contains).toList();
  }

  private static List<List<String>> knownRequests(LogDialect dialect, @Nullable Set<String> names) {
    List<List<String>> requests = dialect.requests();
    return names == null ? requests : requests.stream().filter(names::containsAll).toList();
  }

  private static IllegalArgumentException unknown(
      String key, LogDialect dialect, Set<String> names) {
    List<String> expected = new ArrayList<>();
    for (String alias : List.of(HOST, ROUTE, UPSTREAM)) {
      boolean route = alias.equals(ROUTE) && !knownRequests(dialect, names).isEmpty();
      if (route || !known(fields(alias, dialect), names).isEmpty()) {
        expected.add(alias);
      }
    }
    expected.add("or one of the fields " + String.join(", ", new TreeSet<>(names)));
    return new IllegalArgumentException(
        "key: " + Shown.value(key) + " (expected: " + String.join(", ", expected) + ")");
  }

  /** A field without what marks it as one: {@code $host}, {@code %b}, {@code %ROUTE_NAME%}. */
  private static String bare(String field) {
    if (field.startsWith("${") && field.endsWith("}")) {
      return field.substring(2, field.length() - 1);
    }
    int start = field.startsWith("$") || field.startsWith("%") ? 1 : 0;
    boolean closed = field.startsWith("%") && field.endsWith("%") && field.length() > 2;
    return field.substring(start, field.length() - (closed ? 1 : 0));
  }

  String of(Fields line, LoggedCall call) {
    for (String field : fields) {
      String value = dialect.value(line, field, call);
      if (value != null) {
        return shared.get(value);
      }
    }
    for (List<String> request : requests) {
      List<String> values = values(line, request, call);
      if (values != null) {
        return shared.get(Routes.of(values));
      }
    }
    return UNKNOWN;
  }

  private @Nullable List<String> values(Fields line, List<String> request, LoggedCall call) {
    List<String> values = new ArrayList<>();
    for (String field : request) {
      String value = dialect.value(line, field, call);
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return values;
  }
}

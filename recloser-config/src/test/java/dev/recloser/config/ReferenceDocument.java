package dev.recloser.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The reference page of all keys, made of the same descriptions that files are read by. */
final class ReferenceDocument {
  private static final Map<PolicyKind<?, ?>, String> TITLES =
      Map.of(
          PolicyKind.CIRCUIT_BREAKER, "Circuit breaker",
          PolicyKind.RETRY, "Retry",
          PolicyKind.HEDGE, "Hedge",
          PolicyKind.RATE_LIMITER, "Rate limiter",
          PolicyKind.BULKHEAD, "Bulkhead",
          PolicyKind.THREAD_POOL_BULKHEAD, "Bulkhead with threads of its own",
          PolicyKind.TIMEOUT, "Timeout");

  private ReferenceDocument() {}

  static String keys() {
    StringBuilder text = new StringBuilder();
    PolicyKind.ALL.forEach(kind -> text.append(section(kind)));
    return text.toString();
  }

  static String rules() {
    StringBuilder text = new StringBuilder("| rule | severity | mistake |\n| --- | --- | --- |\n");
    for (Lint.Rule rule : Lint.rules()) {
      text.append(
          "| `%s` | %s | %s |\n".formatted(rule.id(), rule.severity().text(), rule.about()));
    }
    return text.toString();
  }

  private static String section(PolicyKind<?, ?> kind) {
    List<String> rows = new ArrayList<>();
    List<String> unused = new ArrayList<>();
    KeyDefaults defaults = KeyDefaults.of(kind);
    for (Key<?> key : kind.keys().all()) {
      if (key instanceof Key.Setting<?, ?> setting) {
        rows.add(row(kind, setting, defaults));
      } else {
        unused.add("- `%s`: %s.\n".formatted(key.name(), key.description()));
      }
    }
    String names = String.join("` or `", kind.names());
    String text =
        """
        ### %s

        Section `%s`. [More](%s).

        | key | type | default | what it is | rule | in Resilience4j |
        | --- | --- | --- | --- | --- | --- |
        %s
        """
            .formatted(TITLES.get(kind), names, page(kind), String.join("", rows));
    return unused.isEmpty()
        ? text
        : text
            + "Keys of Resilience4j that are read and do nothing:\n\n"
            + String.join("", unused)
            + "\n";
  }

  private static String row(PolicyKind<?, ?> kind, Key.Setting<?, ?> key, KeyDefaults defaults) {
    Form form = key.kind().form();
    String type = form.text() + (form.unit().isEmpty() ? "" : " (" + form.unit() + ")");
    String value = defaults.of(key);
    return "| `%s` | %s | %s | %s | %s | %s |\n"
        .formatted(
            key.name(),
            type,
            value == null ? "must be given" : value,
            key.description(),
            rule(kind, key),
            elsewhere(key));
  }

  private static String rule(PolicyKind<?, ?> kind, Key.Setting<?, ?> key) {
    String rule = key.background().rule();
    if (!rule.isEmpty()) {
      return "[" + rule + "](semantics.md)";
    }
    return key.name().equals(Keys.BASE_CONFIG) ? "" : "[%s](%s)".formatted(kind, page(kind));
  }

  private static String elsewhere(Key.Setting<?, ?> key) {
    String elsewhere = key.background().elsewhere();
    String alias =
        key.aliases().isEmpty() ? "" : "also `" + String.join("`, `", key.aliases()) + "`";
    if (elsewhere.isEmpty()) {
      return alias.isEmpty() ? "the same" : alias;
    }
    return alias.isEmpty() ? elsewhere : elsewhere + "; " + alias;
  }

  private static String page(PolicyKind<?, ?> kind) {
    if (kind == PolicyKind.CIRCUIT_BREAKER) {
      return "semantics.md";
    } else if (kind == PolicyKind.THREAD_POOL_BULKHEAD) {
      return "pipeline.md#in-a-file";
    }
    return "pipeline.md#" + TITLES.get(kind).toLowerCase(java.util.Locale.ROOT).replace(' ', '-');
  }
}

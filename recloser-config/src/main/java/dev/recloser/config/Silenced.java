package dev.recloser.config;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What findings a file wants nothing to be said of, each with a reason: of a rule everywhere, or
 * for policies and pipelines of a name.
 */
final class Silenced {
  private static final String EXPECTED = "the reason why it is as it shall be";

  private final Problems problems;
  private final Map<String, String> everywhere = new HashMap<>();
  private final Map<String, Map<String, String>> byName = new HashMap<>();

  Silenced(Problems problems) {
    this.problems = problems;
  }

  /** Reads what is under a key of this name. */
  void read(String section, Value value) {
    String path = section + ".";
    Section.of(section, value, problems)
        .open(path, problems)
        .forEach((id, reason) -> readRule(id, path + id, reason));
  }

  /** Why a finding is not to be told; null if it is. */
  @Nullable String reason(String rule, String name) {
    String ofName = byName.getOrDefault(rule, Map.of()).get(name);
    return ofName == null ? everywhere.get(rule) : ofName;
  }

  private void readRule(String id, String key, Value reason) {
    if (Lint.ids().stream().noneMatch(id::equals)) {
      String nearest = Spelling.nearest(id, Lint.ids());
      problems.add(
          reason.place(), key, reason.shown(), "the id of a rule; the nearest is " + nearest);
    } else if (reason instanceof Section names) {
      Map<String, String> reasons = byName.computeIfAbsent(id, absent -> new HashMap<>());
      names
          .open(key + ".", problems)
          .forEach((name, each) -> readReason(key + "." + name, each, name, reasons));
    } else {
      readReason(key, reason, id, everywhere);
    }
  }

  /** The name that keys within keys were to be. */
  private static String dotted(String before, Section section) {
    Map.Entry<String, Value> first = section.entries().entrySet().iterator().next();
    String name = before + "." + first.getKey();
    return first.getValue() instanceof Section inner && !inner.entries().isEmpty()
        ? dotted(name, inner)
        : name;
  }

  private void readReason(String key, Value value, String name, Map<String, String> reasons) {
    String text = value instanceof Value.Scalar scalar ? scalar.text() : null;
    if (value instanceof Section inner && !inner.entries().isEmpty()) {
      String expected =
          EXPECTED + "; a name with dots stands in brackets: [" + dotted(name, inner) + "]";
      problems.add(value.place(), key, value.shown(), expected);
    } else if (text == null || text.isBlank()) {
      problems.add(value.place(), key, value.shown(), EXPECTED);
    } else {
      reasons.put(name, text.strip());
    }
  }
}

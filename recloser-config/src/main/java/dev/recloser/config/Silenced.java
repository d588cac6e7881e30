package dev.recloser.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What findings a file wants nothing to be said of, each with a reason: of a rule everywhere, or
 * for policies and pipelines of a name.
 */
final class Silenced implements Part {
  /** What it is called. */
  static final String SECTION = "lint";

  private static final String EXPECTED = "the reason why it is as it shall be";

  private final Problems problems;
  private final Map<String, String> everywhere = new HashMap<>();
  private final Map<String, Map<String, String>> byName = new HashMap<>();

  Silenced(Problems problems) {
    this.problems = problems;
  }

  @Override
  public List<String> names() {
    return List.of(SECTION);
  }

  @Override
  public void read(String section, String path, Value value) {
    Section.of(section, value, problems)
        .open(path, problems)
        .forEach(
            (key, part) -> {
              if (KeyPath.canonical(key).equals(Section.SILENCED)) {
                readRules(path + key, part);
              } else {
                problems.add(part.place(), path + key, part.shown(), Section.SILENCED);
              }
            });
  }

  /** It is no policy. */
  @Override
  public boolean isEmpty() {
    return true;
  }

  @Override
  public boolean hasKey(String spelled) {
    return false;
  }

  /** Why a finding is not to be told; null if it is. */
  @Nullable String reason(String rule, String name) {
    String ofName = byName.getOrDefault(rule, Map.of()).get(name);
    return ofName == null ? everywhere.get(rule) : ofName;
  }

  private void readRules(String section, Value value) {
    String path = section + ".";
    Section.of(section, value, problems)
        .open(path, problems)
        .forEach((id, reason) -> readRule(id, path + id, reason));
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

  private void readReason(String key, Value value, String name, Map<String, String> reasons) {
    String text = value instanceof Value.Scalar scalar ? scalar.text() : null;
    if (value instanceof Section inner && !inner.entries().isEmpty()) {
      String dotted = name + "." + inner.entries().keySet().iterator().next();
      String expected = EXPECTED + "; a name with dots stands in brackets: [" + dotted + "]";
      problems.add(value.place(), key, value.shown(), expected);
    } else if (text == null || text.isBlank()) {
      problems.add(value.place(), key, value.shown(), EXPECTED);
    } else {
      reasons.put(name, text.strip());
    }
  }
}

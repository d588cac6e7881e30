package dev.recloser.config;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the parts of a source that are of interest, under their roots. */
final class Layout {
  /** What configs and instances stand under. */
  static final String WHERE = "recloser.circuitbreaker or resilience4j.circuitbreaker";

  /** What a source of circuit breakers has. */
  static final String EXPECTED =
      "the settings of a circuit breaker, or configs and instances under " + WHERE;

  /** What a source of all kinds of policies has. */
  static final String POLICIES_EXPECTED =
      "circuitbreaker, retry, hedge, bulkhead, thread-pool-bulkhead, ratelimiter, timelimiter or"
          + " pipelines under recloser or resilience4j";

  private static final Set<String> ROOTS = Set.of("recloser", "resilience4j");

  /** A key with at most so many edits from a known one is not somebody else's. */
  private static final int TYPO = 3;

  private final List<? extends Part> parts;
  private final Problems problems;

  private Layout(List<? extends Part> parts, Problems problems) {
    this.parts = parts;
    this.problems = problems;
  }

  /** Reads circuit breakers, by their names or as a bare block. */
  static void read(Section root, Blocks<?, ?> breakers, Problems problems) {
    Map<String, Value> entries = root.entries();
    if (isRooted(root)) {
      new Layout(List.of(breakers), problems).readRoots(root, "no circuit breaker", EXPECTED);
    } else if (entries.entrySet().stream().anyMatch(entry -> isOfBareBlock(breakers, entry))) {
      breakers.readBare(root);
    } else {
      problems.addNothing(
          root.place(), entries.isEmpty() ? "empty" : "no circuit breaker", EXPECTED);
    }
  }

  /** Reads all parts. */
  static void read(Section root, List<? extends Part> parts, Problems problems) {
    Layout layout = new Layout(parts, problems);
    if (isRooted(root)) {
      layout.readRoots(root, "no policy", POLICIES_EXPECTED);
    } else {
      layout.reportRootless(root);
    }
  }

  private static boolean isRooted(Section root) {
    return root.entries().keySet().stream().map(KeyPath::canonical).anyMatch(ROOTS::contains);
  }

  /** Other programs' keys are sections; a bare block has values, or misplaced names. */
  private static boolean isOfBareBlock(Blocks<?, ?> breakers, Map.Entry<String, Value> entry) {
    String key = entry.getKey();
    return breakers.kind().keys().find(key) != null
        || Section.isOfBlocks(key)
        || !(entry.getValue() instanceof Section);
  }

  private void readRoots(Section root, String nothing, String expected) {
    root.open("", problems).forEach(this::readTopLevel);
    if (parts.stream().allMatch(Part::isEmpty) && problems.isEmpty()) {
      problems.addNothing(root.place(), nothing, expected);
    }
  }

  private void readTopLevel(String key, Value value) {
    if (ROOTS.contains(KeyPath.canonical(key))) {
      Section.of(key, value, problems)
          .open(key + ".", problems)
          .forEach((k, v) -> readRooted(key, k, v));
    } else if (parts.stream().anyMatch(part -> part.hasKey(key))) {
      problems.add(value.place(), key, value.shown(), "this key under configs or instances");
    }
  }

  private void readRooted(String root, String key, Value value) {
    for (Part part : parts) {
      if (isNameOf(part, key)) {
        part.read(key, parts.size() == 1 ? "" : key + ".", value);
        return;
      }
    }
    List<String> names = parts.stream().flatMap(part -> part.names().stream()).toList();
    String nearest = Spelling.nearest(key, names);
    if (Spelling.edits(key, nearest) <= Math.min(TYPO, nearest.length() / 3)) {
      problems.add(value.place(), root + "." + key, value.shown(), nearest);
    }
  }

  /** Says what is missing around the parts and settings that have no root. */
  private void reportRootless(Section root) {
    root.open("", problems)
        .forEach(
            (key, value) -> {
              if (parts.stream().anyMatch(part -> isNameOf(part, key))) {
                problems.add(
                    value.place(), key, value.shown(), "this key under recloser or resilience4j");
              } else if (Section.isOfBlocks(key)
                  || parts.stream().anyMatch(part -> part.hasKey(key))) {
                String expected = "this key under the kind of policy it is for";
                problems.add(value.place(), key, value.shown(), expected);
              }
            });
    if (problems.isEmpty()) {
      String found = root.entries().isEmpty() ? "empty" : "no policy";
      problems.addNothing(root.place(), found, POLICIES_EXPECTED);
    }
  }

  private static boolean isNameOf(Part part, String key) {
    String canonical = KeyPath.canonical(key);
    return part.names().stream().map(KeyPath::canonical).anyMatch(canonical::equals);
  }
}

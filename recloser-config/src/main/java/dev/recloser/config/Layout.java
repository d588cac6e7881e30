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

  /** The root that nobody else has keys under. */
  private static final String OWN_ROOT = "recloser";

  private static final Set<String> ROOTS = Set.of(OWN_ROOT, "resilience4j");

  /** A key with at most so many edits from a known one is not somebody else's. */
  private static final int TYPO = 3;

  private final List<? extends Part> parts;
  private final Reading reading;
  private final Problems problems;

  /** Whether paths begin within the only kind of policy there is. */
  private final boolean ofOneKind;

  private Layout(List<? extends Part> parts, boolean ofOneKind, Reading reading) {
    this.parts = parts;
    this.ofOneKind = ofOneKind;
    this.reading = reading;
    problems = reading.problems();
  }

  /** Reads circuit breakers, by their names or as a bare block. */
  static void read(Section root, Blocks<?, ?> breakers, Silenced silenced, Reading reading) {
    Layout layout = new Layout(List.of(breakers, silenced), /* ofOneKind= */ true, reading);
    if (isRooted(root)) {
      layout.readRoots(root);
      layout.reportNothing(root, "no circuit breaker", EXPECTED);
    } else if (isBareBlock(root, breakers)) {
      layout.readBare(root, breakers, silenced);
    } else {
      String found = root.entries().isEmpty() ? "empty" : "no circuit breaker";
      reading.problems().addNothing(root.place(), found, EXPECTED);
    }
  }

  /**
   * Reads all parts.
   *
   * @param roots those of the sources; what a later one gives replaces what earlier ones do
   */
  static void read(List<Section> roots, List<? extends Part> parts, Reading reading) {
    Layout layout = new Layout(parts, /* ofOneKind= */ false, reading);
    roots.forEach(layout::readSource);
    layout.reportNothing(roots.get(0), "no policy", POLICIES_EXPECTED);
  }

  /** Reads all parts, and sources that are the settings of one circuit breaker. */
  static void readAny(
      List<Section> roots,
      List<? extends Part> parts,
      Blocks<?, ?> breakers,
      Silenced silenced,
      Reading reading) {
    Layout layout = new Layout(parts, /* ofOneKind= */ false, reading);
    boolean anyBare = false;
    for (Section root : roots) {
      if (isBareBlock(root, breakers)) {
        layout.readBare(root, breakers, silenced);
        anyBare = true;
      } else {
        layout.readSource(root);
      }
    }
    if (!anyBare) {
      layout.reportNothing(roots.get(0), "no policy", POLICIES_EXPECTED);
    }
  }

  private void readSource(Section root) {
    if (isRooted(root)) {
      readRoots(root);
    } else {
      reportRootless(root);
    }
  }

  /** A block without a root has no other place for what it wants silenced. */
  private void readBare(Section root, Blocks<?, ?> breakers, Silenced silenced) {
    Section block = (Section) reading.resolved("", root);
    Value lint = block.entries().remove(Silenced.SECTION);
    if (lint != null) {
      silenced.read(Silenced.SECTION, Silenced.SECTION + ".", lint);
    }
    breakers.readBare(block);
  }

  /** Whether a source is the settings of one circuit breaker. */
  private static boolean isBareBlock(Section root, Blocks<?, ?> breakers) {
    return !isRooted(root)
        && root.entries().entrySet().stream().anyMatch(entry -> isOfBareBlock(breakers, entry));
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

  private void readRoots(Section root) {
    root.open("", problems).forEach(this::readTopLevel);
  }

  private void reportNothing(Section root, String nothing, String expected) {
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
        String path = ofOneKind && !key.equals(Silenced.SECTION) ? "" : key + ".";
        part.read(key, path, reading.resolved(path, value));
        return;
      }
    }
    if (ofOneKind && isOfOtherKind(key)) {
      return;
    }
    List<String> names = parts.stream().flatMap(part -> part.names().stream()).toList();
    String nearest = Spelling.nearest(key, names);
    boolean isTypo = Spelling.edits(key, nearest) <= Math.min(TYPO, nearest.length() / 3);
    if (isTypo || KeyPath.canonical(root).equals(OWN_ROOT)) {
      String expected = isTypo ? nearest : "one of " + String.join(", ", names);
      problems.add(value.place(), root + "." + key, value.shown(), expected);
    }
  }

  private static boolean isOfOtherKind(String key) {
    return KeyPath.canonical(key).equals(Section.PIPELINES)
        || PolicyKind.ALL.stream().anyMatch(kind -> kind.isCalled(key));
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

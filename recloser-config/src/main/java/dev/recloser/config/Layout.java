package dev.recloser.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the blocks of settings in whichever shape they are laid out. */
final class Layout {
  /** What configs and instances stand under. */
  static final String WHERE = "recloser.circuitbreaker or resilience4j.circuitbreaker";

  static final String EXPECTED =
      "the settings of a circuit breaker, or configs and instances under " + WHERE;

  private static final Set<String> ROOTS = Set.of("recloser", "resilience4j");
  private static final String BREAKERS = "circuitbreaker";

  /** A key with at most so many edits from a known one is not somebody else's. */
  private static final int TYPO = 3;

  /** Keys of Resilience4j beside its configs and instances, in canonical spelling. */
  private static final Map<String, String> UNUSED =
      Map.of(
          "tags", "not set from here; tags belong to what makes the meters",
          "metrics", "not set from here; what makes the meters decides which",
          "circuitbreakeraspectorder", "not set from here; the order is that of the pipeline");

  private final Reading reading;
  private final Problems problems;
  private final Map<String, Block> templates = new LinkedHashMap<>();
  private final Map<String, Block> instances = new LinkedHashMap<>();
  private @Nullable Block bare;

  private Layout(Reading reading) {
    this.reading = reading;
    problems = reading.problems();
  }

  static Layout of(Section root, Reading reading) {
    Layout layout = new Layout(reading);
    layout.readRoot(root);
    return layout;
  }

  /** The blocks under {@code configs}, by name. */
  Map<String, Block> templates() {
    return templates;
  }

  /** The blocks under {@code instances}, by name. */
  Map<String, Block> instances() {
    return instances;
  }

  /** The block that has no name, null where there are names. */
  @Nullable Block bare() {
    return bare;
  }

  private void readRoot(Section root) {
    Map<String, Value> entries = root.entries();
    if (entries.keySet().stream().map(KeyPath::canonical).anyMatch(ROOTS::contains)) {
      root.open("", problems).forEach(this::readTopLevel);
      if (templates.isEmpty() && instances.isEmpty() && problems.isEmpty()) {
        problems.addNothing(root.place(), "no circuit breaker", EXPECTED);
      }
    } else if (entries.entrySet().stream().anyMatch(Layout::isOfBareBlock)) {
      bare = Block.read("", "", root, reading);
    } else {
      problems.addNothing(
          root.place(), entries.isEmpty() ? "empty" : "no circuit breaker", EXPECTED);
    }
  }

  /** Other programs' keys are sections; a bare block has values, or misplaced names. */
  private static boolean isOfBareBlock(Map.Entry<String, Value> entry) {
    String key = entry.getKey();
    return Keys.find(key) != null
        || Section.isOfNames(key)
        || !(entry.getValue() instanceof Section);
  }

  private void readTopLevel(String key, Value value) {
    if (ROOTS.contains(KeyPath.canonical(key))) {
      sectionOf(key, value).open(key + ".", problems).forEach((k, v) -> readRooted(key, k, v));
    } else if (Keys.find(key) instanceof Key.Setting<?>) {
      problems.add(value.place(), key, value.shown(), "this key under configs or instances");
    }
  }

  private void readRooted(String root, String key, Value value) {
    String canonical = KeyPath.canonical(key);
    if (canonical.equals(BREAKERS)) {
      sectionOf(key, value).open("", problems).forEach(this::readPart);
    } else if (Spelling.edits(canonical, BREAKERS) <= TYPO) {
      problems.add(value.place(), root + "." + key, value.shown(), BREAKERS);
    }
  }

  private void readPart(String key, Value value) {
    String canonical = KeyPath.canonical(key);
    switch (canonical) {
      case "configs" -> readBlocks(key, value, templates);
      case "instances", "backends" -> readBlocks(key, value, instances);
      default -> {
        String advice = UNUSED.get(canonical);
        if (advice == null) {
          problems.add(value.place(), key, value.shown(), "configs or instances");
        } else {
          reading.note(value, key, advice);
        }
      }
    }
  }

  private void readBlocks(String part, Value value, Map<String, Block> blocks) {
    sectionOf(part, value)
        .open(part + ".", problems)
        .forEach(
            (name, block) -> {
              String path = part + "." + name;
              Section settings = sectionOf(path, block);
              if (blocks.containsKey(name)) {
                problems.addClash(path, blocks.get(name).place(), block);
              } else {
                blocks.put(name, Block.read(path + ".", name, settings, reading));
              }
            });
  }

  /** The value as a section; an empty one if nothing is written, or something wrong. */
  private Section sectionOf(String key, Value value) {
    if (value instanceof Section section) {
      return section;
    }
    if (!(value instanceof Value.Scalar scalar) || scalar.text() != null) {
      problems.add(value.place(), key, value.shown(), "a section with keys of its own");
    }
    return Section.root(value.place());
  }
}

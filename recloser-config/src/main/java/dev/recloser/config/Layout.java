package dev.recloser.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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
  static void read(List<Section> roots, Blocks<?, ?> breakers, LintSection lint, Reading reading) {
    Layout layout = new Layout(List.of(breakers, lint), /* ofOneKind= */ true, reading);
    Section root = roots.get(0);
    if (roots.stream().anyMatch(Layout::isRooted)) {
      roots.stream().filter(Layout::isRooted).forEach(layout::readRoots);
      layout.reportNothing(root, "no circuit breaker", EXPECTED);
    } else if (isBareBlock(root, breakers)) {
      layout.readBare(roots, breakers, lint);
    } else {
      String found = root.entries().isEmpty() ? "empty" : "no circuit breaker";
      reading.problems().addNothing(root.place(), found, EXPECTED);
    }
  }

  /**
   * Reads all parts.
   *
   * @param roots those of the documents; what a later one gives replaces what earlier ones do
   */
  static void read(List<Section> roots, List<? extends Part> parts, Reading reading) {
    Layout layout = new Layout(parts, /* ofOneKind= */ false, reading);
    documentsByFile(roots).forEach(layout::readSource);
    layout.reportNothing(roots.get(0), "no policy", POLICIES_EXPECTED);
  }

  /** Reads all parts, and files that are the settings of one circuit breaker. */
  static void readAny(
      List<Section> roots,
      List<? extends Part> parts,
      Blocks<?, ?> breakers,
      LintSection lint,
      Reading reading) {
    Layout layout = new Layout(parts, /* ofOneKind= */ false, reading);
    boolean anyBare = false;
    for (List<Section> documents : documentsByFile(roots)) {
      boolean rooted = documents.stream().anyMatch(Layout::isRooted);
      if (!rooted && isBareBlock(documents.get(0), breakers)) {
        layout.readBare(documents, breakers, lint);
        anyBare = true;
      } else {
        layout.readSource(documents);
      }
    }
    if (!anyBare) {
      layout.reportNothing(roots.get(0), "no policy", POLICIES_EXPECTED);
    }
  }

  private static Collection<List<Section>> documentsByFile(List<Section> roots) {
    return roots.stream()
        .collect(
            Collectors.groupingBy(
                root -> root.place().file(), LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  /** Of several documents, those without a root are somebody else's. */
  private void readSource(List<Section> documents) {
    if (documents.stream().anyMatch(Layout::isRooted)) {
      documents.stream().filter(Layout::isRooted).forEach(this::readRoots);
    } else {
      reportRootless(documents.get(0));
    }
  }

  /** A block without a root has no other place for what it tells the linter. */
  private void readBare(List<Section> documents, Blocks<?, ?> breakers, LintSection lint) {
    if (documents.size() > 1) {
      problems.addNothing(
          documents.get(1).place(),
          "another document",
          "one document in a file that is the settings of one circuit breaker");
    }
    Section block = (Section) reading.resolved("", documents.get(0));
    Value written = block.entries().remove(LintSection.NAME);
    if (written != null) {
      lint.read(Root.RECLOSER, LintSection.NAME, LintSection.NAME + ".", written);
    }
    breakers.readBare(block);
  }

  /** Whether a source is the settings of one circuit breaker. */
  private static boolean isBareBlock(Section root, Blocks<?, ?> breakers) {
    return !isRooted(root)
        && root.entries().entrySet().stream().anyMatch(entry -> isOfBareBlock(breakers, entry));
  }

  static boolean isRooted(Section root) {
    return root.entries().keySet().stream().anyMatch(key -> Root.of(key) != null);
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
      reading.unknownKeys().forEach(key -> key.reportTo(problems)); // They are why.
    }
    if (parts.stream().allMatch(Part::isEmpty) && problems.isEmpty()) {
      problems.addNothing(root.place(), nothing, expected);
    }
  }

  private void readTopLevel(String key, Value value) {
    Root root = Root.of(key);
    if (root != null) {
      Section.of(key, value, problems)
          .open(key + ".", problems)
          .forEach((k, v) -> readRooted(root, key, k, v));
    } else if (parts.stream().anyMatch(part -> part.hasKey(key))) {
      problems.add(value.place(), key, value.shown(), "this key under configs or instances");
    }
  }

  private void readRooted(Root root, String rootKey, String key, Value value) {
    for (Part part : parts) {
      if (isNameOf(part, key)) {
        String path = ofOneKind && !key.equals(LintSection.NAME) ? "" : key + ".";
        part.read(root, key, path, reading.resolved(path, value));
        return;
      }
    }
    if (ofOneKind && isOfOtherKind(key)) {
      return;
    }
    List<String> names = parts.stream().flatMap(part -> part.names().stream()).toList();
    String nearest = Spelling.nearest(key, names);
    boolean isTypo = Spelling.edits(key, nearest) <= Math.min(TYPO, nearest.length() / 3);
    if (isTypo || root == Root.RECLOSER) {
      String expected = isTypo ? nearest : "one of " + String.join(", ", names);
      reading.unknown(root, value, rootKey + "." + key, expected);
    }
  }

  private static boolean isOfOtherKind(String key) {
    String canonical = KeyPath.canonical(key);
    return canonical.equals(Section.PIPELINES)
        || canonical.equals(ListenerNames.SECTION)
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

package dev.recloser.config;

import dev.recloser.config.BreakerConfigs.Note;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What is written about pipelines. First they are found, and then, when all policies are known,
 * they are put together.
 */
final class PipelineBlocks implements Part {
  private static final String POLICIES = "policies";
  private static final String WARNINGS = "warnings";
  static final String FALLBACK = "fallback";
  private static final String CONTEXTS = "contexts";
  static final Set<String> KEYS = Set.of(POLICIES, WARNINGS, FALLBACK, CONTEXTS);

  private static final Kind<Warnings> HOW_TO_WARN = Kind.oneOf(Warnings.class);

  private final List<Blocks<?, ?>> kinds;
  private final Reading reading;
  private final Problems problems;
  private final Map<String, Written> written = new LinkedHashMap<>();
  private final Map<String, PipelinePlan> plans = new LinkedHashMap<>();

  /**
   * Creates one.
   *
   * @param kinds what pipelines may name, in the order that is right for most
   */
  PipelineBlocks(List<Blocks<?, ?>> kinds, Reading reading) {
    this.kinds = kinds;
    this.reading = reading;
    problems = reading.problems();
  }

  @Override
  public List<String> names() {
    return List.of(Section.PIPELINES);
  }

  @Override
  public void read(Root root, String section, String path, Value value) {
    Section.of(section, value, problems)
        .open(path, problems)
        .forEach(
            (name, pipeline) -> {
              Written present = written.get(name);
              if (present != null && present.value.place().isInDocumentOf(pipeline.place())) {
                problems.addClash(path + name, present.value.place(), pipeline);
              } else if (name.isBlank()) {
                problems.addBlank(path, pipeline);
              } else {
                written.put(name, new Written(path + name, pipeline));
              }
            });
  }

  @Override
  public boolean isEmpty() {
    return written.isEmpty();
  }

  @Override
  public boolean hasKey(String spelled) {
    return false;
  }

  /** Puts the pipelines together; what they name by their own name is there from then on. */
  void plan() {
    written.forEach(this::plan);
    for (PipelinePlan plan : plans.values()) {
      kinds.forEach(each -> implyIn(each, plan));
    }
  }

  /** The pipelines, in the order in which they were written; unmodifiable. */
  Map<String, PipelinePlan> plans() {
    return Collections.unmodifiableMap(plans);
  }

  /** Tells what the pipelines warn of, once all configurations are made. */
  void judge() {
    PipelineTrial trial = new PipelineTrial(kinds, reading);
    plans.values().forEach(trial::judge);
  }

  List<Note> notes() {
    return reading.notes();
  }

  private void plan(String name, Written pipeline) {
    Value policies = pipeline.value;
    String key = pipeline.key;
    PipelineExtras extras = PipelineExtras.NONE;
    if (policies instanceof Section section && !Lists.isNumbered(section)) {
      Map<String, Value> values = valuesOf(key, section);
      extras = extras(key, values);
      policies = values.get(POLICIES);
      key += "." + POLICIES;
    }
    if (policies == null) {
      problems.add(pipeline.value.place(), key, "nothing", PolicyRefs.EXPECTED);
      return;
    }
    List<PolicyRef<?>> refs = new PolicyRefs(kinds, reading).read(name, key, policies);
    if (refs != null) {
      plans.put(
          name,
          new PipelinePlan(name, pipeline.key, pipeline.value.place(), List.copyOf(refs), extras));
    }
  }

  private PipelineExtras extras(String key, Map<String, Value> values) {
    Value warnings = values.get(WARNINGS);
    boolean errors =
        warnings != null
            && HOW_TO_WARN.read(key + "." + WARNINGS, warnings, reading) == Warnings.ERROR;
    PipelineObjects objects = new PipelineObjects(reading);
    Value fallback = values.get(FALLBACK);
    Value contexts = values.get(CONTEXTS);
    Map<String, String> written = new TreeMap<>();
    values.forEach((spelled, value) -> written.put(spelled, value.shown()));
    written.remove(POLICIES);
    return new PipelineExtras(
        written,
        errors,
        fallback == null ? null : objects.fallback(key + "." + FALLBACK, fallback),
        contexts == null ? List.of() : objects.contexts(key + "." + CONTEXTS, contexts));
  }

  private Map<String, Value> valuesOf(String key, Section section) {
    Map<String, Value> values = new HashMap<>();
    section
        .open(key + ".", problems)
        .forEach(
            (spelled, value) -> {
              String path = key + "." + spelled;
              String canonical = KeyPath.canonical(spelled);
              Value present = values.putIfAbsent(canonical, value);
              if (present != null) {
                problems.addClash(path, present.place(), value);
              } else if (!KEYS.contains(canonical)) {
                problems.add(
                    value.place(), path, value.shown(), "policies, fallback, contexts or warnings");
              }
            });
    return values;
  }

  private static void implyIn(Blocks<?, ?> blocks, PipelinePlan plan) {
    plan.policies().stream()
        .filter(ref -> ref.kind() == blocks.kind())
        .forEach(ref -> blocks.imply(ref.name(), plan.place()));
  }

  /** How warnings are taken. */
  private enum Warnings {
    NOTE,
    ERROR
  }

  /** A pipeline before its policies are looked at. */
  private record Written(String key, Value value) {}
}

package dev.recloser.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds out which policies are around the same calls. */
final class Guards {
  private final Map<PolicyRef<?>, Subject<?>> subjects = new LinkedHashMap<>();
  private final List<Guard> all = new ArrayList<>();

  private Guards(List<Blocks<?, ?>> kinds) {
    kinds.forEach(this::addSubjects);
  }

  /** Those of pipelines, then those of the same name that no pipeline has, then the bare block. */
  static List<Guard> of(List<Blocks<?, ?>> kinds, Map<String, PipelinePlan> pipelines) {
    Guards guards = new Guards(kinds);
    pipelines.values().forEach(guards::addPipeline);
    guards.addNames(pipelines);
    kinds.forEach(guards::addBare);
    return List.copyOf(guards.all);
  }

  private <B, C> void addSubjects(Blocks<B, C> blocks) {
    blocks
        .subjects()
        .forEach(each -> subjects.put(new PolicyRef<>(blocks.kind(), each.name()), each));
  }

  private void addPipeline(PipelinePlan plan) {
    List<Subject<?>> policies = new ArrayList<>();
    plan.policies().forEach(ref -> policies.add(subjects.get(ref)));
    all.add(new Guard(plan.name(), plan, /* bare= */ false, policies));
  }

  private void addNames(Map<String, PipelinePlan> pipelines) {
    Set<PolicyRef<?>> used = new HashSet<>();
    pipelines.values().forEach(plan -> used.addAll(plan.policies()));
    Map<String, List<Subject<?>>> byName = new LinkedHashMap<>();
    subjects.forEach(
        (ref, subject) -> {
          if (!used.contains(ref)) {
            byName.computeIfAbsent(ref.name(), absent -> new ArrayList<>()).add(subject);
          }
        });
    byName.forEach((name, policies) -> all.add(new Guard(name, null, /* bare= */ false, policies)));
  }

  private <C> void addBare(Blocks<?, C> blocks) {
    Subject<C> bare = blocks.bareSubject();
    if (bare != null) {
      all.add(new Guard("", null, /* bare= */ true, List.of(bare)));
    }
  }
}

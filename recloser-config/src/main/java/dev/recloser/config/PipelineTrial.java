package dev.recloser.config;

import dev.recloser.PipelineWarning;
import dev.recloser.Policy;
import dev.recloser.config.BreakerConfigs.Note;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Makes policies to see what a pipeline of them warns of; no call is made through them. */
final class PipelineTrial {
  private final List<Blocks<?, ?>> kinds;
  private final Reading reading;

  PipelineTrial(List<Blocks<?, ?>> kinds, Reading reading) {
    this.kinds = kinds;
    this.reading = reading;
  }

  /** Tells what a pipeline warns of, unless a policy of it is wrong, which has been told. */
  void judge(PipelinePlan plan) {
    List<Policy> policies = new ArrayList<>();
    for (PolicyRef<?> ref : plan.policies()) {
      kinds.stream()
          .filter(each -> each.kind() == ref.kind())
          .map(each -> policyOf(each, ref.name()))
          .filter(Objects::nonNull)
          .forEach(policies::add);
    }
    if (policies.size() == plan.policies().size()) {
      PipelineWarning.of(policies).forEach(warning -> tell(plan, warning));
    }
  }

  /**
   * What policies around the same calls warn of.
   *
   * @param told takes each warning, with what it is about
   */
  static void look(Guard guard, BiConsumer<PipelineWarning, Subject<?>> told) {
    Map<Policy, Subject<?>> subjects = new LinkedHashMap<>(); // A policy is equal to itself only.
    guard.policies().forEach(each -> subjects.put(policyOf(each), each));
    for (PipelineWarning warning : PipelineWarning.of(List.copyOf(subjects.keySet()))) {
      told.accept(warning, Objects.requireNonNull(subjects.get(warning.policy()), "subject"));
    }
  }

  private static <C> Policy policyOf(Subject<C> subject) {
    return subject.kind().maker().create().apply(subject.name(), subject.config());
  }

  private void tell(PipelinePlan plan, PipelineWarning warning) {
    if (plan.warningsAreErrors()) {
      String found = warning.rule() + ": " + warning.message();
      String expected = "no warning; " + warning.advice();
      reading.problems().add(plan.place(), plan.key(), found, expected);
    } else {
      reading.notes().add(Note.of(plan.place(), plan.key(), warning.toString()));
    }
  }

  private static <C> @Nullable Policy policyOf(Blocks<?, C> blocks, String name) {
    C config = blocks.made(name);
    return config == null ? null : blocks.kind().maker().create().apply(name, config);
  }
}

package dev.recloser.config;

import dev.recloser.InvalidConfigurationException;
import dev.recloser.InvalidConfigurationException.Fault;
import dev.recloser.PipelineWarning;
import dev.recloser.Policy;
import dev.recloser.config.BreakerConfigs.Note;
import java.util.HashMap;
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
    Map<PolicyRef<?>, Policy> policies = new LinkedHashMap<>();
    for (PolicyRef<?> ref : plan.policies()) {
      kinds.stream()
          .filter(each -> each.kind() == ref.kind())
          .map(each -> policyOf(each, ref.name()))
          .filter(Objects::nonNull)
          .forEach(policy -> policies.put(ref, policy));
    }
    if (policies.size() == plan.policies().size()) {
      PipelineWarning.of(List.copyOf(policies.values()))
          .forEach(each -> tell(plan, each.rule(), each.message(), each.advice()));
      ofFallback(plan, policies)
          .forEach(each -> tell(plan, each.setting(), each.value(), each.expected()));
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

  /** What a pipeline warns of because of its fallback. */
  static List<Fault> ofFallback(Guard guard, PipelinePlan plan) {
    Map<PolicyRef<?>, Policy> policies = new HashMap<>();
    guard.policies().forEach(each -> policies.put(refOf(each), policyOf(each)));
    return ofFallback(plan, policies);
  }

  /** Asks for them as errors, since they are told with their places and not to be logged here. */
  private static List<Fault> ofFallback(PipelinePlan plan, Map<PolicyRef<?>, Policy> policies) {
    if (plan.extras().fallback() == null) {
      return List.of();
    }
    try {
      plan.<@Nullable Object>make(calls -> calls.warningsAreErrors(true), policies::get);
      return List.of();
    } catch (InvalidConfigurationException e) {
      return e.faults().stream()
          .filter(fault -> PipelineCheck.isOfFallback(fault.setting()))
          .toList();
    }
  }

  private static <C> PolicyRef<C> refOf(Subject<C> subject) {
    return new PolicyRef<>(subject.kind(), subject.name());
  }

  private static <C> Policy policyOf(Subject<C> subject) {
    return subject.kind().maker().create().apply(subject.name(), subject.config());
  }

  private void tell(PipelinePlan plan, String rule, String message, String advice) {
    String found = rule + ": " + message;
    if (plan.extras().warningsAreErrors()) {
      reading.problems().add(plan.place(), plan.key(), found, "no warning; " + advice);
    } else {
      reading.notes().add(Note.of(plan.place(), plan.key(), found + "; " + advice));
    }
  }

  private static <C> @Nullable Policy policyOf(Blocks<?, C> blocks, String name) {
    C config = blocks.made(name);
    return config == null ? null : blocks.kind().maker().create().apply(name, config);
  }
}

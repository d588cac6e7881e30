package dev.recloser.config;

import dev.recloser.InvalidConfigurationException;
import dev.recloser.PipelineWarning;
import dev.recloser.Policy;
import dev.recloser.config.BreakerConfigs.Note;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes pipelines to see what they warn of; no call is made through them. */
final class PipelineTrial {
  private final List<Blocks<?, ?>> kinds;
  private final Reading reading;

  PipelineTrial(List<Blocks<?, ?>> kinds, Reading reading) {
    this.kinds = kinds;
    this.reading = reading;
  }

  /** Tells what a pipeline warns of, unless a policy of it is wrong, which has been told. */
  void judge(PipelinePlan plan) {
    Map<PolicyRef<?>, Policy> policies = new HashMap<>();
    for (PolicyRef<?> ref : plan.policies()) {
      kinds.stream()
          .filter(each -> each.kind() == ref.kind())
          .map(each -> policyOf(each, ref.name()))
          .filter(Objects::nonNull)
          .forEach(policy -> policies.put(ref, policy));
    }
    if (policies.size() == plan.policies().size()) {
      warnings(plan, policies).forEach(warning -> tell(plan, warning));
    }
  }

  /** What policies around the same calls warn of. */
  static List<PipelineWarning> warnings(Guard guard) {
    Map<PolicyRef<?>, Policy> policies = new LinkedHashMap<>();
    guard.policies().forEach(each -> policies.put(refOf(each), policyOf(each)));
    Subject<?> first = guard.policies().get(0);
    List<PolicyRef<?>> refs = List.copyOf(policies.keySet());
    PipelinePlan plan =
        new PipelinePlan(guard.name(), "", first.place(), refs, PipelineExtras.NONE);
    return warnings(guard.pipeline() == null ? plan : guard.pipeline(), policies);
  }

  /** Asks for them as errors, since they are told with their places and not to be logged here. */
  private static List<PipelineWarning> warnings(
      PipelinePlan plan, Map<PolicyRef<?>, Policy> policies) {
    try {
      plan.<@Nullable Object>make(calls -> calls.warningsAreErrors(true), policies::get);
      return List.of();
    } catch (InvalidConfigurationException e) {
      return e.faults().stream()
          .map(fault -> new PipelineWarning(fault.setting(), fault.value(), fault.expected()))
          .toList();
    }
  }

  private static <C> PolicyRef<C> refOf(Subject<C> subject) {
    return new PolicyRef<>(subject.kind(), subject.name());
  }

  private static <C> Policy policyOf(Subject<C> subject) {
    return subject.kind().maker().create().apply(subject.name(), subject.config());
  }

  private void tell(PipelinePlan plan, PipelineWarning warning) {
    if (plan.extras().warningsAreErrors()) {
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

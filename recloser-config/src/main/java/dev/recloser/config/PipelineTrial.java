package dev.recloser.config;

import dev.recloser.Pipeline;
import dev.recloser.PipelineWarning;
import dev.recloser.Policy;
import dev.recloser.config.BreakerConfigs.Note;
import java.util.HashMap;
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
      Pipeline<@Nullable Object> trial = plan.make(calls -> {}, policies::get);
      trial.warnings().forEach(warning -> tell(plan, warning));
    }
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

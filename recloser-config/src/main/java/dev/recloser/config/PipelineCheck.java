package dev.recloser.config;

import dev.recloser.InvalidConfigurationException.Fault;
import dev.recloser.PipelineWarning;
import dev.recloser.config.Finding.Severity;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a pipeline warns of by itself, as a rule.
 *
 * @param setting of the policy it is about, at which it is told
 * @param reason why it matters
 */
record PipelineCheck(Lint.Rule rule, String setting, String reason) {
  private static final List<PipelineCheck> OF_POLICIES =
      List.of(
          of(
              "slow-limit-at-timeout",
              Severity.ERROR,
              "slowCallDurationThreshold is not below the timeout, so that no call is ever slow.",
              "slowCallDurationThreshold",
              "slow calls can never open the breaker"),
          of(
              "retry-without-pause",
              Severity.WARNING,
              "A retry around a breaker makes its attempts without a pause.",
              "waitDuration",
              "the breaker counts attempts, and takes one failure for several"),
          of(
              "attempts-beyond-timeout",
              Severity.WARNING,
              "The attempts do not fit into the timeout around them.",
              "maxAttempts",
              "the last ones are cut off"),
          of(
              "hedge-after-timeout",
              Severity.WARNING,
              "A hedge begins another attempt when the first is over already.",
              "delay",
              "there is never a second attempt"));

  private static final List<PipelineCheck> OF_FALLBACKS =
      List.of(
          ofFallback(
              "fallback-without-limit",
              "The other call that a fallback makes has no timeout, neither of its own nor around"
                  + " it.",
              "the other dependency may be slow for the same reason"),
          ofFallback(
              "stale-failed-results",
              "A fallback keeps results as good answers that are failures for a policy inside it.",
              "a stale answer may be a failed one"));

  static final List<PipelineCheck> ALL =
      Stream.concat(OF_POLICIES.stream(), OF_FALLBACKS.stream()).toList();

  private static PipelineCheck ofFallback(String id, String about, String reason) {
    return new PipelineCheck(
        new Lint.Rule(id, Severity.WARNING, about), PipelineBlocks.FALLBACK, reason);
  }

  private static PipelineCheck of(
      String id, Severity severity, String about, String setting, String reason) {
    return new PipelineCheck(new Lint.Rule(id, severity, about), setting, reason);
  }

  /** Adds what those around the same calls warn of. */
  static void look(Guard guard, Findings findings) {
    PipelineTrial.look(guard, (warning, subject) -> add(warning, subject, findings));
    PipelinePlan pipeline = guard.pipeline();
    if (pipeline != null) {
      PipelineTrial.ofFallback(guard, pipeline).forEach(fault -> add(fault, pipeline, findings));
    }
  }

  /** Whether it is a rule about what is around policies. */
  static boolean isOfFallback(String id) {
    return OF_FALLBACKS.stream().anyMatch(check -> check.rule.id().equals(id));
  }

  private static void add(Fault warning, PipelinePlan pipeline, Findings findings) {
    PipelineCheck check = Objects.requireNonNull(find(warning.setting()), "check");
    findings.add(
        check.rule.id(),
        check.rule.severity(),
        pipeline.name(),
        pipeline.place(),
        pipeline.key() + "." + check.setting,
        warning.value(),
        check.reason,
        warning.expected());
  }

  /** Adds a warning, at the setting that it is about if that is known. */
  private static void add(PipelineWarning warning, Subject<?> subject, Findings findings) {
    PipelineCheck check = find(warning.rule());
    findings.add(
        warning.rule(),
        check == null ? Severity.WARNING : check.rule.severity(),
        subject.name(),
        check == null ? subject.place() : subject.placeOf(check.setting),
        check == null ? subject.path() : subject.keyOf(check.setting),
        warning.message(),
        check == null ? "" : check.reason,
        warning.advice());
  }

  private static @Nullable PipelineCheck find(String id) {
    return ALL.stream().filter(check -> check.rule.id().equals(id)).findFirst().orElse(null);
  }
}

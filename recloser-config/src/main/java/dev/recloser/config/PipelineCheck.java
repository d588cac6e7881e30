package dev.recloser.config;

import dev.recloser.PipelineWarning;
import dev.recloser.config.Finding.Severity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pipeline warns of by itself, as a rule.
 *
 * @param kind of the policy it is about; null for the fallback
 * @param setting of that, at which it is told
 * @param reason why it matters
 */
record PipelineCheck(
    Lint.Rule rule, @Nullable PolicyKind<?, ?> kind, String setting, String reason) {
  static final List<PipelineCheck> ALL =
      List.of(
          of(
              "slow-limit-at-timeout",
              Severity.ERROR,
              "slowCallDurationThreshold is not below the timeout, so that no call is ever slow.",
              PolicyKind.CIRCUIT_BREAKER,
              "slowCallDurationThreshold",
              "slow calls can never open the breaker"),
          of(
              "retry-without-pause",
              Severity.WARNING,
              "A retry around a breaker makes its attempts without a pause.",
              PolicyKind.RETRY,
              "waitDuration",
              "the breaker counts attempts, and takes one failure for several"),
          of(
              "attempts-beyond-timeout",
              Severity.WARNING,
              "The attempts do not fit into the timeout around them.",
              PolicyKind.RETRY,
              "maxAttempts",
              "the last ones are cut off"),
          of(
              "hedge-after-timeout",
              Severity.WARNING,
              "A hedge begins another attempt when the first is over already.",
              PolicyKind.HEDGE,
              "delay",
              "there is never a second attempt"),
          ofFallback(
              "fallback-without-limit",
              "The other call that a fallback makes has no timeout, neither of its own nor around"
                  + " it.",
              "the other dependency may be slow for the same reason"),
          ofFallback(
              "stale-failed-results",
              "A fallback keeps results as good answers that are failures for a policy inside it.",
              "a stale answer may be a failed one"));

  private static PipelineCheck ofFallback(String id, String about, String reason) {
    return new PipelineCheck(
        new Lint.Rule(id, Severity.WARNING, about), null, PipelineBlocks.FALLBACK, reason);
  }

  private static PipelineCheck of(
      String id,
      Severity severity,
      String about,
      PolicyKind<?, ?> kind,
      String setting,
      String reason) {
    return new PipelineCheck(new Lint.Rule(id, severity, about), kind, setting, reason);
  }

  /** Adds what those around the same calls warn of. */
  static void look(Guard guard, Findings findings) {
    PipelineTrial.warnings(guard).forEach(warning -> add(warning, guard, findings));
  }

  /** Adds a warning, at the setting that it is about if that is known. */
  private static void add(PipelineWarning warning, Guard guard, Findings findings) {
    PipelineCheck check = find(warning.rule());
    PipelinePlan pipeline = guard.pipeline();
    Subject<?> subject = check == null || check.kind == null ? null : guard.first(check.kind);
    if (check != null && subject != null) {
      Place place = subject.placeOf(check.setting);
      check.add(warning, subject.name(), place, subject.keyOf(check.setting), findings);
    } else if (check != null && pipeline != null) {
      String key = pipeline.key() + "." + check.setting;
      check.add(warning, guard.name(), pipeline.place(), key, findings);
    } else {
      Subject<?> first = guard.policies().get(0);
      new PipelineCheck(new Lint.Rule(warning.rule(), Severity.WARNING, ""), null, "", "")
          .add(warning, guard.name(), first.place(), first.path(), findings);
    }
  }

  private void add(
      PipelineWarning warning, String name, Place place, String key, Findings findings) {
    findings.add(
        rule.id(), rule.severity(), name, place, key, warning.message(), reason, warning.advice());
  }

  private static @Nullable PipelineCheck find(String id) {
    return ALL.stream().filter(check -> check.rule.id().equals(id)).findFirst().orElse(null);
  }
}

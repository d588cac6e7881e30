package dev.recloser.config;

import dev.recloser.PipelineWarning;
import dev.recloser.config.Finding.Severity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pipeline warns of by itself, as a rule.
 *
 * @param setting of the policy it is about, at which it is told
 * @param reason why it matters
 */
record PipelineCheck(Lint.Rule rule, String setting, String reason) {
  static final List<PipelineCheck> ALL =
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

  private static PipelineCheck of(
      String id, Severity severity, String about, String setting, String reason) {
    return new PipelineCheck(new Lint.Rule(id, severity, about), setting, reason);
  }

  /** Adds what those around the same calls warn of. */
  static void look(Guard guard, Findings findings) {
    PipelineTrial.look(guard, (warning, subject) -> add(warning, subject, findings));
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

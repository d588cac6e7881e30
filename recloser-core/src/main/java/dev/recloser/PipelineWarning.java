package dev.recloser;

import java.util.List;
import java.util.Objects;

/**
 * Something in a pipeline that cannot do what it looks like, or does more.
 *
 * @param rule a short name that stays the same, for whoever wants to tell warnings apart
 * @param policy the one that it is about, of those in the pipeline
 * @param message what is so, with its numbers
 * @param advice what to write instead
 */
public record PipelineWarning(String rule, Policy policy, String message, String advice) {
  /** Checks for null. */
  public PipelineWarning {
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(advice, "advice");
  }

  /**
   * What a pipeline of these policies would warn of. Nothing is logged.
   *
   * @param policies outermost first
   */
  public static List<PipelineWarning> of(List<? extends Policy> policies) {
    return PipelineLint.of(List.copyOf(policies));
  }

  @Override
  public String toString() {
    return rule + ": " + message + "; " + advice;
  }
}

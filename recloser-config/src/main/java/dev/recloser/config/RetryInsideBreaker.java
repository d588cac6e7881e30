package dev.recloser.config;

import dev.recloser.config.Finding.Severity;
import java.util.List;

/** A breaker that sees what is left of failures when a retry is done with them. */
final class RetryInsideBreaker extends Check {
  RetryInsideBreaker() {
    super(
        "retry-inside-breaker",
        Severity.NOTE,
        "A retry is inside a breaker, which then counts whole calls and not their attempts.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    for (Guard guard : scene.guards()) {
      PipelinePlan pipeline = guard.pipeline();
      if (pipeline != null) {
        guard.all(PolicyKind.CIRCUIT_BREAKER).stream()
            .filter(breaker -> hasRetryInside(breaker, guard.policies()))
            .forEach(breaker -> tell(breaker, pipeline, findings));
      }
    }
  }

  private static boolean hasRetryInside(Subject<?> breaker, List<Subject<?>> policies) {
    return policies.subList(policies.indexOf(breaker), policies.size()).stream()
        .anyMatch(policy -> policy.kind() == PolicyKind.RETRY);
  }

  private void tell(Subject<?> breaker, PipelinePlan pipeline, Findings findings) {
    findings.add(
        rule().id(),
        rule().severity(),
        pipeline.name(),
        pipeline.place(),
        pipeline.key(),
        "the breaker %s counts whole calls, not attempts".formatted(breaker.name()),
        "the retry is inside it, so a success at the third attempt hides two failures",
        "write retry before circuitbreaker if attempts shall count");
  }
}

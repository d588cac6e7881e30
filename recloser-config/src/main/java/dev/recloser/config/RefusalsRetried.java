package dev.recloser.config;

import dev.recloser.RetryConfig;
import dev.recloser.config.Finding.Severity;
import java.util.Collection;

/** A retry that hammers a breaker. */
final class RefusalsRetried extends Check {
  private static final String LIST = "retryExceptions";
  private static final String INSTEAD =
      "leave it out; waitForCircuitBreaker tries again when the breaker's own wait is over";

  RefusalsRetried() {
    super("refusals-retried", Severity.ERROR, LIST + " has a refusal, or retryRefusals is on.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    for (Subject<Budgeted<RetryConfig>> retry : scene.all(PolicyKind.RETRY)) {
      if (retry.config().config().settings().get(LIST) instanceof Collection<?> names) {
        names.forEach(name -> look(String.valueOf(name), retry, findings));
      }
      if (retry.config().config().retryRefusals()) {
        findings.add(
            this,
            retry,
            "retryRefusals",
            "refused calls are tried again at once, though the refusal was the sign to stop",
            "what an open breaker throws is judged like a failure of the dependency",
            INSTEAD);
      }
    }
  }

  private void look(String name, Subject<Budgeted<RetryConfig>> retry, Findings findings) {
    if (Refusals.isOurs(name)) {
      findings.add(
          this,
          retry,
          LIST,
          "refused calls are tried again at once, though the refusal was the sign to stop",
          name + " is thrown by a policy and not by the dependency",
          INSTEAD);
    } else if (Refusals.isTheirs(name)) {
      findings.add(
          Severity.WARNING,
          this,
          retry,
          LIST,
          name + " has no effect, for nobody throws it here",
          "in Resilience4j it makes each retry hammer an open breaker",
          INSTEAD);
    }
  }
}

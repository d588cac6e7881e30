package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Jitter;
import dev.recloser.config.Finding.Severity;

/** Replicas that come back all at once. */
final class NoJitter extends Check {
  NoJitter() {
    super(
        "no-jitter", Severity.WARNING, "Waits are not spread, though there are several replicas.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    Integer replicas = scene.workload().replicas();
    if (replicas == null || replicas < 2) {
      return;
    }
    for (Subject<CircuitBreakerConfig> breaker : scene.all(PolicyKind.CIRCUIT_BREAKER)) {
      if (breaker.config().randomizedWaitFactor() == 0) {
        findings.add(
            this,
            breaker,
            "randomizedWaitFactor",
            "%s replicas that opened together probe together".formatted(replicas),
            "each waits for %s, to the moment"
                .formatted(Told.time(breaker.config().waitDurationInOpenState())),
            "write randomizedWaitFactor: 0.5");
      }
    }
    for (Subject<RetryPlan> retry : scene.all(PolicyKind.RETRY)) {
      if (retry.config().config().jitter() == Jitter.NONE) {
        findings.add(
            this,
            retry,
            retry.gives("jitter") ? "jitter" : "enableRandomizedWait",
            "callers in %s replicas that failed together come back together".formatted(replicas),
            "nothing spreads their waits",
            "write jitter: FULL");
      }
    }
  }
}

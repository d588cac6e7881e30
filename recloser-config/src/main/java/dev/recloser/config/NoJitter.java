package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Jitter;
import dev.recloser.RetryConfig;
import dev.recloser.config.Finding.Severity;

/** Replicas that come back all at once. */
final class NoJitter extends Check {
  NoJitter() {
    super(
        "no-jitter", Severity.WARNING, "Waits are not spread, though there are several replicas.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    for (Subject<CircuitBreakerConfig> breaker : scene.all(PolicyKind.CIRCUIT_BREAKER)) {
      int replicas = replicas(scene, breaker);
      if (replicas > 1 && breaker.config().randomizedWaitFactor() == 0) {
        findings.add(
            this,
            breaker,
            "randomizedWaitFactor",
            "%s replicas that opened together probe together".formatted(replicas),
            "each waits for %s, to the moment"
                .formatted(Told.time(breaker.config().waitDurationInOpenState())),
            "write randomizedWaitFactor: 0.2");
      }
    }
    for (Subject<Budgeted<RetryConfig>> retry : scene.all(PolicyKind.RETRY)) {
      int replicas = replicas(scene, retry);
      if (replicas > 1 && retry.config().config().jitter() == Jitter.NONE) {
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

  private static int replicas(Scene scene, Subject<?> policy) {
    Integer replicas = scene.workloadOf(policy).replicas();
    return replicas == null ? 1 : replicas;
  }
}

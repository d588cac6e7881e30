package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;

/** Finds a mistake in each circuit breaker by itself, or in it and those around the same calls. */
abstract class BreakerCheck extends Check {
  BreakerCheck(String id, Severity severity, String about) {
    super(id, severity, about);
  }

  @Override
  final void look(Scene scene, Findings findings) {
    for (Guard guard : scene.guards()) {
      for (Subject<CircuitBreakerConfig> breaker : guard.all(PolicyKind.CIRCUIT_BREAKER)) {
        look(breaker, guard, scene.workloadOf(breaker, guard), findings);
      }
    }
  }

  /** Looks at one. */
  abstract void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings);
}

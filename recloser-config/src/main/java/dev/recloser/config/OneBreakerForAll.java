package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;
import java.util.Set;

/** A breaker for things that do not fail together. */
final class OneBreakerForAll extends Check {
  private static final int MOST_PIPELINES = 3;

  private static final Set<String> NAMES_OF_NOTHING =
      Set.of(
          "all",
          "api",
          "backend",
          "backends",
          "common",
          "default",
          "external",
          "global",
          "http",
          "network",
          "remote",
          "service",
          "services",
          "shared");

  OneBreakerForAll() {
    super(
        "one-breaker-for-all",
        Severity.WARNING,
        "A breaker is named after no dependency, or more than three pipelines share it.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    for (Subject<CircuitBreakerConfig> breaker : scene.all(PolicyKind.CIRCUIT_BREAKER)) {
      long pipelines =
          scene.guards().stream()
              .filter(guard -> guard.pipeline() != null && guard.policies().contains(breaker))
              .count();
      if (NAMES_OF_NOTHING.contains(KeyPath.canonical(breaker.name()))) {
        add(breaker, "its name, " + breaker.name() + ", is that of no dependency", findings);
      } else if (pipelines > MOST_PIPELINES) {
        add(breaker, pipelines + " pipelines share it", findings);
      }
    }
  }

  private void add(Subject<CircuitBreakerConfig> breaker, String reason, Findings findings) {
    findings.add(
        rule().id(),
        rule().severity(),
        breaker.name(),
        breaker.place(),
        breaker.pathOfBlock(),
        "one dependency that fails stops the calls to all others",
        reason,
        "write an instance for each dependency, and for each operation that fails by itself");
  }
}

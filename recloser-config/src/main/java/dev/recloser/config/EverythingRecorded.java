package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;
import java.util.Set;

/** A breaker that blames the dependency for whatever is thrown. */
final class EverythingRecorded extends BreakerCheck {
  private static final Set<String> ALL =
      Set.of("java.lang.Throwable", "java.lang.Exception", "java.lang.RuntimeException");

  EverythingRecorded() {
    super(
        "everything-recorded",
        Severity.WARNING,
        "recordExceptions has Exception, RuntimeException or Throwable, and nothing is ignored.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    boolean ignores =
        !breaker.config().ignoreExceptions().isEmpty() || breaker.gives("ignoreExceptionPredicate");
    for (String name : breaker.config().recordExceptions()) {
      if (ALL.contains(name) && !ignores) {
        findings.add(
            this,
            breaker,
            "recordExceptions",
            name + " also records what a client throws on a 400 or a 404",
            "a burst of wrong requests would open the breaker for everybody",
            "list what speaks against the dependency, or add ignoreExceptions");
      }
    }
  }
}

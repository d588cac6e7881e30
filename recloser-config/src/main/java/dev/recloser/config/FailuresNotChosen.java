package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;
import java.util.List;

/** A breaker for which every exception is a failure, since nobody has said otherwise. */
final class FailuresNotChosen extends BreakerCheck {
  private static final List<String> CHOICES =
      List.of(
          "recordExceptions",
          "ignoreExceptions",
          "recordExceptionPredicate",
          "ignoreExceptionPredicate");

  FailuresNotChosen() {
    super(
        "failures-not-chosen",
        Severity.NOTE,
        "Nothing says which exceptions are failures, so all are.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    if (CHOICES.stream().noneMatch(breaker::gives)) {
      findings.add(
          this,
          breaker,
          "ignoreExceptions",
          "every exception is a failure, also one that is about a wrong request",
          "a burst of wrong requests would open the breaker for everybody",
          "write ignoreExceptions, or recordExceptions");
    }
  }
}

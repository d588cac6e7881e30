package dev.recloser.config;

import dev.recloser.TimeoutConfig;
import dev.recloser.config.Finding.Severity;
import java.time.Duration;

/** A timeout that ends healthy calls. */
final class TimeoutBelowP99 extends Check {
  TimeoutBelowP99() {
    super("timeout-below-p99", Severity.WARNING, "timeoutDuration is not above the usual p99.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    for (Subject<TimeoutConfig> timeout : scene.all(PolicyKind.TIMEOUT)) {
      Duration p99 = scene.workloadOf(timeout).p99();
      Duration time = timeout.config().timeoutDuration();
      if (p99 != null && time.compareTo(p99) <= 0) {
        findings.add(
            this,
            timeout,
            "timeoutDuration",
            "more than one healthy call in a hundred is ended after " + Told.time(time),
            "the usual p99 is " + Told.time(p99),
            "write two to four times the p99");
      }
    }
  }
}

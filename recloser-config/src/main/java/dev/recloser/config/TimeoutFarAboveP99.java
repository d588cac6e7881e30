package dev.recloser.config;

import dev.recloser.TimeoutConfig;
import dev.recloser.config.Finding.Severity;
import java.time.Duration;

/** A timeout that is a round number. */
final class TimeoutFarAboveP99 extends Check {
  private static final int MULTIPLE = 5;

  TimeoutFarAboveP99() {
    super(
        "timeout-far-above-p99",
        Severity.WARNING,
        "timeoutDuration is more than five times the usual p99.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    for (Subject<TimeoutConfig> timeout : scene.all(PolicyKind.TIMEOUT)) {
      Duration p99 = scene.workloadOf(timeout).p99();
      Duration time = timeout.config().timeoutDuration();
      if (p99 != null && time.compareTo(p99.multipliedBy(MULTIPLE)) > 0) {
        findings.add(
            this,
            timeout,
            "timeoutDuration",
            "a hung call holds its worker for %s, and the breaker learns of it only then"
                .formatted(Told.time(time)),
            "99 of 100 calls end within " + Told.time(p99),
            "write two to four times the p99, "
                + Told.time(p99.multipliedBy(2))
                + " to "
                + Told.time(p99.multipliedBy(4)));
      }
    }
  }
}

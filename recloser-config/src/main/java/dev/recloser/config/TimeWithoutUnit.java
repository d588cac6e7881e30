package dev.recloser.config;

import dev.recloser.config.Finding.Severity;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/** A number of milliseconds that was meant as one of seconds. */
final class TimeWithoutUnit extends Check {
  /** A number, and what it was written as a placeholder for. */
  private static final Pattern BARE = Pattern.compile("\\d+(, from .*)?");

  private static final Duration A_SECOND = Duration.ofSeconds(1);

  /** Below these nobody waits, or gives a call up. */
  private static final Map<String, Duration> SHORTEST =
      Map.of(
          "waitDurationInOpenState", A_SECOND,
          "exponentialMaxWaitDurationInOpenState", A_SECOND,
          "maxWaitDurationInHalfOpenState", A_SECOND,
          "maxProbeDuration", Duration.ofMillis(100),
          "rampUpDuration", A_SECOND,
          "timeoutDuration", Duration.ofMillis(50),
          "maxElapsedTime", Duration.ofMillis(100));

  /** Below this a time of any key is unlikely. */
  private static final Duration SHORTEST_OF_ALL = Duration.ofMillis(10);

  TimeWithoutUnit() {
    super(
        "time-without-unit",
        Severity.WARNING,
        "A time is a bare number, which is milliseconds, and too short for that to be likely.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    scene.guards().stream()
        .flatMap(guard -> guard.policies().stream())
        .forEach(policy -> look(policy, findings));
  }

  private void look(Subject<?> policy, Findings findings) {
    policy
        .given()
        .forEach(
            (setting, given) -> {
              if (given.value() instanceof Duration time
                  && BARE.matcher(given.shown()).matches()
                  && isUnlikely(setting, time)) {
                tell(policy, setting, time, findings);
              }
            });
  }

  /** Zero has no unit, and is never seconds. */
  private static boolean isUnlikely(String setting, Duration time) {
    return !time.isZero() && time.compareTo(SHORTEST.getOrDefault(setting, SHORTEST_OF_ALL)) < 0;
  }

  private void tell(Subject<?> policy, String setting, Duration time, Findings findings) {
    long number = time.toMillis();
    findings.add(
        this,
        policy,
        setting,
        "it is " + Told.time(time),
        "a number without a unit is milliseconds",
        "write %ds if seconds are meant, %dms if not".formatted(number, number));
  }
}

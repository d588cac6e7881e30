package dev.recloser.cli;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerSnapshot;
import dev.recloser.Scheduler;
import dev.recloser.http.HttpOutcomes;
import java.time.Duration;

/** The breaker of the demo, made as anybody would make one. */
final class DemoBreaker {
  static final Duration SLOW = Duration.ofMillis(100);

  static final String NAME = "inventory";
  static final String ONLOOKER = "inventory (run 1, not guarded)";

  private DemoBreaker() {}

  static CircuitBreaker of(DemoPlan plan) {
    return CircuitBreaker.create(
        NAME,
        config ->
            config
                .slidingWindowSize(20)
                .failureRateThreshold(50)
                .slowCallDurationThreshold(SLOW)
                .slowCallRateThreshold(40)
                .waitDurationInOpenState(plan.waitDurationInOpenState())
                .permittedNumberOfCallsInHalfOpenState(5)
                .rampUpDuration(plan.rampUpDuration())
                .scheduler(Scheduler.system())
                .classifier(HttpOutcomes.defaults()));
  }

  /** Its settings in a few words. */
  static String describe(CircuitBreakerConfig config) {
    return Text.format(
        "sees %d calls; opens at %s failed or %s over %s; waits %s; sends %d probes",
        config.slidingWindowCalls(),
        Text.percent(config.failureRateThreshold()),
        Text.percent(config.slowCallRateThreshold()),
        Text.millis(config.slowCallDurationThreshold()),
        Text.seconds(config.waitDurationInOpenState()),
        config.permittedNumberOfCallsInHalfOpenState());
  }

  /** The state in a word; the ramp-up after closing counts as one of its own. */
  static String state(CircuitBreakerSnapshot breaker) {
    boolean rampUp = breaker.state() == State.CLOSED && breaker.admittedPercentage() < 100;
    return rampUp ? "RAMP-UP" : breaker.state().toString();
  }
}

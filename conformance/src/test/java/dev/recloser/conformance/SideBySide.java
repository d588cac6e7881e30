package dev.recloser.conformance;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Outcome;
import dev.recloser.test.FakeTime;
import io.github.resilience4j.core.IntervalFunction;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A breaker of either library on one fake time, small enough for a scenario: a window of two calls,
 * an open wait of five seconds, one probe.
 */
final class SideBySide {
  static final Duration WAIT = Duration.ofSeconds(5);

  /** Past the end of the wait for both. */
  static final Duration AFTER_WAIT = WAIT.plusMillis(1);

  final FakeTime time = FakeTime.create();
  final WallClock clock = new WallClock(time);
  final CircuitBreaker recloser;
  final io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j;

  private SideBySide(
      IntervalFunction waits,
      Consumer<? super CircuitBreakerConfig.Builder> ofRecloser,
      Consumer<? super io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.Builder>
          ofResilience4j) {
    recloser =
        CircuitBreaker.create(
            "recloser",
            config -> {
              config
                  .ticker(time)
                  .slidingWindowSize(2)
                  .waitDurationInOpenState(WAIT)
                  .permittedNumberOfCallsInHalfOpenState(1);
              ofRecloser.accept(config);
            });
    var config =
        io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.custom()
            .clock(clock)
            .currentTimestampFunction(c -> time.nanoTime(), TimeUnit.NANOSECONDS)
            .slidingWindowSize(2)
            .minimumNumberOfCalls(2)
            .permittedNumberOfCallsInHalfOpenState(1)
            .waitIntervalFunctionInOpenState(waits);
    ofResilience4j.accept(config);
    resilience4j =
        io.github.resilience4j.circuitbreaker.CircuitBreaker.of("resilience4j", config.build());
  }

  static SideBySide create() {
    return create(config -> {}, config -> {});
  }

  /** Makes both with the settings that a scenario needs beyond the small ones. */
  static SideBySide create(
      Consumer<? super CircuitBreakerConfig.Builder> recloser,
      Consumer<? super io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.Builder>
          resilience4j) {
    return create(IntervalFunction.of(WAIT), recloser, resilience4j);
  }

  /** Makes both where Resilience4j has other waits; it allows one setting of them only. */
  static SideBySide create(
      IntervalFunction waits,
      Consumer<? super CircuitBreakerConfig.Builder> recloser,
      Consumer<? super io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.Builder>
          resilience4j) {
    return new SideBySide(waits, recloser, resilience4j);
  }

  /** Makes one call through each that ends at once. */
  void call(Outcome outcome) {
    recloser.acquire().record(outcome);
    resilience4j.acquirePermission();
    end(outcome);
  }

  /** Makes calls through each that fail at once. */
  void fail(int times) {
    for (int i = 0; i < times; i++) {
      call(Outcome.FAILURE);
    }
  }

  /** Tells Resilience4j that a call has ended. */
  void end(Outcome outcome) {
    switch (outcome) {
      case SUCCESS -> resilience4j.onSuccess(0, TimeUnit.NANOSECONDS);
      case FAILURE -> resilience4j.onError(0, TimeUnit.NANOSECONDS, new IOException("reset"));
      case IGNORED, CANCELLED -> resilience4j.releasePermission();
    }
  }

  void advance(Duration duration) {
    time.advance(duration);
  }

  /** Opens both and lets the wait pass. */
  void openAndWait() {
    fail(2);
    advance(AFTER_WAIT);
  }

  String stateOfRecloser() {
    return recloser.state().name();
  }

  String stateOfResilience4j() {
    return resilience4j.getState().name();
  }
}

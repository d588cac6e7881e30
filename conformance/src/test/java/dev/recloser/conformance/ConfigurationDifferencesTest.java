package dev.recloser.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Outcome;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Settings, defaults and the registry. */
final class ConfigurationDifferencesTest {

  @Test
  void a_minimum_larger_than_the_window_is_an_error() {
    SideBySide both =
        SideBySide.create(
            config -> {}, config -> config.slidingWindowSize(5).minimumNumberOfCalls(50));

    assertThatThrownBy(
            () ->
                CircuitBreakerConfig.of(
                    config -> config.slidingWindowSize(5).minimumNumberOfCalls(50)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("minimumNumberOfCalls: 50");
    for (int i = 0; i < 5; i++) {
      both.resilience4j.acquirePermission();
      both.end(Outcome.FAILURE);
    }
    assertThat(both.stateOfResilience4j()).isEqualTo("OPEN");
    assertThat(both.resilience4j.getCircuitBreakerConfig().getMinimumNumberOfCalls()).isEqualTo(50);
  }

  @Test
  void all_wrong_settings_are_told_at_once() {
    assertThatThrownBy(
            () ->
                CircuitBreakerConfig.of(
                    config -> config.slidingWindowSize(0).failureRateThreshold(120)))
        .hasMessageContaining("slidingWindowSize: 0")
        .hasMessageContaining("failureRateThreshold: 120");
    assertThatThrownBy(
            () ->
                io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.custom()
                    .slidingWindowSize(0)
                    .failureRateThreshold(120))
        .hasMessageContaining("slidingWindowSize")
        .hasMessageNotContaining("failureRateThreshold");
  }

  @Test
  void the_default_minimum_follows_a_smaller_window() {
    var recloser = CircuitBreakerConfig.of(config -> config.slidingWindowSize(20));
    var resilience4j =
        io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.custom()
            .slidingWindowSize(20)
            .build();

    assertThat(recloser.minimumNumberOfCalls()).isEqualTo(20);
    assertThat(resilience4j.getMinimumNumberOfCalls()).isEqualTo(100);
  }

  @Test
  void slow_calls_can_be_switched_off() {
    var recloser =
        CircuitBreakerConfig.of(config -> config.slowCallDurationThreshold(Duration.ZERO));

    assertThat(recloser.slowCallDurationThreshold()).isZero();
    assertThatThrownBy(
            () ->
                io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.custom()
                    .slowCallDurationThreshold(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void growing_waits_are_not_rounded() {
    Duration millisecond = Duration.ofMillis(1);
    SideBySide both =
        SideBySide.create(
            config -> config.waitDurationInOpenState(millisecond).exponentialBackoffMultiplier(1.5),
            config -> {});
    both.recloser.acquire().record(Outcome.FAILURE);
    both.recloser.acquire().record(Outcome.FAILURE);
    both.advance(millisecond);
    both.recloser.acquire().record(Outcome.FAILURE);

    assertThat(both.recloser.snapshot().remaining()).isEqualTo(Duration.ofNanos(1_500_000));
    assertThat(IntervalFunction.ofExponentialBackoff(Duration.ofMillis(1), 1.5).apply(2))
        .isEqualTo(1);
  }

  @Test
  void a_wait_function_may_stand_beside_the_base_wait() {
    var recloser =
        CircuitBreakerConfig.of(
            config ->
                config
                    .waitDurationInOpenState(SideBySide.WAIT)
                    .waitIntervalFunctionInOpenState(Duration::ofSeconds));

    assertThat(recloser.waitDurationInOpenState()).isEqualTo(SideBySide.WAIT);
    assertThatThrownBy(
            () ->
                io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.custom()
                    .waitDurationInOpenState(SideBySide.WAIT)
                    .waitIntervalFunctionInOpenState(IntervalFunction.ofDefaults())
                    .build())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_refusal_carries_no_stack_trace_unless_asked() {
    SideBySide both = SideBySide.create();
    both.fail(2);

    assertThat(catchThrowable(both.recloser::acquire).getStackTrace()).isEmpty();
    assertThat(catchThrowable(both.resilience4j::acquirePermission).getStackTrace()).isNotEmpty();
  }

  @Test
  void a_name_asked_for_with_other_settings_is_an_error() {
    var recloser = CircuitBreakerRegistry.create();
    var resilience4j = io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry.ofDefaults();
    recloser.circuitBreaker("inventory");
    var first = resilience4j.circuitBreaker("inventory");

    assertThatThrownBy(
            () ->
                recloser.circuitBreaker(
                    "inventory", CircuitBreakerConfig.of(config -> config.slidingWindowSize(20))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("slidingWindowSize");
    assertThat(
            resilience4j.circuitBreaker(
                "inventory",
                io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.custom()
                    .slidingWindowSize(20)
                    .build()))
        .isSameAs(first);
  }

  @Test
  void a_registry_holds_a_limited_number_of_breakers() {
    var recloser = CircuitBreakerRegistry.create(registry -> registry.maxSize(1));
    recloser.circuitBreaker("inventory");

    assertThatThrownBy(() -> recloser.circuitBreaker("prices"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("maxSize");
  }
}

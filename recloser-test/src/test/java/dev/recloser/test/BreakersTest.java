package dev.recloser.test;

import static dev.recloser.CircuitBreaker.State.CLOSED;
import static dev.recloser.CircuitBreaker.State.HALF_OPEN;
import static dev.recloser.CircuitBreaker.State.OPEN;
import static dev.recloser.test.RecloserAssertions.assertThat;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.Outcome;
import dev.recloser.Permit;
import dev.recloser.RefusalReason;
import dev.recloser.Scheduler;
import dev.recloser.Ticker;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BreakersTest {
  private final FakeTime time = FakeTime.create();
  private final Breakers breakers = Breakers.on(time);

  @ParameterizedTest
  @EnumSource
  void makes_a_breaker_in_any_state_without_a_move_of_time_or_counts(State state) {
    CircuitBreaker breaker = breakers.inState(state, "inventory");

    assertThat(breaker).isInState(state).hasNoCallsInFlight();
    assertThat(breaker.metrics().admitted()).isZero();
    assertThat(time.elapsed()).isZero();
  }

  @Test
  void makes_an_open_breaker_that_waits_and_then_probes() {
    CircuitBreaker breaker =
        breakers.inState(
            OPEN, "inventory", config -> config.waitDurationInOpenState(ofSeconds(30)));

    assertThat(breaker).refusesCalls(RefusalReason.OPEN);
    time.advance(ofSeconds(30));
    assertThat(breaker).permitsCalls().isHalfOpen();
  }

  @Test
  void makes_a_half_open_breaker_that_closes_when_its_probes_succeed() {
    CircuitBreaker breaker =
        breakers.inState(
            HALF_OPEN, "inventory", config -> config.permittedNumberOfCallsInHalfOpenState(1));

    breaker.run(() -> {});

    assertThat(breaker).isClosed();
  }

  @Test
  void gives_its_breakers_timers_on_the_same_time() {
    CircuitBreaker breaker =
        breakers.create(
            "inventory",
            config -> config.slidingWindowSize(1).slowCallDurationThreshold(ofSeconds(2)));

    try (Permit hanging = breaker.acquire()) {
      time.advance(ofSeconds(2));
      assertThat(breaker).isClosed();
      time.advance(ofSeconds(1));
      assertThat(breaker).isOpen();
      hanging.record(Outcome.SUCCESS);
    }
  }

  @Test
  void brings_a_configuration_of_production_to_fake_time() {
    CircuitBreakerConfig production =
        CircuitBreakerConfig.of(
            config -> config.automaticTransitionFromOpenToHalfOpenEnabled(true));

    CircuitBreakerConfig config = breakers.create("inventory", production).config();

    assertThat(production.ticker()).isSameAs(Ticker.system());
    assertThat(production.scheduler()).isSameAs(Scheduler.system());
    assertThat(config.ticker()).isSameAs(time);
    assertThat(config.scheduler()).isSameAs(time);
    assertThat(config.automaticTransitionFromOpenToHalfOpenEnabled()).isTrue();
  }

  @Test
  void gives_a_configuration_of_production_no_timers_that_it_did_not_have() {
    CircuitBreaker breaker = breakers.create("inventory", CircuitBreakerConfig.defaults());

    assertThat(breaker.config().ticker()).isSameAs(time);
    assertThat(breaker.config().scheduler()).isNull();
  }

  @Test
  void complains_when_a_health_check_ends_the_state_at_once() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                breakers.inState(
                    HALF_OPEN,
                    "inventory",
                    config -> config.healthCheck(() -> CompletableFuture.completedFuture(null))))
        .withMessageStartingWith("inventory: CLOSED (expected: HALF_OPEN); inventory is CLOSED");
  }

  @Test
  void remembers_its_breakers_and_those_of_a_registry_that_it_watches() {
    CircuitBreakerRegistry registry = CircuitBreakerRegistry.create();
    registry.onAdded(breakers::watch);

    CircuitBreaker first = breakers.create("inventory");
    CircuitBreaker second = breakers.inState(CLOSED, "payments");
    CircuitBreaker third = registry.circuitBreaker("shipping");

    assertThat(breakers.all()).containsExactly(first, second, third);
  }

  @Test
  void says_which_breakers_have_calls_in_flight_and_how_many() {
    breakers.create("inventory").run(() -> {});
    CircuitBreaker payments = breakers.create("payments");
    CircuitBreaker shipping = breakers.create("shipping");
    Permit first = payments.acquire();
    Permit second = payments.acquire();
    Permit third = shipping.acquire();

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(breakers::assertNoCallsInFlight)
        .withMessage(
            "calls in flight of payments: 2, shipping: 1"
                + " (expected: none; complete or close every permit)");

    first.close();
    second.complete("paid");
    third.fail(new IllegalStateException("lost"));
    assertThatCode(breakers::assertNoCallsInFlight).doesNotThrowAnyException();
  }
}

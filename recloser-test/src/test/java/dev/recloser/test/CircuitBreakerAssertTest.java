package dev.recloser.test;

import static dev.recloser.CircuitBreaker.State.CLOSED;
import static dev.recloser.CircuitBreaker.State.FORCED_OPEN;
import static dev.recloser.CircuitBreaker.State.HALF_OPEN;
import static dev.recloser.CircuitBreaker.State.OPEN;
import static dev.recloser.test.RecloserAssertions.assertThat;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.Outcome;
import dev.recloser.Permit;
import dev.recloser.RefusalReason;
import dev.recloser.TransitionCause;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CircuitBreakerAssertTest {
  private final FakeTime time = FakeTime.create();
  private final Breakers breakers = Breakers.on(time);
  private final CircuitBreaker breaker =
      breakers.create(
          "inventory",
          config ->
              config
                  .slidingWindowSize(4)
                  .failureRateThreshold(75)
                  .slowCallDurationThreshold(ofSeconds(1)));

  @ParameterizedTest
  @EnumSource
  void knows_the_state(State state) {
    CircuitBreaker other = breakers.inState(state, "payments");

    assertThat(other).isInState(state);
    for (State wrong : State.values()) {
      if (wrong != state) {
        fails(
            other,
            it -> it.isInState(wrong),
            "state of payments: " + state + " (expected: " + wrong + ")");
      }
    }
  }

  @Test
  void has_short_names_for_the_usual_states() {
    assertThat(breakers.inState(CLOSED, "payments")).isClosed();
    assertThat(breakers.inState(OPEN, "payments")).isOpen();
    assertThat(breakers.inState(HALF_OPEN, "payments")).isHalfOpen();

    fails(breakers.inState(OPEN, "payments"), CircuitBreakerAssert::isClosed, "(expected: CLOSED)");
    fails(breaker, CircuitBreakerAssert::isOpen, "(expected: OPEN)");
    fails(breaker, CircuitBreakerAssert::isHalfOpen, "(expected: HALF_OPEN)");
  }

  @Test
  void shows_how_the_breaker_explains_itself_when_it_fails() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertThat(breaker).as("after the outage").isOpen())
        .withMessage(
            "[after the outage] state of inventory: CLOSED (expected: OPEN)%n  "
                .formatted()
                .concat(breaker.explain()));
  }

  @Test
  void fails_on_null() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertThat((CircuitBreaker) null).isClosed())
        .withMessageContaining("not to be null");
  }

  @Test
  void knows_whether_a_call_is_permitted_by_asking_for_it() {
    assertThat(breaker).permitsCalls().hasNoCallsInFlight();
    assertThat(breaker.metrics().cancelled()).isOne();

    fails(
        breaker,
        it -> it.refusesCalls(RefusalReason.OPEN),
        "refusal of inventory: none (expected: OPEN)");
  }

  @Test
  void knows_whether_a_call_is_refused_and_why() {
    CircuitBreaker forced = breakers.inState(FORCED_OPEN, "payments");

    assertThat(forced).refusesCalls(RefusalReason.FORCED_OPEN);
    assertThat(forced.metrics().totalRefused()).isOne();

    fails(
        forced,
        CircuitBreakerAssert::permitsCalls,
        "refusal of payments: FORCED_OPEN (expected: none)");
    fails(
        forced,
        it -> it.refusesCalls(RefusalReason.OPEN),
        "refusal of payments: FORCED_OPEN (expected: OPEN)");
  }

  @Test
  void takes_no_probe_slot_by_asking() {
    CircuitBreaker halfOpen =
        breakers.inState(
            HALF_OPEN, "payments", config -> config.permittedNumberOfCallsInHalfOpenState(1));

    assertThat(halfOpen).permitsCalls().permitsCalls().isHalfOpen();
  }

  @Test
  void knows_the_failure_rate() {
    assertThat(breaker).hasFailureRate(Double.NaN);

    end(Outcome.FAILURE, Outcome.FAILURE, Outcome.SUCCESS);

    assertThat(breaker).hasFailureRate(66.67);
    fails(breaker, it -> it.hasFailureRate(66.7), "failure rate of inventory: 66.66");
    fails(breaker, it -> it.hasFailureRate(Double.NaN), "(expected: NaN%)");
  }

  @Test
  void fails_where_a_rate_is_expected_and_there_is_none() {
    fails(breaker, it -> it.hasFailureRate(0), "failure rate of inventory: NaN% (expected: 0.0%)");
  }

  @Test
  void knows_the_rate_of_slow_calls_those_in_flight_included() {
    end(Outcome.SUCCESS);
    try (Permit hanging = breaker.acquire()) {
      time.advance(ofSeconds(2));

      assertThat(breaker).hasSlowCallRate(50).hasFailureRate(0);
      fails(
          breaker,
          it -> it.hasSlowCallRate(0),
          "slow-call rate of inventory: 50.0% (expected: 0.0%)");
      hanging.record(Outcome.SUCCESS);
    }
  }

  @Test
  void knows_the_calls_in_flight() {
    assertThat(breaker).hasNoCallsInFlight();
    try (Permit permit = breaker.acquire()) {
      assertThat(breaker).hasCallsInFlight(1);
      fails(
          breaker,
          CircuitBreakerAssert::hasNoCallsInFlight,
          "calls in flight of inventory: 1 (expected: 0)");
      permit.complete("done");
    }
  }

  @Test
  void knows_the_transitions_and_what_they_were_due_to() {
    assertThat(breaker).hasNoTransitions().hasTransitions(CLOSED);
    fails(
        breaker,
        it -> it.wasLastMovedBy(TransitionCause.RESET),
        "cause of the last transition of inventory: none (expected: RESET)");

    end(Outcome.FAILURE, Outcome.FAILURE, Outcome.FAILURE, Outcome.FAILURE);
    assertThat(breaker).hasTransitions(CLOSED, OPEN).wasLastMovedBy(TransitionCause.FAILURE_RATE);

    time.advance(ofSeconds(60));
    assertThat(breaker)
        .permitsCalls()
        .hasTransitions(CLOSED, OPEN, HALF_OPEN)
        .wasLastMovedBy(TransitionCause.WAIT_ELAPSED);

    fails(
        breaker,
        it -> it.hasTransitions(CLOSED, OPEN, CLOSED),
        "transitions of inventory: [CLOSED, OPEN, HALF_OPEN] (expected: [CLOSED, OPEN, CLOSED])");
    fails(breaker, CircuitBreakerAssert::hasNoTransitions, "(expected: none)");
    fails(
        breaker,
        it -> it.wasLastMovedBy(TransitionCause.OPERATOR),
        "WAIT_ELAPSED (expected: OPERATOR)");
  }

  @Test
  void knows_what_the_breaker_explains() {
    assertThat(breaker).explains("inventory is CLOSED");
    fails(
        breaker,
        it -> it.explains("100% sure"),
        "\"100% sure\" in the explanation of inventory: missing (expected: present)");
  }

  private void end(Outcome... outcomes) {
    for (Outcome outcome : outcomes) {
      breaker.acquire().record(outcome);
    }
  }

  private static void fails(
      CircuitBreaker breaker, Consumer<CircuitBreakerAssert> claim, String message) {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> claim.accept(assertThat(breaker)))
        .withMessageContaining(message)
        .withMessageContaining(breaker.name() + " is " + breaker.state());
  }
}

package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.CircuitBreakerEvent.CallRefused;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.CircuitBreakerEvent.WouldHaveOpened;
import dev.recloser.test.RecordingListener;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What an operator may do (S18). */
final class OperatorsTest extends Scenario {

  @Test
  @DisplayName("B5: a breaker opened from inside a call is open, and the caller sees its own end")
  void open_from_inside_a_call() {
    CircuitBreaker breaker = small(1);
    IOException own = new IOException("own");

    assertThatThrownBy(
            () ->
                breaker.call(
                    () -> {
                      breaker.transitionTo(State.OPEN);
                      throw own;
                    }))
        .isSameAs(own);

    assertThat(breaker).isOpen();
    assertThat(breaker.snapshot().remaining()).isEqualTo(WAIT);
    assertThat(breaker.tryAcquire()).isNull();
    assertThatThrownBy(breaker::acquire).isInstanceOf(CallNotPermittedException.class);
  }

  @Test
  @DisplayName("B7a: reset in half-open cancels its limit, and the breaker stays closed")
  void reset_cancels_the_limit_of_half_open() {
    CircuitBreaker breaker =
        breakerWithTimers(
            smallSettings(1).andThen(s -> s.maxWaitDurationInHalfOpenState(millis(300))));
    breaker.transitionTo(State.HALF_OPEN);
    assertThat(time.pendingTimers()).isEqualTo(1);

    breaker.reset();

    assertThat(time.pendingTimers()).isZero();
    time.advance(millis(300));
    assertThat(breaker).isClosed();
  }

  @Test
  @DisplayName("B7b: after a reset the wait of a new opening is a full one")
  void reset_cancels_the_wait() {
    CircuitBreaker breaker =
        breakerWithTimers(
            smallSettings(1)
                .andThen(
                    s ->
                        s.automaticTransitionFromOpenToHalfOpenEnabled(true)
                            .waitDurationInOpenState(millis(600))));
    open(breaker);
    time.advance(millis(100));
    breaker.reset();
    time.advance(millis(300));
    open(breaker);

    time.advance(millis(350)); // 750 ms after the first opening.
    assertThat(breaker).isOpen();
    time.advance(millis(249));
    assertThat(breaker).isOpen();
    time.advance(millis(1));
    assertThat(breaker).isHalfOpen();
  }

  @Test
  @DisplayName("B22: refusals of a breaker that is forced open are counted and told")
  void forced_open_is_visible() {
    CircuitBreaker breaker = small(1);
    breaker.transitionTo(State.FORCED_OPEN);
    RecordingListener heard = RecordingListener.on(breaker);

    for (int i = 0; i < 5; i++) {
      assertThat(isRefused(breaker)).isTrue();
    }

    assertThat(heard.of(CallRefused.class))
        .hasSize(5)
        .containsOnly(new CallRefused("inventory", RefusalReason.FORCED_OPEN));
    assertThat(breaker.metrics().refused()).containsEntry(RefusalReason.FORCED_OPEN, 5L);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"DISABLED", "METRICS_ONLY"})
  @DisplayName("B22: calls of a breaker that is disabled or only measures are counted and told")
  void disabled_is_visible(State state) {
    CircuitBreaker breaker = small(1, settings -> settings.slowCallDurationThreshold(millis(10)));
    breaker.transitionTo(state);
    RecordingListener heard = RecordingListener.on(breaker);

    fail(breaker, 3);
    succeedAfter(millis(11), breaker);

    assertThat(heard.of(CallFinished.class)).hasSize(4).noneMatch(CallFinished::late);
    assertThat(breaker.metrics().failed()).isEqualTo(3);
    assertThat(breaker.metrics().slow()).isEqualTo(1);
    assertThat(breaker.metrics().late()).isZero();
  }

  @Test
  @DisplayName("HE-1: a breaker that an operator opens waits and then probes")
  void operators_open_is_the_ordinary_open_state() {
    CircuitBreaker breaker = small(1);
    breaker.transitionTo(State.OPEN);
    assertThat(breaker).refusesCalls(RefusalReason.OPEN);

    time.advance(WAIT);

    assertThat(breaker).permitsCalls().isHalfOpen();
  }

  @Test
  @DisplayName("HE-2: a breaker that an operator makes half-open is half-open, and probes decide")
  void operators_half_open_is_the_ordinary_half_open_state() {
    CircuitBreaker breaker = small(1);
    breaker.transitionTo(State.HALF_OPEN);
    assertThat(breaker).isHalfOpen();

    try (Permit probe = breaker.acquire()) {
      assertThat(probe.isProbe()).isTrue();
      assertThat(breaker).refusesCalls(RefusalReason.HALF_OPEN);
      probe.fail(new IOException());
    }
    assertThat(breaker).isOpen();
  }

  @Test
  @DisplayName("Oracle 17: a disabled breaker admits every call and judges none")
  void disabled_judges_nothing() {
    CircuitBreaker breaker = small(1);
    breaker.transitionTo(State.DISABLED);

    fail(breaker, 100);

    assertThat(breaker).isInState(State.DISABLED).hasFailureRate(Double.NaN);
    assertThat(breaker.snapshot().window().calls()).isZero();
  }

  @Test
  @DisplayName("Oracle 18: a breaker that is forced open refuses for ever")
  void forced_open_has_no_wait() {
    CircuitBreaker breaker =
        breakerWithTimers(
            smallSettings(1).andThen(s -> s.automaticTransitionFromOpenToHalfOpenEnabled(true)));
    breaker.transitionTo(State.FORCED_OPEN);

    for (int day = 0; day < 100; day++) {
      time.advance(Duration.ofDays(1));
      assertThat(breaker).refusesCalls(RefusalReason.FORCED_OPEN);
    }
    assertThat(breaker).isInState(State.FORCED_OPEN);
  }

  @Test
  @DisplayName(
      "Oracle 19: a breaker that only measures admits all and says once that it would open")
  void metrics_only_tells_once() {
    CircuitBreaker breaker = breaker(settings -> settings.slidingWindowSize(5));
    breaker.transitionTo(State.METRICS_ONLY);
    RecordingListener heard = RecordingListener.on(breaker);

    fail(breaker, 3);
    succeed(breaker, 2);
    fail(breaker);

    assertThat(breaker).isInState(State.METRICS_ONLY).hasFailureRate(60);
    assertThat(heard.of(WouldHaveOpened.class))
        .singleElement()
        .satisfies(
            told -> {
              assertThat(told.cause()).isEqualTo(TransitionCause.FAILURE_RATE);
              assertThat(told.window().failureRate()).isEqualTo(60);
              assertThat(told.reason())
                  .isEqualTo("3 of the last 5 calls failed (60 % >= 50 %), last with IOException");
            });
    assertThat(heard.transitions()).isEmpty();
    assertThat(breaker.metrics().wouldHaveOpened()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"0", "60000"})
  void metrics_only_tells_again_only_after_both_rates_have_been_below(long slowLimitMillis) {
    CircuitBreaker breaker =
        breaker(s -> s.slidingWindowSize(4).slowCallDurationThreshold(millis(slowLimitMillis)));
    breaker.transitionTo(State.METRICS_ONLY);

    fail(breaker, 10);
    ignore(breaker);
    cancel(breaker);
    fail(breaker, 10);
    assertThat(breaker.metrics().wouldHaveOpened()).isEqualTo(1);

    succeed(breaker, 3); // One failure of four is below.
    fail(breaker, 2);
    assertThat(breaker.metrics().wouldHaveOpened()).isEqualTo(2);
  }

  @Test
  void metrics_only_tells_of_hung_calls() {
    CircuitBreaker breaker =
        breakerWithTimers(s -> s.slidingWindowSize(2).slowCallDurationThreshold(millis(100)));
    breaker.transitionTo(State.METRICS_ONLY);
    RecordingListener heard = RecordingListener.on(breaker);
    var hung = acquire(breaker, 2);

    time.advance(millis(101));

    assertThat(heard.of(WouldHaveOpened.class))
        .extracting(WouldHaveOpened::cause)
        .containsExactly(TransitionCause.SLOW_CALL_RATE);
    hung.forEach(Permit::close);
  }

  @Test
  @DisplayName("Oracle 20: every move is legal for an operator, half-open from closed included")
  void closed_to_half_open_is_legal() {
    CircuitBreaker breaker = small(1);
    breaker.transitionTo(State.HALF_OPEN);
    assertThat(breaker).hasTransitions(State.CLOSED, State.HALF_OPEN);
  }

  @ParameterizedTest
  @EnumSource(State.class)
  @DisplayName("Oracle 21: reset closes from every state with an empty window and one event")
  void reset_closes(State state) {
    CircuitBreaker breaker = small(1);
    fail(breaker);
    breaker.transitionTo(state);
    RecordingListener heard = RecordingListener.on(breaker);

    breaker.reset();

    assertThat(breaker).isClosed();
    assertThat(breaker.snapshot().window().calls()).isZero();
    assertThat(heard.events())
        .singleElement()
        .isInstanceOfSatisfying(
            StateTransition.class,
            event -> {
              assertThat(event.from()).isEqualTo(state);
              assertThat(event.to()).isEqualTo(State.CLOSED);
              assertThat(event.cause()).isEqualTo(TransitionCause.RESET);
            });
    assertThat(breaker.metrics().failed()).as("what was counted stays").isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(State.class)
  @DisplayName("Oracle 22: moving to the present state does nothing and tells nothing")
  void move_to_the_present_state(State state) {
    CircuitBreaker breaker = small(1);
    breaker.transitionTo(state);
    time.advance(seconds(1));
    RecordingListener heard = RecordingListener.on(breaker);
    CircuitBreakerSnapshot before = breaker.snapshot();

    breaker.transitionTo(state);

    assertThat(heard.events()).isEmpty();
    assertThat(breaker.snapshot()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"FORCED_OPEN", "DISABLED", "METRICS_ONLY"})
  void an_operators_state_is_sticky(State state) {
    CircuitBreaker breaker = breakerWithTimers(smallSettings(1));
    breaker.transitionTo(state);

    time.advance(Duration.ofDays(365));
    isRefused(breaker);

    assertThat(breaker).isInState(state);
    assertThat(breaker.snapshot().remaining()).isNull();
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"FORCED_OPEN", "DISABLED", "METRICS_ONLY"})
  void an_operators_state_with_an_expiry_closes_then(State state) {
    CircuitBreaker breaker = breakerWithTimers(smallSettings(1));
    breaker.transitionTo(state, seconds(30));
    assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(30));

    time.advance(seconds(30).minus(TICK));
    assertThat(breaker).isInState(state);
    time.advance(TICK);

    assertThat(breaker).isClosed().wasLastMovedBy(TransitionCause.WAIT_ELAPSED);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"FORCED_OPEN", "DISABLED", "METRICS_ONLY"})
  void without_timers_the_next_call_finds_that_the_expiry_has_passed(State state) {
    CircuitBreaker breaker = small(1);
    breaker.transitionTo(state, seconds(30));
    time.advance(seconds(100));

    succeed(breaker);

    assertThat(breaker).isClosed();
    assertThat(breaker.metrics().timeInState()).containsEntry(state, seconds(30));
    assertThat(breaker.metrics().timeInState()).containsEntry(State.CLOSED, seconds(70));
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"FORCED_OPEN", "DISABLED", "METRICS_ONLY", "OPEN"})
  void a_new_duration_replaces_the_old_one(State state) {
    CircuitBreaker breaker = breakerWithTimers(smallSettings(1));
    breaker.transitionTo(state, seconds(10));
    time.advance(seconds(5));

    breaker.transitionTo(state, seconds(60));

    time.advance(seconds(59));
    assertThat(breaker).isInState(state);
    assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(1));
    assertThat(breaker.transitions()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"FORCED_OPEN", "DISABLED", "METRICS_ONLY"})
  void without_a_duration_the_pending_expiry_is_taken_off(State state) {
    CircuitBreaker breaker = small(1);
    breaker.transitionTo(state, seconds(10));
    time.advance(seconds(5));

    breaker.transitionTo(state);
    time.advance(seconds(100));
    isRefused(breaker);

    assertThat(breaker).isInState(state);
  }

  @ParameterizedTest
  @CsvSource({"CLOSED", "HALF_OPEN"})
  void states_that_end_by_themselves_take_no_duration(State state) {
    CircuitBreaker breaker = small(1);

    assertThatThrownBy(() -> breaker.transitionTo(state, seconds(10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("duration: 10 s for " + state + " (expected: none, that state ends by itself)");
    assertThat(breaker).hasNoTransitions();
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT-1S, -1 s",
    "PT-9223372036854775808S, '-'",
    "P36501D, 36501 d",
    "PT9223372036854775807S, '106751991167300 d'"
  })
  void a_duration_beyond_reason_is_an_error(Duration duration, String shown) {
    CircuitBreaker breaker = small(1);

    assertThatThrownBy(() -> breaker.transitionTo(State.FORCED_OPEN, duration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("duration: " + shown)
        .hasMessageEndingWith(" (expected: more than zero, at most 36,500 days)");
    assertThat(breaker).hasNoTransitions();
  }

  @Test
  void an_operators_opening_counts_as_the_first() {
    CircuitBreaker breaker = small(1, settings -> settings.exponentialBackoffMultiplier(2));
    openAndProbe(breaker).fail(new IOException());
    assertThat(breaker.snapshot().openings()).isEqualTo(2);
    breaker.transitionTo(State.FORCED_OPEN);

    breaker.transitionTo(State.OPEN);

    assertThat(breaker.snapshot().openings()).isEqualTo(1);
    assertThat(breaker.snapshot().remaining()).isEqualTo(WAIT);
  }

  @Test
  void reset_forgets_probes_and_the_growth_of_the_wait() {
    CircuitBreaker breaker = small(1, settings -> settings.exponentialBackoffMultiplier(2));
    openAndProbe(breaker).fail(new IOException());
    Permit probe = waitAndProbe(breaker);

    breaker.reset();
    probe.fail(new IOException("late"));
    assertThat(breaker).isClosed();

    open(breaker);
    assertThat(breaker.snapshot().remaining()).isEqualTo(WAIT);
  }

  @Test
  void a_refusal_by_force_tells_until_when() {
    CircuitBreaker breaker = small(1);
    breaker.transitionTo(State.FORCED_OPEN, seconds(30));
    time.advance(seconds(10));

    assertThatThrownBy(breaker::acquire)
        .isInstanceOfSatisfying(
            CallNotPermittedException.class,
            refusal -> assertThat(refusal.retryAfter()).contains(seconds(20)));
  }
}

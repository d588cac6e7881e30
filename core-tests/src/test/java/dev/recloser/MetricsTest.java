package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerMetrics.TransitionKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a breaker counts in its whole life (S21). */
final class MetricsTest extends Scenario {

  @Test
  void a_new_breaker_has_counted_nothing() {
    CircuitBreakerMetrics metrics = small(1).metrics();

    assertThat(metrics)
        .isEqualTo(
            new CircuitBreakerMetrics(
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                Map.of(
                    RefusalReason.OPEN,
                    0L,
                    RefusalReason.HALF_OPEN,
                    0L,
                    RefusalReason.FORCED_OPEN,
                    0L,
                    RefusalReason.RAMP_UP,
                    0L),
                Map.of(
                    Outcome.SUCCESS,
                    0L,
                    Outcome.FAILURE,
                    0L,
                    Outcome.IGNORED,
                    0L,
                    Outcome.CANCELLED,
                    0L),
                0,
                0,
                Map.of(),
                Map.of(
                    State.CLOSED,
                    Duration.ZERO,
                    State.OPEN,
                    Duration.ZERO,
                    State.HALF_OPEN,
                    Duration.ZERO,
                    State.FORCED_OPEN,
                    Duration.ZERO,
                    State.DISABLED,
                    Duration.ZERO,
                    State.METRICS_ONLY,
                    Duration.ZERO)));
  }

  @Test
  @DisplayName("B23: refusals of the open state stay counted after it")
  void refusals_stay_counted() {
    CircuitBreaker breaker = small(1);
    open(breaker);
    for (int i = 0; i < 5; i++) {
      isRefused(breaker);
    }
    waitAndProbe(breaker).complete("fine");

    assertThat(breaker).isClosed();
    assertThat(breaker.metrics().refused()).containsEntry(RefusalReason.OPEN, 5L);
    assertThat(breaker.metrics().totalRefused()).isEqualTo(5);
  }

  @Test
  void each_end_of_a_call_has_its_counter() {
    CircuitBreaker breaker = breaker(settings -> settings.slowCallDurationThreshold(millis(10)));
    succeed(breaker, 5);
    fail(breaker, 4);
    for (int i = 0; i < 3; i++) {
      ignore(breaker);
    }
    cancel(breaker);
    breaker.acquire().close();
    succeedAfter(millis(11), breaker);
    failAfter(millis(11), breaker);
    Permit running = breaker.acquire();

    CircuitBreakerMetrics metrics = breaker.metrics();
    assertThat(metrics.admitted()).isEqualTo(17);
    assertThat(metrics.succeeded()).isEqualTo(6);
    assertThat(metrics.failed()).isEqualTo(5);
    assertThat(metrics.ignored()).isEqualTo(3);
    assertThat(metrics.cancelled()).isEqualTo(2);
    assertThat(metrics.slow()).isEqualTo(2);
    assertThat(metrics.late()).isZero();
    assertThat(metrics.callsInFlight()).isEqualTo(1);
    running.close();
  }

  @Test
  void slow_is_said_of_successes_and_failures_alone() {
    CircuitBreaker breaker = breaker(settings -> settings.slowCallDurationThreshold(millis(10)));
    for (Outcome outcome : Outcome.values()) {
      Permit permit = breaker.acquire();
      time.advance(millis(11));
      permit.record(outcome);
    }
    assertThat(breaker.metrics().slow()).isEqualTo(2);
  }

  @Test
  void each_reason_to_refuse_has_its_counter() {
    CircuitBreaker breaker = small(1, settings -> settings.rampUpDuration(seconds(10)));
    open(breaker);
    isRefused(breaker);
    Permit probe = waitAndProbe(breaker);
    isRefused(breaker);
    isRefused(breaker);
    probe.complete("fine");
    succeed(breaker);
    for (int i = 0; i < 3; i++) {
      assertThat(isRefused(breaker)).isTrue();
    }
    breaker.transitionTo(State.FORCED_OPEN);
    for (int i = 0; i < 4; i++) {
      isRefused(breaker);
    }

    assertThat(breaker.metrics().refused())
        .isEqualTo(
            Map.of(
                RefusalReason.OPEN,
                1L,
                RefusalReason.HALF_OPEN,
                2L,
                RefusalReason.RAMP_UP,
                3L,
                RefusalReason.FORCED_OPEN,
                4L));
    assertThat(breaker.metrics().totalRefused()).isEqualTo(10);
  }

  @Test
  void probes_are_counted_by_outcome_late_ones_included() {
    CircuitBreaker breaker = small(10, settings -> settings.maxProbeDuration(seconds(2)));
    open(breaker);
    time.advance(WAIT);
    Permit silent = breaker.acquire();
    time.advance(seconds(2));
    succeed(breaker, 3);
    fail(breaker);
    ignore(breaker);
    cancel(breaker);
    cancel(breaker);
    silent.complete("late");

    CircuitBreakerMetrics metrics = breaker.metrics();
    assertThat(metrics.probes())
        .isEqualTo(
            Map.of(
                Outcome.SUCCESS,
                4L,
                Outcome.FAILURE,
                1L,
                Outcome.IGNORED,
                1L,
                Outcome.CANCELLED,
                2L));
    assertThat(metrics.expiredProbes()).isEqualTo(1);
    assertThat(metrics.late()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Outcome.class)
  void late_ends_are_counted_as_what_they_are_and_as_late(Outcome outcome) {
    CircuitBreaker breaker = small(1);
    Permit permit = breaker.acquire();
    breaker.reset();

    permit.record(outcome);

    CircuitBreakerMetrics metrics = breaker.metrics();
    assertThat(metrics.late()).isEqualTo(1);
    assertThat(
            List.of(metrics.succeeded(), metrics.failed(), metrics.ignored(), metrics.cancelled()))
        .as("ends by %s", List.of(Outcome.values()))
        .isEqualTo(List.of(Outcome.values()).stream().map(o -> o == outcome ? 1L : 0L).toList());
  }

  @Test
  void transitions_are_counted_by_kind() {
    CircuitBreaker breaker = small(1);
    openAndProbe(breaker).fail(new IOException());
    waitAndProbe(breaker).complete("fine");
    open(breaker);
    breaker.reset();
    breaker.reset();

    assertThat(breaker.metrics().transitions())
        .isEqualTo(
            Map.of(
                new TransitionKind(State.CLOSED, State.OPEN, TransitionCause.FAILURE_RATE),
                2L,
                new TransitionKind(State.OPEN, State.HALF_OPEN, TransitionCause.WAIT_ELAPSED),
                2L,
                new TransitionKind(State.HALF_OPEN, State.OPEN, TransitionCause.PROBES_FAILED),
                1L,
                new TransitionKind(State.HALF_OPEN, State.CLOSED, TransitionCause.PROBES_SUCCEEDED),
                1L,
                new TransitionKind(State.OPEN, State.CLOSED, TransitionCause.RESET),
                1L,
                new TransitionKind(State.CLOSED, State.CLOSED, TransitionCause.RESET),
                1L));
  }

  @Test
  void the_times_in_the_states_add_up_to_the_life_of_the_breaker() {
    CircuitBreaker breaker = small(1, settings -> settings.maxProbeDuration(seconds(60)));
    time.advance(seconds(1));
    open(breaker);
    time.advance(seconds(7));
    Permit probe = breaker.acquire();
    time.advance(seconds(3));
    probe.complete("fine");
    time.advance(seconds(11));
    breaker.transitionTo(State.DISABLED);
    time.advance(seconds(13));
    breaker.transitionTo(State.METRICS_ONLY);
    time.advance(seconds(17));
    breaker.transitionTo(State.FORCED_OPEN);
    time.advance(seconds(19));

    Map<State, Duration> timeInState = breaker.metrics().timeInState();
    assertThat(timeInState)
        .isEqualTo(
            Map.of(
                State.CLOSED,
                seconds(12),
                State.OPEN,
                seconds(7),
                State.HALF_OPEN,
                seconds(3),
                State.DISABLED,
                seconds(13),
                State.METRICS_ONLY,
                seconds(17),
                State.FORCED_OPEN,
                seconds(19)));
    assertThat(timeInState.values().stream().reduce(Duration.ZERO, Duration::plus))
        .isEqualTo(time.elapsed());
  }

  @Test
  void neither_a_reset_nor_a_new_configuration_sets_a_counter_back() {
    CircuitBreaker breaker = small(1);
    succeed(breaker);
    open(breaker);
    isRefused(breaker);
    CircuitBreakerMetrics before = breaker.metrics();

    breaker.reset();
    breaker.reconfigure(settings -> settings.slidingWindowSize(seconds(10)));

    CircuitBreakerMetrics after = breaker.metrics();
    assertThat(after).usingRecursiveComparison().ignoringFields("transitions").isEqualTo(before);
  }

  @Test
  void what_was_read_does_not_change() {
    CircuitBreaker breaker = small(1);
    CircuitBreakerMetrics metrics = breaker.metrics();
    CircuitBreakerSnapshot snapshot = breaker.snapshot();

    open(breaker);
    isRefused(breaker);
    time.advance(seconds(1));

    assertThat(metrics.admitted()).isZero();
    assertThat(metrics.totalRefused()).isZero();
    assertThat(metrics.transitions()).isEmpty();
    assertThat(metrics.timeInState()).containsEntry(State.OPEN, Duration.ZERO);
    assertThat(snapshot.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void a_refused_call_is_not_admitted() {
    CircuitBreaker breaker = breakers.inState(State.FORCED_OPEN, "closed for business");
    for (int i = 0; i < 7; i++) {
      isRefused(breaker);
    }
    assertThat(breaker.metrics().admitted()).isZero();
    assertThat(breaker).hasNoCallsInFlight();
  }

  @Test
  void the_time_in_a_state_never_goes_back_when_a_limit_is_found_late() {
    CircuitBreaker forced = small(1);
    forced.transitionTo(State.FORCED_OPEN, seconds(5));
    CircuitBreaker probing = small(1, settings -> settings.maxProbeDuration(seconds(10)));
    probing.transitionTo(State.HALF_OPEN);
    Permit probe = probing.acquire();
    time.advance(seconds(100));

    assertThat(forced.metrics().timeInState().get(State.FORCED_OPEN)).isEqualTo(seconds(5));
    assertThat(probing.metrics().timeInState().get(State.HALF_OPEN)).isEqualTo(seconds(10));

    forced.acquire().close();
    probe.close();

    assertThat(forced.metrics().timeInState().get(State.FORCED_OPEN)).isEqualTo(seconds(5));
    assertThat(probing.metrics().timeInState().get(State.HALF_OPEN)).isEqualTo(seconds(10));
  }

  @Test
  void the_time_in_a_state_never_goes_back_for_who_reads_while_a_call_is_judged() {
    List<Duration> seen = new ArrayList<>();
    CircuitBreaker[] breaker = new CircuitBreaker[1];
    breaker[0] =
        small(
            1,
            settings ->
                settings.recordResult(
                    result -> {
                      time.advance(seconds(50));
                      seen.add(breaker[0].metrics().timeInState().get(State.CLOSED));
                      return true;
                    }));
    breaker[0].call(() -> "bad");
    breaker[0].call(() -> "bad");

    assertThat(breaker[0].metrics().timeInState().get(State.CLOSED))
        .isGreaterThanOrEqualTo(seen.get(seen.size() - 1));
  }
}

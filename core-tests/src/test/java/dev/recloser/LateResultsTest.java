package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.test.RecordingListener;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A result whose state has passed is counted and moves nothing (S1, S2). */
final class LateResultsTest extends Scenario {

  @Test
  @DisplayName("B2: late successes do not close a breaker whose probe is still out")
  void late_successes_do_not_close_the_breaker() {
    CircuitBreaker breaker = small(2);
    List<Permit> slow = acquire(breaker, 3);
    Permit probe = openAndProbe(breaker);

    slow.get(0).complete("late");
    slow.get(1).complete("late");

    assertThat(breaker).isHalfOpen();
    assertThat(breaker.snapshot().window().calls()).isZero();
    assertThat(breaker.metrics().late()).isEqualTo(2);
    slow.get(2).complete("late");
    probe.close();
  }

  @Test
  @DisplayName("B2b: a late failure does not reopen the breaker, and the probe's success closes it")
  void late_failure_does_not_reopen_the_breaker() {
    CircuitBreaker breaker = small(1);
    Permit slow = breaker.acquire();
    Permit probe = openAndProbe(breaker);

    slow.fail(new IOException("late"));
    assertThat(breaker).isHalfOpen();

    probe.complete("fine");
    assertThat(breaker).isClosed();
  }

  @Test
  @DisplayName("FS-3: after a late success the probe's failure still reopens the breaker")
  void probe_decides_after_a_late_success() {
    CircuitBreaker breaker = small(1);
    List<Permit> calls = acquire(breaker, 3);
    calls.get(0).fail(new IOException());
    calls.get(1).fail(new IOException());
    assertThat(breaker).isOpen();

    Permit probe = waitAndProbe(breaker);
    calls.get(2).complete("late");
    assertThat(breaker).isHalfOpen();

    probe.fail(new IOException());
    assertThat(breaker).isOpen();
  }

  @Test
  @DisplayName("B3: a late ignored result in half-open adds no probe above the limit")
  void late_ignored_result_adds_no_probe() {
    CircuitBreaker breaker = small(1);
    Permit late = breaker.acquire();
    Permit probe = openAndProbe(breaker);

    late.record(Outcome.IGNORED);

    assertThat(isRefused(breaker)).isTrue();
    assertThat(breaker.snapshot().probesOut()).isEqualTo(1);
    assertThat(breaker.snapshot().probesLeft()).isZero();
    probe.close();
  }

  @ParameterizedTest
  @EnumSource(Outcome.class)
  void the_window_of_an_open_breaker_is_frozen(Outcome outcome) {
    CircuitBreaker breaker = small(1);
    Permit late = breaker.acquire();
    open(breaker);
    WindowSnapshot frozen = breaker.snapshot().window();

    late.record(outcome);

    assertThat(breaker.snapshot().window()).isEqualTo(frozen);
    assertThat(breaker).isOpen().hasFailureRate(100);
    assertThat(breaker.metrics().late()).isEqualTo(1);
  }

  @Test
  void results_from_before_a_reset_do_not_enter_the_new_window() {
    CircuitBreaker breaker = small(1);
    List<Permit> old = acquire(breaker, 2);
    breaker.reset();

    old.forEach(permit -> permit.fail(new IOException("late")));

    assertThat(breaker).isClosed();
    assertThat(breaker.snapshot().window().calls()).isZero();
    assertThat(breaker.metrics().failed()).isEqualTo(2);
    assertThat(breaker.metrics().late()).isEqualTo(2);
  }

  @Test
  void a_probe_of_an_earlier_half_open_state_is_late_in_the_next() {
    CircuitBreaker breaker = small(2);
    Permit old = openAndProbe(breaker);
    breaker.acquire().fail(new IOException());
    assertThat(breaker).isOpen();
    Permit probe = waitAndProbe(breaker);

    old.fail(new IOException("late"));

    assertThat(breaker).isHalfOpen();
    assertThat(breaker.snapshot().probesOut()).isEqualTo(1);
    assertThat(breaker.snapshot().window().calls()).isZero();
    probe.close();
  }

  @Test
  void a_call_of_the_closed_state_is_late_after_the_breaker_has_opened_and_closed_again() {
    CircuitBreaker breaker = small(1);
    List<Permit> old = acquire(breaker, 2);
    openAndProbe(breaker).complete("fine");
    assertThat(breaker).isClosed();

    old.forEach(permit -> permit.fail(new IOException("late")));

    assertThat(breaker).isClosed().hasFailureRate(Double.NaN);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"DISABLED", "METRICS_ONLY", "FORCED_OPEN"})
  void a_call_of_the_closed_state_is_late_in_an_operators_state(State state) {
    CircuitBreaker breaker = small(1);
    Permit old = breaker.acquire();
    breaker.transitionTo(state);

    old.fail(new IOException("late"));

    assertThat(breaker).isInState(state);
    assertThat(breaker.snapshot().window().calls()).isZero();
    assertThat(breaker.metrics().late()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"DISABLED", "METRICS_ONLY"})
  void a_call_of_an_operators_state_is_late_in_the_closed_state(State state) {
    CircuitBreaker breaker = small(1);
    breaker.transitionTo(state);
    Permit old = breaker.acquire();
    breaker.transitionTo(State.CLOSED);

    old.fail(new IOException("late"));

    assertThat(breaker.snapshot().window().calls()).isZero();
    assertThat(breaker.metrics().late()).isEqualTo(1);
  }

  @Test
  void the_event_of_a_late_result_says_so() {
    CircuitBreaker breaker = small(1);
    Permit late = breaker.acquire();
    open(breaker);
    RecordingListener heard = RecordingListener.on(breaker);

    late.complete("late");

    assertThat(heard.of(CallFinished.class))
        .singleElement()
        .satisfies(
            finished -> {
              assertThat(finished.late()).isTrue();
              assertThat(finished.outcome()).isEqualTo(Outcome.SUCCESS);
            });
  }
}

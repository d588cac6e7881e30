package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker.State;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a snapshot shows in every state. */
final class SnapshotTest extends Scenario {

  @Test
  void of_a_new_breaker() {
    assertThat(small(3).snapshot())
        .isEqualTo(
            snapshot(State.CLOSED, Duration.ZERO, window(0, 0, 0, 0, 2), null, 0, 0, 100, 0, 0));
  }

  @Test
  void of_a_closed_breaker_with_calls() {
    CircuitBreaker breaker = small(3, settings -> settings.slowCallDurationThreshold(millis(10)));
    fail(breaker);
    Permit running = breaker.acquire();
    time.advance(millis(11));

    CircuitBreakerSnapshot snapshot = breaker.snapshot();

    assertThat(snapshot)
        .isEqualTo(
            snapshot(State.CLOSED, millis(11), window(1, 1, 0, 1, 2), null, 0, 0, 100, 0, 1));
    assertThat(snapshot.window().callsNeeded()).isZero();
    assertThat(snapshot.window().failureRate()).isEqualTo(100);
    assertThat(snapshot.window().slowCallRate()).isEqualTo(50);
    running.close();
  }

  @Test
  void of_an_open_breaker() {
    CircuitBreaker breaker = small(3);
    Permit running = breaker.acquire();
    open(breaker);
    time.advance(seconds(2));

    assertThat(breaker.snapshot())
        .isEqualTo(
            snapshot(State.OPEN, seconds(2), window(2, 2, 0, 0, 2), seconds(3), 0, 0, 0, 1, 1));
    running.close();
  }

  @Test
  void of_an_open_breaker_whose_wait_is_over() {
    CircuitBreaker breaker = small(3);
    open(breaker);
    time.advance(seconds(60));

    assertThat(breaker.snapshot().remaining()).isZero();
    assertThat(breaker.snapshot().inStateFor()).isEqualTo(seconds(60));
  }

  @Test
  void of_a_half_open_breaker() {
    CircuitBreaker breaker =
        small(6, settings -> settings.maxWaitDurationInHalfOpenState(seconds(20)));
    open(breaker);
    time.advance(WAIT);
    fail(breaker);
    succeed(breaker);
    Permit probe = breaker.acquire();
    time.advance(seconds(1));

    assertThat(breaker.snapshot())
        .isEqualTo(
            snapshot(
                State.HALF_OPEN, seconds(1), window(2, 1, 0, 0, 6), seconds(19), 1, 3, 0, 1, 1));
    probe.close();
  }

  @Test
  void of_a_breaker_that_has_closed_again() {
    CircuitBreaker breaker = small(1, settings -> settings.rampUpDuration(seconds(10)));
    openAndProbe(breaker).fail(new IOException());
    waitAndProbe(breaker).complete("fine");
    time.advance(seconds(1));

    assertThat(breaker.snapshot())
        .isEqualTo(snapshot(State.CLOSED, seconds(1), window(0, 0, 0, 0, 2), null, 0, 0, 19, 2, 0));
    time.advance(WAIT);
    assertThat(breaker.snapshot().openings()).isZero();
  }

  @Test
  void of_a_breaker_in_the_states_of_an_operator() {
    CircuitBreaker breaker = small(1);
    WindowSnapshot nothing = window(0, 0, 0, 0, 2);

    breaker.transitionTo(State.FORCED_OPEN);
    assertThat(breaker.snapshot())
        .isEqualTo(snapshot(State.FORCED_OPEN, Duration.ZERO, nothing, null, 0, 0, 0, 0, 0));

    breaker.transitionTo(State.DISABLED, seconds(10));
    time.advance(seconds(4));
    assertThat(breaker.snapshot())
        .isEqualTo(snapshot(State.DISABLED, seconds(4), nothing, seconds(6), 0, 0, 100, 0, 0));

    breaker.transitionTo(State.METRICS_ONLY);
    fail(breaker, 2);
    assertThat(breaker.snapshot())
        .isEqualTo(
            snapshot(
                State.METRICS_ONLY, Duration.ZERO, window(2, 2, 0, 0, 2), null, 0, 0, 100, 0, 0));
  }

  @Test
  void the_name_and_the_state_are_what_a_breaker_reads_like() {
    assertThat(small(1)).hasToString("inventory is CLOSED");
  }

  private static WindowSnapshot window(
      int calls, int failed, int slow, int slowInFlight, int needed) {
    return new WindowSnapshot(calls, failed, slow, 0, slowInFlight, needed, 50, 100);
  }

  private static CircuitBreakerSnapshot snapshot(
      State state,
      Duration timeInState,
      WindowSnapshot window,
      Duration remaining,
      int probesOut,
      int probesLeft,
      double admittedPercentage,
      int openings,
      long callsInFlight) {
    return new CircuitBreakerSnapshot(
        "inventory",
        state,
        timeInState,
        window,
        remaining,
        probesOut,
        probesLeft,
        admittedPercentage,
        openings,
        callsInFlight);
  }
}

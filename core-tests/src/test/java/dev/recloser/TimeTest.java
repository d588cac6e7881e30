package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.test.Breakers;
import dev.recloser.test.FakeTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Windows of time, waits and leases from awkward origins of the clock (S9). Steps of the wall clock
 * cannot be shown, since nothing reads it: {@link ArchitectureTest} sees to that.
 */
@ParameterizedClass
@ValueSource(
    longs = {
      0,
      1,
      -1,
      Long.MIN_VALUE,
      Long.MAX_VALUE,
      Long.MAX_VALUE - 1_000_000_000L,
      -5_000_000_000L,
      8_213_456_789_123_456_789L
    })
final class TimeTest extends Scenario {
  @Parameter long origin;

  @BeforeEach
  void startAtTheOrigin() {
    time = FakeTime.startingAt(origin);
    breakers = Breakers.on(time);
  }

  @AfterEach
  void noPermitIsLeftOut() {
    breakers.assertNoCallsInFlight();
  }

  @Test
  @DisplayName("B9: the wait is over when it is over, whatever the clock reads")
  void the_wait_is_measured_by_differences() {
    CircuitBreaker breaker = small(1);
    open(breaker);

    time.advance(WAIT.minus(TICK));
    assertThat(breaker).refusesCalls(RefusalReason.OPEN);
    time.advance(TICK);
    assertThat(breaker).permitsCalls();
  }

  @Test
  @DisplayName("B10: an hour later ten failures have left a time window")
  void old_calls_leave_the_window() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(seconds(20)));
    fail(breaker, 10);
    assertThat(breaker.snapshot().window().calls()).isEqualTo(10);

    time.advance(seconds(3_600));

    assertThat(breaker.snapshot().window().calls()).isZero();
  }

  @Test
  @DisplayName("B11: a time window of one second works, one call each second")
  void a_window_of_one_second_works() {
    CircuitBreaker breaker =
        breaker(
            s ->
                s.slidingWindowType(SlidingWindowType.TIME_BASED)
                    .slidingWindowSize(1)
                    .minimumNumberOfCalls(2));
    for (int i = 0; i < 100; i++) {
      fail(breaker);
      time.advance(seconds(1));
      assertThat(breaker).isClosed();
      assertThat(breaker.snapshot().window().calls()).isZero();
    }
  }

  @Test
  @DisplayName("FS-1: idle time does not stretch the window; a failure leaves it after its length")
  void idle_time_does_not_stretch_the_window() {
    CircuitBreaker breaker =
        breaker(s -> s.slidingWindowSize(seconds(1)).failureRateThreshold(100));
    succeed(breaker);
    time.advance(seconds(5));
    succeed(breaker);
    time.advance(millis(100));
    fail(breaker);

    for (int i = 0; i < 9; i++) {
      time.advance(millis(100));
      succeed(breaker);
      assertThat(breaker.snapshot().window().failed()).isEqualTo(1);
    }
    time.advance(millis(100));
    assertThat(breaker.snapshot().window().failed()).isZero();
  }

  @Test
  @DisplayName("FS-7: a minute later reading the metrics shows no failure and no rate")
  void reading_expires_old_calls() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(seconds(1)));
    fail(breaker);

    time.advance(seconds(60));

    assertThat(breaker.snapshot().window().failed()).isZero();
    assertThat(breaker).hasFailureRate(Double.NaN);
  }

  @Test
  @DisplayName("FS-11: of fifty calls in fifty seconds a window of one second holds the last")
  void the_window_holds_the_last_second() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(seconds(1)));
    for (int i = 0; i < 50; i++) {
      fail(breaker);
      assertThat(breaker.snapshot().window().calls()).isEqualTo(1);
      time.advance(seconds(1));
    }
    assertThat(breaker.metrics().failed()).isEqualTo(50);
  }

  @Test
  @DisplayName("SE-3: failures at both sides of a full two seconds are in one window")
  void the_window_slides() {
    CircuitBreaker breaker =
        breaker(
            s ->
                s.slidingWindowSize(seconds(2)).minimumNumberOfCalls(10).failureRateThreshold(100));
    time.advance(millis(1_900));
    fail(breaker, 9);
    time.advance(millis(200));
    assertThat(breaker).isClosed();

    fail(breaker);

    assertThat(breaker).isOpen();
  }

  @Test
  @DisplayName("Oracle 23: what rolls out of a count window is taken off every sum")
  void count_window_evicts() {
    CircuitBreaker breaker =
        breaker(
            s ->
                s.slidingWindowSize(5)
                    .failureRateThreshold(100)
                    .slowCallDurationThreshold(millis(100)));
    failAfter(millis(200), breaker);
    succeedAfter(millis(200), breaker);
    fail(breaker);
    succeed(breaker, 2);
    assertWindow(breaker, 5, 2, 2);

    succeed(breaker);
    assertWindow(breaker, 5, 1, 1);
    succeed(breaker);
    assertWindow(breaker, 5, 1, 0);
    succeed(breaker);
    assertWindow(breaker, 5, 0, 0);
    failAfter(millis(200), breaker);
    assertWindow(breaker, 5, 1, 1);
  }

  @Test
  @DisplayName("Oracle 24: what is too old leaves a time window, and an idle jump clears all")
  void time_window_evicts() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(seconds(5)).slidingWindowSlices(5));
    succeed(breaker);
    time.advance(millis(100));
    succeed(breaker);
    time.advance(millis(700));
    succeed(breaker);
    assertThat(breaker.snapshot().window().calls()).isEqualTo(3);
    time.advance(seconds(4));
    assertThat(breaker.snapshot().window().calls()).isEqualTo(3);
    time.advance(seconds(1));
    assertThat(breaker.snapshot().window().calls()).isZero();

    succeed(breaker, 7);
    time.advance(seconds(5));
    assertThat(breaker.snapshot().window().calls()).isZero();
  }

  @Test
  void a_life_of_a_breaker_is_the_same_from_every_origin() {
    CircuitBreaker breaker =
        breakerWithTimers(
            smallSettings(1)
                .andThen(
                    s ->
                        s.slowCallDurationThreshold(millis(100))
                            .automaticTransitionFromOpenToHalfOpenEnabled(true)));
    Permit first = breaker.acquire();
    Permit second = breaker.acquire();
    time.advance(millis(101)); // Both overdue.
    time.advance(WAIT);
    time.advance(WAIT); // Without a call no probe, and no lease.
    Permit probe = breaker.acquire();
    time.advance(WAIT); // The lease of the probe.
    time.advance(WAIT);
    breaker.acquire().complete("fine");
    breaker.transitionTo(State.FORCED_OPEN, seconds(10));
    time.advance(seconds(10));

    assertThat(breaker)
        .hasTransitions(
            State.CLOSED,
            State.OPEN,
            State.HALF_OPEN,
            State.OPEN,
            State.HALF_OPEN,
            State.CLOSED,
            State.FORCED_OPEN,
            State.CLOSED);
    assertThat(breaker.transitions())
        .extracting(transition -> transition.at() - origin)
        .containsExactly(
            100_000_001L,
            5_100_000_001L,
            15_101_000_000L,
            20_101_000_000L,
            20_101_000_000L,
            20_101_000_000L,
            30_101_000_000L);
    first.close();
    second.close();
    probe.close();
  }

  private static void assertWindow(CircuitBreaker breaker, int calls, int failed, int slow) {
    WindowSnapshot window = breaker.snapshot().window();
    assertThat(window.calls()).isEqualTo(calls);
    assertThat(window.failed()).isEqualTo(failed);
    assertThat(window.slow()).isEqualTo(slow);
  }
}

package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreakerEvent.StateTransition;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Slow calls, those that still run included (S7, S8). */
final class SlowCallsTest extends Scenario {
  private static final Duration LIMIT = Duration.ofMillis(100);

  @Test
  @DisplayName("B24: a call that takes exactly the limit is not slow, one that takes longer is")
  void longer_than_the_limit_is_slow() {
    CircuitBreaker breaker = breaker(s -> s.slowCallDurationThreshold(LIMIT));

    succeedAfter(LIMIT, breaker);
    assertThat(breaker).hasSlowCallRate(0);
    succeedAfter(LIMIT.plus(TICK), breaker);
    assertThat(breaker).hasSlowCallRate(50);
    assertThat(breaker.metrics().slow()).isEqualTo(1);
  }

  @Test
  @DisplayName("Oracle 4: three slow calls of five open at a slow-call rate of 60 %")
  void slow_rate_opens() {
    CircuitBreaker breaker = oracle();

    failAfter(seconds(5), breaker);
    succeedAfter(seconds(5), breaker);
    fail(breaker);
    succeed(breaker);
    assertThat(breaker).isClosed();
    succeedAfter(seconds(5), breaker);

    assertThat(breaker).isOpen().wasLastMovedBy(TransitionCause.SLOW_CALL_RATE).hasSlowCallRate(60);
  }

  @Test
  @DisplayName("Oracle 5: calls that take 5, 5, 1, 1 and 5 s open after the fifth")
  void durations_are_measured_on_the_ticker() {
    CircuitBreaker breaker = oracle();

    for (int duration : new int[] {5, 5, 1, 1}) {
      breaker.run(() -> time.advance(seconds(duration)));
      assertThat(breaker).isClosed();
    }
    breaker.run(() -> time.advance(seconds(5)));

    assertThat(breaker).isOpen();
  }

  @Test
  void a_hundred_hung_calls_open_the_breaker_before_one_returns() {
    CircuitBreaker breaker = breaker(s -> s.slowCallDurationThreshold(LIMIT));
    List<Permit> hung = acquire(breaker, 100);

    time.advance(LIMIT);
    breaker.acquire().close();
    time.advance(TICK);

    assertThat(breaker).isClosed().refusesCalls(RefusalReason.OPEN);
    assertThat(breaker).wasLastMovedBy(TransitionCause.SLOW_CALL_RATE);
    StateTransition opening = breaker.transitions().get(0);
    assertThat(opening.window().calls()).isZero();
    assertThat(opening.window().slowInFlight()).isEqualTo(100);
    assertThat(opening.slowestCall()).isEqualTo(LIMIT.plus(TICK));
    hung.forEach(Permit::close);
  }

  @Test
  void with_timers_hung_calls_open_the_breaker_without_any_call() {
    CircuitBreaker breaker = breakerWithTimers(s -> s.slowCallDurationThreshold(LIMIT));
    List<Permit> hung = acquire(breaker, 100);

    time.advance(LIMIT);
    assertThat(breaker).isClosed();
    time.advance(TICK);

    assertThat(breaker).isOpen();
    hung.forEach(Permit::close);
  }

  @Test
  void the_end_of_another_call_notices_the_hung_ones() {
    CircuitBreaker breaker = breaker(s -> s.slowCallDurationThreshold(LIMIT).slidingWindowSize(10));
    List<Permit> hung = acquire(breaker, 10);
    Permit ignored = breaker.acquire();
    time.advance(LIMIT.plus(TICK));

    ignored.record(Outcome.IGNORED);

    assertThat(breaker).isOpen();
    hung.forEach(Permit::close);
  }

  @Test
  void a_running_call_past_the_limit_counts_on_both_sides_of_the_rate() {
    CircuitBreaker breaker =
        breaker(s -> s.slowCallDurationThreshold(LIMIT).slowCallRateThreshold(100));
    succeed(breaker, 3);
    Permit running = breaker.acquire();
    time.advance(LIMIT.plus(TICK));

    assertThat(breaker).hasSlowCallRate(25);
    assertThat(breaker.snapshot().window().calls()).isEqualTo(3);
    assertThat(breaker.snapshot().window().slowInFlight()).isEqualTo(1);

    running.complete("at last");
    assertThat(breaker).hasSlowCallRate(25);
    assertThat(breaker.snapshot().window().calls()).isEqualTo(4);
    assertThat(breaker.snapshot().window().slowInFlight()).isZero();
  }

  @Test
  void a_running_call_past_the_limit_that_is_cancelled_was_never_there() {
    CircuitBreaker breaker = breaker(s -> s.slowCallDurationThreshold(LIMIT));
    succeed(breaker);
    Permit running = breaker.acquire();
    time.advance(LIMIT.plus(TICK));
    assertThat(breaker).hasSlowCallRate(50);

    running.close();

    assertThat(breaker).hasSlowCallRate(0);
    assertThat(breaker.metrics().slow()).isZero();
  }

  @Test
  void running_calls_past_the_limit_count_towards_the_minimum() {
    CircuitBreaker breaker =
        breaker(
            s ->
                s.slidingWindowSize(4)
                    .slowCallDurationThreshold(LIMIT)
                    .slowCallRateThreshold(75)
                    .failureRateThreshold(100));
    succeed(breaker);
    List<Permit> hung = acquire(breaker, 3);
    time.advance(LIMIT.plus(TICK));

    assertThat(breaker).refusesCalls(RefusalReason.OPEN);

    assertThat(breaker).wasLastMovedBy(TransitionCause.SLOW_CALL_RATE);
    hung.forEach(Permit::close);
  }

  @Test
  void running_calls_do_not_dilute_or_feed_the_failure_rate() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(4).slowCallDurationThreshold(LIMIT));
    fail(breaker, 3);
    Permit hung = breaker.acquire();
    time.advance(LIMIT.plus(TICK));

    breaker.acquire().close();
    assertThat(breaker).isClosed().hasFailureRate(100);

    hung.complete("at last");
    assertThat(breaker).isOpen().wasLastMovedBy(TransitionCause.FAILURE_RATE);
  }

  @Test
  void without_counting_calls_in_flight_hung_calls_are_unknown_until_they_end() {
    CircuitBreaker breaker =
        breaker(
            s ->
                s.slidingWindowSize(4)
                    .slowCallDurationThreshold(LIMIT)
                    .countSlowCallsInFlight(false));
    List<Permit> hung = acquire(breaker, 4);
    time.advance(seconds(3_600));
    assertThat(breaker).permitsCalls().hasSlowCallRate(Double.NaN);

    hung.forEach(permit -> permit.complete("at last"));
    assertThat(breaker).isOpen();
  }

  @Test
  void calls_that_end_in_another_order_than_they_began_are_told_apart() {
    CircuitBreaker breaker =
        breaker(s -> s.slowCallDurationThreshold(LIMIT).slowCallRateThreshold(100));
    succeed(breaker, 10);
    Permit first = breaker.acquire();
    time.advance(millis(60));
    Permit second = breaker.acquire();
    time.advance(millis(60));
    Permit third = breaker.acquire();
    assertThat(breaker.snapshot().window().slowInFlight()).isEqualTo(1);

    second.complete("fine");
    assertThat(breaker.snapshot().window().slowInFlight()).isEqualTo(1);
    time.advance(millis(60));
    third.complete("fine");
    assertThat(breaker.snapshot().window().slowInFlight()).isEqualTo(1);
    first.complete("slow");
    assertThat(breaker.snapshot().window().slow()).isEqualTo(1);
    assertThat(breaker.snapshot().window().slowInFlight()).isZero();
  }

  @Test
  void a_limit_of_zero_switches_slow_calls_off_and_leaves_the_clock_alone() {
    CircuitBreaker breaker =
        CircuitBreaker.create("inventory", s -> s.slowCallDurationThreshold(Duration.ZERO));
    CircuitBreaker timeless =
        CircuitBreaker.create("timeless", breaker.config().with(s -> s.ticker(new OnceOnly())));

    for (int i = 0; i < 1_000; i++) {
      timeless.acquire().complete("fine");
    }

    assertThat(timeless.metrics().slow()).isZero();
  }

  @Test
  void the_slowest_call_is_none_of_long_ago() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(seconds(10)).minimumNumberOfCalls(3));
    succeedAfter(millis(500), breaker);
    succeed(breaker, 2); // As long as there are so few, all end under the lock.
    time.advance(Duration.ofMinutes(10));
    succeed(breaker, 2);
    succeedAfter(millis(1), breaker);
    succeed(breaker, 5); // These end without it.

    open(breaker);

    assertThat(breaker.transitions().get(0).slowestCall()).isEqualTo(millis(1));
  }

  /** A ticker that may be read when the breaker is made and when a person asks, not by calls. */
  private static final class OnceOnly implements Ticker {
    private int readings;

    @Override
    public long nanoTime() {
      if (++readings > 2) {
        throw new AssertionError("a call has read the clock");
      }
      return 0;
    }
  }

  private CircuitBreaker oracle() {
    return breaker(
        s ->
            s.slidingWindowSize(seconds(60))
                .minimumNumberOfCalls(5)
                .failureRateThreshold(100)
                .slowCallRateThreshold(50)
                .slowCallDurationThreshold(seconds(4)));
  }
}

package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.test.RecordingListener;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When the failure rate opens a breaker (S6). */
final class ThresholdsTest extends Scenario {

  /** The configuration "S" of the oracle table, as far as it matters while closed. */
  private CircuitBreaker oracle() {
    return breaker(
        settings ->
            settings
                .slidingWindowSize(seconds(20))
                .minimumNumberOfCalls(5)
                .slowCallRateThreshold(50)
                .slowCallDurationThreshold(seconds(4)));
  }

  @Test
  @DisplayName("Oracle 1: below the minimum of calls nothing opens")
  void below_the_minimum_nothing_opens() {
    CircuitBreaker breaker = oracle();

    fail(breaker, 3);
    succeed(breaker);

    assertThat(breaker).isClosed();
    assertThat(breaker.snapshot().window().callsNeeded()).isEqualTo(1);
  }

  @Test
  @DisplayName("Oracle 2: opens on the call that reaches the minimum, even a success; one event")
  void a_success_may_open() {
    CircuitBreaker breaker = oracle();
    RecordingListener heard = RecordingListener.on(breaker);
    fail(breaker, 3);
    succeed(breaker);

    succeed(breaker);

    assertThat(breaker).isOpen().hasFailureRate(60).refusesCalls(RefusalReason.OPEN);
    assertThat(breaker.metrics().refused()).containsEntry(RefusalReason.OPEN, 1L);
    assertThat(heard.transitions()).hasSize(1);
  }

  @Test
  @DisplayName("Oracle 3: 40 % stays closed, and exactly 50 % opens")
  void equality_opens() {
    CircuitBreaker breaker = oracle();
    for (int i = 0; i < 3; i++) {
      succeed(breaker);
      time.advance(seconds(1));
    }
    fail(breaker, 2);
    assertThat(breaker).isClosed().hasFailureRate(40);
    time.advance(seconds(1));

    fail(breaker);

    assertThat(breaker).isOpen().hasFailureRate(50);
  }

  @Test
  @DisplayName("FS-4: 99 failures of 200 calls are less than half, not rounded up to it")
  void just_below_the_threshold_stays_closed() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(200).minimumNumberOfCalls(200));

    succeed(breaker, 101);
    fail(breaker, 99);

    assertThat(breaker).isClosed().hasFailureRate(49.5);
    fail(breaker);
    // The first success has left the window.
    assertThat(breaker).isOpen();
  }

  @Test
  @DisplayName("FS-12: the first failures open only when the minimum is reached")
  void the_first_failures_wait_for_the_minimum() {
    CircuitBreaker breaker =
        breaker(s -> s.slidingWindowSize(100).minimumNumberOfCalls(20).failureRateThreshold(5));

    fail(breaker, 5);
    assertThat(breaker).isClosed();
    succeed(breaker, 14);
    assertThat(breaker).isClosed();
    succeed(breaker);
    assertThat(breaker).isOpen();
  }

  @Test
  @DisplayName("SE-1: a threshold of 100 % is reached when every call fails")
  void hundred_percent_is_reachable() {
    CircuitBreaker breaker =
        breaker(s -> s.slidingWindowSize(50).minimumNumberOfCalls(5).failureRateThreshold(100));

    fail(breaker, 4);
    assertThat(breaker).isClosed();
    fail(breaker);
    assertThat(breaker).isOpen();
  }

  @Test
  @DisplayName("HE-4: six of ten failures are less than 65 %")
  void a_threshold_is_not_rounded_to_whole_calls() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(10).failureRateThreshold(65));

    succeed(breaker, 4);
    fail(breaker, 6);
    assertThat(breaker).isClosed().hasFailureRate(60);
    fail(breaker);
    assertThat(breaker).isOpen().hasFailureRate(70);
  }

  @Test
  @DisplayName("HY-4: of a burst of failures the very call that crosses the threshold opens")
  void the_call_that_crosses_opens() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(100).minimumNumberOfCalls(20));
    int admitted = 0;
    for (int i = 0; i < 1_000; i++) {
      Permit permit = breaker.tryAcquire();
      if (permit != null) {
        permit.record(Outcome.FAILURE);
        admitted++;
      }
    }

    assertThat(admitted).isEqualTo(20);
    assertThat(breaker.metrics().refused()).containsEntry(RefusalReason.OPEN, 980L);
  }

  @Test
  @DisplayName("B18: a minimum larger than a count window is an error, not clamped")
  void a_minimum_beyond_the_window_is_an_error() {
    assertThatThrownBy(() -> breaker(s -> s.slidingWindowSize(5).minimumNumberOfCalls(50)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining(
            "minimumNumberOfCalls: 50 (expected: at most slidingWindowSize, which is 5");
  }

  @Test
  void a_minimum_that_was_not_set_follows_a_smaller_window() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(5));
    assertThat(breaker.config().minimumNumberOfCalls()).isEqualTo(5);

    fail(breaker, 4);
    assertThat(breaker).isClosed();
    fail(breaker);
    assertThat(breaker).isOpen();
  }

  @ParameterizedTest
  @CsvSource({
    "0.1, 999, 1, true",
    "0.1, 1000, 1, false",
    "0.000001, 99999999, 1, true",
    "33.333333, 2, 1, true",
    "33.333334, 2, 1, false",
    "66.666667, 1, 2, false",
    "66.666666, 1, 2, true",
    "99.999999, 1, 99999998, false",
    "100, 0, 1, true",
    "29, 71, 29, true",
    "57, 43, 57, true",
  })
  void a_rate_is_compared_exactly(double percent, int successes, int failures, boolean reached) {
    Threshold threshold = Threshold.of(percent);

    assertThat(threshold.isReachedBy(failures, (long) successes + failures)).isEqualTo(reached);
  }

  @Test
  void nothing_of_nothing_reaches_no_threshold() {
    assertThat(Threshold.of(0.000001).isReachedBy(0, 0)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 7, 14, 28.5, 29, 33.3, 50, 56, 57, 58, 99.9, 100})
  void a_breaker_opens_with_the_first_failure_that_reaches_the_threshold(double percent) {
    CircuitBreaker breaker =
        breaker(
            s ->
                s.slidingWindowSize(1_000)
                    .minimumNumberOfCalls(1_000)
                    .failureRateThreshold(percent));
    int needed = (int) Math.ceil(Math.round(percent * 10_000) / 1_000.0);

    succeed(breaker, 1_000 - needed);
    fail(breaker, needed - 1);
    assertThat(breaker).isClosed();
    fail(breaker);

    assertThat(breaker).isOpen();
    assertThat(breaker.snapshot().window().failureRate()).isCloseTo(needed / 10.0, within(1e-9));
  }

  @Test
  void ignored_and_cancelled_calls_do_not_dilute_the_rate() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(4));
    for (int i = 0; i < 4; i++) {
      ignore(breaker);
      cancel(breaker);
      assertThat(breaker).isClosed();
      breaker.acquire().record(i < 2 ? Outcome.FAILURE : Outcome.SUCCESS);
    }
    assertThat(breaker).isOpen().hasFailureRate(50);
  }

  @Test
  void ignored_calls_do_not_count_towards_the_minimum() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(4));
    fail(breaker, 3);
    for (int i = 0; i < 100; i++) {
      ignore(breaker);
    }
    assertThat(breaker).isClosed();
    assertThat(breaker.snapshot().window().callsNeeded()).isEqualTo(1);
  }

  @Test
  void the_failure_rate_is_named_where_both_rates_cross_on_one_call() {
    CircuitBreaker breaker =
        breaker(
            s ->
                s.slidingWindowSize(2)
                    .slowCallRateThreshold(50)
                    .slowCallDurationThreshold(millis(10)));
    succeed(breaker);

    failAfter(millis(11), breaker);

    assertThat(breaker).isOpen().wasLastMovedBy(TransitionCause.FAILURE_RATE);
    StateTransition opening = breaker.transitions().get(0);
    assertThat(opening.window().slowCallRate()).isEqualTo(50);
    assertThat(opening.window().failureRate()).isEqualTo(50);
  }
}

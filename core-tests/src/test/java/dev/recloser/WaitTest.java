package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.PolicyEvent.UserCodeFailed;
import dev.recloser.test.RecordingListener;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How long a breaker stays open (S10 to S12). */
final class WaitTest extends Scenario {

  /** A failure that says when to come again. */
  private static final class Busy extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final Duration retryAfter;

    Busy(Duration retryAfter) {
      this.retryAfter = retryAfter;
    }
  }

  @Test
  @DisplayName(
      "B24: at exactly the wait the next call is admitted; reading the state moves nothing")
  void equality_admits() {
    CircuitBreaker breaker = small(1);
    open(breaker);

    time.advance(WAIT.minus(TICK));
    assertThat(breaker).refusesCalls(RefusalReason.OPEN);
    time.advance(TICK);
    assertThat(breaker).isOpen();
    assertThat(breaker).permitsCalls().isHalfOpen();
  }

  @Test
  @DisplayName("HY-5: monitoring an open breaker whose wait is over has no side effect")
  void monitoring_has_no_side_effect() {
    CircuitBreaker breaker = small(1);
    open(breaker);
    time.advance(WAIT);

    for (int i = 0; i < 10; i++) {
      assertThat(breaker.state()).isEqualTo(State.OPEN);
      assertThat(breaker.snapshot().remaining()).isZero();
      assertThat(breaker.explain()).contains("OPEN");
      assertThat(breaker.metrics().admitted()).isEqualTo(2);
      assertThat(breaker.transitions()).hasSize(1);
    }
    assertThat(breaker).permitsCalls();
  }

  @Test
  @DisplayName("Oracle 6: of calls at 0, 3 and 6 s only the last is admitted, as a probe")
  void wait_passes() {
    CircuitBreaker breaker = small(4);
    breaker.transitionTo(State.OPEN);

    assertThat(breaker).refusesCalls(RefusalReason.OPEN);
    time.advance(seconds(3));
    assertThat(breaker).refusesCalls(RefusalReason.OPEN);
    time.advance(seconds(3));
    assertThat(breaker).permitsCalls().isHalfOpen();
    assertThat(breaker.snapshot().window().calls()).isZero();
  }

  @Test
  @DisplayName("Oracle 7: open for two hours refuses until then and admits a second later")
  void open_for_a_time() {
    CircuitBreaker breaker = small(1);
    breaker.transitionTo(State.OPEN, Duration.ofHours(2));

    time.advance(Duration.ofHours(2).minusSeconds(1));
    assertThat(breaker).refusesCalls(RefusalReason.OPEN);
    time.advance(seconds(2));
    assertThat(breaker).permitsCalls().isHalfOpen();
  }

  @Test
  @DisplayName("Oracle 8: the wait grows from 5 to 7.5 s and starts anew after recovery")
  void backoff_grows_and_starts_anew() {
    CircuitBreaker breaker = small(1, settings -> settings.exponentialBackoffMultiplier(1.5));
    Permit probe = openAndProbe(breaker);
    probe.fail(new IOException());

    time.advance(seconds(6));
    assertThat(breaker).refusesCalls(RefusalReason.OPEN);
    time.advance(millis(1_500));
    succeed(breaker);
    assertThat(breaker).isClosed();

    time.advance(WAIT);
    open(breaker);
    assertThat(breaker.snapshot().remaining()).isEqualTo(WAIT);
  }

  @Test
  @DisplayName("Oracle 16: with the automatic option a timer ends the wait without a call")
  void timer_ends_the_wait() {
    CircuitBreaker breaker =
        breakerWithTimers(
            smallSettings(1).andThen(s -> s.automaticTransitionFromOpenToHalfOpenEnabled(true)));
    open(breaker);

    time.advance(WAIT.minus(TICK));
    assertThat(breaker).isOpen();
    time.advance(TICK);
    assertThat(breaker).isHalfOpen().wasLastMovedBy(TransitionCause.WAIT_ELAPSED);
  }

  @ParameterizedTest
  @CsvSource({"CLOSED", "HALF_OPEN", "FORCED_OPEN", "DISABLED", "METRICS_ONLY"})
  @DisplayName("Oracle 16: leaving the open state early cancels the timer")
  void leaving_early_cancels_the_timer(State target) {
    CircuitBreaker breaker =
        breakerWithTimers(
            smallSettings(1)
                .andThen(
                    s ->
                        s.automaticTransitionFromOpenToHalfOpenEnabled(true)
                            .slowCallDurationThreshold(Duration.ZERO)));
    open(breaker);
    assertThat(time.pendingTimers()).isEqualTo(1);

    breaker.transitionTo(target);

    assertThat(time.pendingTimers()).isZero();
    time.advance(WAIT);
    assertThat(breaker).isInState(target);
  }

  @Test
  @DisplayName("B6: a wait function that throws means the base wait, and listeners hear of it")
  void throwing_wait_function() {
    IllegalStateException broken = new IllegalStateException("broken wait function");
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings.waitIntervalFunctionInOpenState(
                    opening -> {
                      throw broken;
                    }));
    RecordingListener heard = RecordingListener.on(breaker);

    open(breaker);

    assertThat(breaker.snapshot().remaining()).isEqualTo(WAIT);
    assertThat(breaker).refusesCalls(RefusalReason.OPEN);
    assertThat(heard.of(UserCodeFailed.class))
        .containsExactly(
            new UserCodeFailed("inventory", "waitIntervalFunctionInOpenState", broken));
    time.advance(WAIT);
    assertThat(breaker).permitsCalls();
  }

  static List<IntFunction<Duration>> wrongWaitFunctions() {
    return List.of(opening -> null, opening -> Duration.ofNanos(-1));
  }

  @ParameterizedTest
  @MethodSource("wrongWaitFunctions")
  void a_wait_function_that_returns_what_is_no_wait_means_the_base_wait(
      IntFunction<Duration> function) {
    CircuitBreaker breaker = small(1, s -> s.waitIntervalFunctionInOpenState(function));
    RecordingListener heard = RecordingListener.on(breaker);

    open(breaker);

    assertThat(breaker.snapshot().remaining()).isEqualTo(WAIT);
    assertThat(heard.of(UserCodeFailed.class))
        .singleElement()
        .satisfies(
            failed ->
                assertThat(failed.thrown())
                    .hasMessageStartingWith("waitIntervalFunctionInOpenState returned ")
                    .hasMessageEndingWith(" for opening 1 (expected: a duration of zero or more)"));
  }

  @Test
  void a_wait_function_gets_the_number_of_the_opening_and_is_capped() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings
                    .waitIntervalFunctionInOpenState(opening -> seconds(7L * opening))
                    .exponentialMaxWaitDurationInOpenState(seconds(20)));

    assertThat(waits(breaker, 4))
        .containsExactly(seconds(7), seconds(14), seconds(20), seconds(20));
  }

  @Test
  void an_absurd_wait_is_capped() {
    CircuitBreaker breaker =
        small(1, s -> s.waitIntervalFunctionInOpenState(o -> Duration.ofSeconds(Long.MAX_VALUE)));
    open(breaker);
    assertThat(breaker.snapshot().remaining()).isEqualTo(WAIT.multipliedBy(10));
  }

  @Test
  void the_wait_is_fixed_unless_something_else_is_set() {
    assertThat(waits(small(1), 5)).containsOnly(WAIT);
  }

  @Test
  void an_exponential_wait_grows_up_to_ten_times_the_base_wait() {
    CircuitBreaker breaker = small(1, settings -> settings.exponentialBackoffMultiplier(2));

    assertThat(waits(breaker, 6))
        .containsExactly(
            seconds(5), seconds(10), seconds(20), seconds(40), seconds(50), seconds(50));
  }

  @Test
  void an_exponential_wait_stays_at_its_cap_for_ever() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings
                    .exponentialBackoffMultiplier(1_000)
                    .exponentialMaxWaitDurationInOpenState(seconds(30)));

    assertThat(waits(breaker, 200).subList(1, 200)).containsOnly(seconds(30));
  }

  @Test
  void the_number_of_the_opening_falls_back_only_after_the_base_wait_in_the_closed_state() {
    CircuitBreaker breaker = small(1, settings -> settings.exponentialBackoffMultiplier(2));
    openAndProbe(breaker).complete("fine");
    time.advance(WAIT.minus(TICK));
    open(breaker);
    assertThat(breaker.snapshot().openings()).isEqualTo(2);
    assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(10));

    waitAndProbe(breaker).complete("fine");
    time.advance(WAIT);
    open(breaker);
    assertThat(breaker.snapshot().openings()).isEqualTo(1);
    assertThat(breaker.snapshot().remaining()).isEqualTo(WAIT);
  }

  @ParameterizedTest
  @CsvSource({"0, 2500", "0.5, 5000", "1, 7500"})
  void jitter_spreads_the_wait_around_its_value(double random, long expected) {
    CircuitBreaker breaker =
        small(1, settings -> settings.randomizedWaitFactor(0.5).random(() -> random));
    open(breaker);
    assertThat(breaker.snapshot().remaining()).isEqualTo(millis(expected));
  }

  @ParameterizedTest
  @CsvSource({"0, 2500", "0.5, 3750", "1, 5000"})
  void jitter_at_the_cap_spreads_the_wait_below_it(double random, long expected) {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings
                    .randomizedWaitFactor(0.5)
                    .random(() -> random)
                    .exponentialMaxWaitDurationInOpenState(WAIT));
    open(breaker);
    assertThat(breaker.snapshot().remaining()).isEqualTo(millis(expected));
  }

  @Test
  void a_hundred_waits_at_the_cap_are_no_hundred_times_the_same() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings
                    .exponentialBackoffMultiplier(2)
                    .randomizedWaitFactor(0.2)
                    .exponentialMaxWaitDurationInOpenState(seconds(20)));

    List<Duration> waits = waits(breaker, 103).subList(3, 103);

    assertThat(waits).allSatisfy(wait -> assertThat(wait).isBetween(seconds(16), seconds(20)));
    assertThat(waits.stream().distinct().count()).isGreaterThan(90);
  }

  static List<DoubleSupplier> brokenSourcesOfChance() {
    return List.of(
        () -> -0.1,
        () -> 1.1,
        () -> Double.NaN,
        () -> {
          throw new IllegalStateException("no entropy");
        });
  }

  @ParameterizedTest
  @MethodSource("brokenSourcesOfChance")
  void a_broken_source_of_chance_means_no_jitter_and_listeners_hear_of_it(DoubleSupplier random) {
    CircuitBreaker breaker =
        small(1, settings -> settings.randomizedWaitFactor(0.5).random(random));
    RecordingListener heard = RecordingListener.on(breaker);

    open(breaker);

    assertThat(breaker.snapshot().remaining()).isEqualTo(WAIT);
    assertThat(heard.of(UserCodeFailed.class))
        .extracting(UserCodeFailed::setting)
        .containsExactly("random");
  }

  @ParameterizedTest
  @CsvSource({
    "3000, 5000", // shorter than the wait
    "5000, 5000",
    "12000, 12000", // longer
    "50000, 50000", // the cap
    "86400000, 50000", // absurd
    "-1, 5000", // absurd the other way
  })
  void retry_after_lengthens_the_wait_up_to_the_cap(long retryAfterMillis, long expected) {
    CircuitBreaker breaker = minding();

    breaker.acquire().fail(new Busy(millis(retryAfterMillis)));
    breaker.acquire().fail(new Busy(millis(retryAfterMillis)));

    assertThat(breaker).isOpen();
    assertThat(breaker.snapshot().remaining()).isEqualTo(millis(expected));
  }

  @Test
  void retry_after_of_a_result_counts_where_nothing_else_needs_the_time() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings
                    .slowCallDurationThreshold(Duration.ZERO)
                    .exponentialMaxWaitDurationInOpenState(seconds(30))
                    .recordResult(result -> true)
                    .retryAfter((result, thrown) -> seconds(20)));

    assertThat(breaker.<String, RuntimeException>call(() -> "busy")).isEqualTo("busy");
    assertThat(breaker.<String, RuntimeException>call(() -> "busy")).isEqualTo("busy");

    assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(20));
  }

  @Test
  void retry_after_is_measured_from_the_failure_that_asked_for_it() {
    CircuitBreaker breaker = minding();
    breaker.acquire().fail(new Busy(seconds(20)));
    time.advance(seconds(4));

    breaker.acquire().fail(new IOException());

    assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(16));
  }

  @Test
  void the_furthest_retry_after_counts() {
    CircuitBreaker breaker = minding();
    breaker.acquire().fail(new Busy(seconds(20)));
    breaker.acquire().fail(new Busy(seconds(7)));

    assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(20));
  }

  @Test
  void an_absurd_retry_after_beyond_all_arithmetic_is_capped() {
    CircuitBreaker breaker = minding();
    breaker.acquire().fail(new Busy(Duration.ofSeconds(Long.MAX_VALUE)));
    breaker.acquire().fail(new Busy(Duration.ofSeconds(Long.MIN_VALUE)));

    assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(50));
  }

  @Test
  void retry_after_of_a_failed_probe_lengthens_the_next_wait() {
    CircuitBreaker breaker = minding();
    openAndProbe(breaker).fail(new Busy(seconds(30)));

    assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(30));
  }

  /** Nobody else needs the clock here. */
  @Test
  void retry_after_of_a_result_counts_from_its_end_without_slow_calls_as_well() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings
                    .slowCallDurationThreshold(Duration.ZERO)
                    .recordResult("busy"::equals)
                    .retryAfter((result, thrown) -> seconds(30)));
    for (int i = 0; i < 2; i++) {
      assertThat(breaker.<String, RuntimeException>call(() -> "busy")).isEqualTo("busy");
    }

    assertThat(breaker).isOpen();
    assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(30));
  }

  @Test
  void retry_after_is_not_asked_of_successes() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings.retryAfter(
                    (result, thrown) -> "busy".equals(result) ? seconds(30) : null));
    breaker.acquire().complete("busy");
    breaker.acquire().fail(new IOException());

    assertThat(breaker).isOpen();
    assertThat(breaker.snapshot().remaining()).isEqualTo(WAIT);
  }

  @Test
  void a_retry_after_function_that_throws_means_none_and_listeners_hear_of_it() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings.retryAfter(
                    (result, thrown) -> {
                      throw new IllegalStateException("bad header");
                    }));
    RecordingListener heard = RecordingListener.on(breaker);

    open(breaker);

    assertThat(breaker.snapshot().remaining()).isEqualTo(WAIT);
    assertThat(heard.of(UserCodeFailed.class))
        .extracting(UserCodeFailed::setting)
        .containsExactly("retryAfter", "retryAfter");
  }

  private CircuitBreaker minding() {
    return small(
        1,
        settings ->
            settings.retryAfter(
                (result, thrown) -> thrown instanceof Busy busy ? busy.retryAfter : null));
  }

  /** Opens the breaker so often in a row, by probes that fail, and notes the waits. */
  private List<Duration> waits(CircuitBreaker breaker, int openings) {
    List<Duration> waits = new ArrayList<>();
    open(breaker);
    IntStream.range(0, openings)
        .forEach(
            opening -> {
              waits.add(breaker.snapshot().remaining());
              waitAndProbe(breaker).fail(new IOException());
            });
    return waits;
  }
}

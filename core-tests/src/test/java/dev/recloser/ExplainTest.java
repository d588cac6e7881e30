package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker.State;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The one sentence for a person on call, in every state. */
final class ExplainTest extends Scenario {
  private static final Consumer<CircuitBreakerConfig.Builder> INVENTORY =
      settings ->
          settings
              .slidingWindowSize(20)
              .slowCallDurationThreshold(millis(150))
              .waitDurationInOpenState(seconds(30))
              .permittedNumberOfCallsInHalfOpenState(2);

  @Test
  void closed_without_a_call() {
    CircuitBreaker breaker = breaker(INVENTORY);
    time.advance(Duration.ofMinutes(2));

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is CLOSED (since 2 min): no call recorded yet, 20 calls needed before it"
                + " may open.");
  }

  @Test
  void closed_with_too_few_calls() {
    CircuitBreaker breaker = breaker(INVENTORY);
    succeed(breaker, 4);
    fail(breaker, 2);
    succeedAfter(millis(200), breaker);

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is CLOSED (since 200 ms): 2 of the last 7 calls failed (28.57 %, opens at"
                + " 50 %), 1 took longer than 150 ms (14.28 %, opens at 100 %); only 7 of 20 calls"
                + " needed so far.");
  }

  @Test
  void closed_with_calls_that_hang() {
    CircuitBreaker breaker = breaker(INVENTORY);
    var hung = acquire(breaker, 3);
    time.advance(seconds(1));

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is CLOSED (since 1 s): no call recorded yet, 3 calls still running took longer"
                + " than 150 ms (100 %, opens at 100 %); only 3 of 20 calls needed so far.");
    hung.forEach(Permit::close);
  }

  @Test
  void closed_with_enough_calls_that_hang() {
    CircuitBreaker breaker = breaker(INVENTORY);
    var hung = acquire(breaker, 20);
    time.advance(seconds(1));

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is CLOSED (since 1 s): no call recorded yet, 20 calls still running took"
                + " longer than 150 ms (100 %, opens at 100 %); the next call opens it.");
    hung.forEach(Permit::close);
  }

  @Test
  void closed_because_nothing_counts() {
    CircuitBreaker breaker = breaker(INVENTORY);
    for (int i = 0; i < 50; i++) {
      breaker.acquire().record(Outcome.IGNORED);
    }
    breaker.acquire().close();

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is CLOSED (just now): no call recorded yet, 20 calls needed before it may"
                + " open; 50 ignored and 1 cancelled so far do not count.");
  }

  @Test
  void closed_with_a_window_of_time_and_without_slow_calls() {
    CircuitBreaker breaker =
        breaker(
            settings ->
                settings
                    .slidingWindowSize(seconds(60))
                    .minimumNumberOfCalls(1)
                    .slowCallDurationThreshold(Duration.ZERO));
    succeed(breaker);

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is CLOSED (just now): 0 of the 1 call of the last 1 min failed (0 %, opens"
                + " at 50 %).");
  }

  @Test
  void closed_and_ramping_up() {
    CircuitBreaker breaker =
        breaker(INVENTORY.andThen(settings -> settings.rampUpDuration(seconds(10))));
    openAndProbe(breaker).complete("fine");
    succeed(breaker);
    time.advance(millis(2_500));

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is CLOSED (since 2.5 s), ramping up and admitting 32.5 % of the calls for"
                + " 7.5 s more: no call recorded yet, 20 calls needed before it may open.");
  }

  @Test
  void open_after_failures() {
    CircuitBreaker breaker = breaker(INVENTORY);
    succeed(breaker, 8);
    for (int i = 0; i < 12; i++) {
      breaker.acquire().fail(new TimeoutException("no answer"));
    }
    time.advance(seconds(18));

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is OPEN for 12 s more (since 18 s): 12 of the last 20 calls failed"
                + " (60 % >= 50 %), last with TimeoutException (\"no answer\"), slowest call 0 s;"
                + " then 2 probes.");
  }

  @Test
  void open_after_hung_calls() {
    CircuitBreaker breaker = breaker(INVENTORY);
    var hung = acquire(breaker, 20);
    time.advance(millis(400));
    isRefused(breaker);

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is OPEN for 30 s more (just now): 20 calls still running took longer than 150"
                + " ms (100 % >= 100 %), slowest call 400 ms; then 2 probes.");
    hung.forEach(Permit::close);
  }

  @Test
  void open_with_the_wait_over() {
    CircuitBreaker breaker = breaker(INVENTORY);
    breaker.transitionTo(State.OPEN);
    time.advance(seconds(31));

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is OPEN (since 31 s), its wait is over and the next call will probe:"
                + " set by an operator; then 2 probes.");
  }

  @Test
  void open_again_after_probes_failed() {
    CircuitBreaker breaker = breaker(INVENTORY);
    Permit probe = openAndProbe(breaker);
    time.advance(millis(20));
    probe.fail(new IOException("still down"));

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is OPEN for 30 s more (just now): 1 of 2 probes failed (50 % of all >= 50 %)"
                + " (\"still down\"), slowest call 20 ms; then 2 probes (opening number 2 in a"
                + " row).");
  }

  @Test
  void open_again_after_a_probe_did_not_report() {
    CircuitBreaker breaker = breaker(INVENTORY);
    Permit probe = openAndProbe(breaker);
    time.advance(seconds(30));
    isRefused(breaker);
    probe.close();

    assertThat(breaker.explain())
        .startsWith(
            "inventory is OPEN for 30 s more (just now): 1 of 2 probes failed (50 % of all >= 50 %), 1 by"
                + " not reporting within 30 s");
  }

  @Test
  void half_open() {
    CircuitBreaker breaker =
        breaker(
            INVENTORY.andThen(
                settings -> settings.maxWaitDurationInHalfOpenState(Duration.ofMinutes(2))));
    breaker.transitionTo(State.HALF_OPEN);
    succeed(breaker);
    Permit probe = breaker.acquire();
    time.advance(seconds(3));

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is HALF_OPEN (since 3 s): 1 of 2 probes reported (0 failed, 0 slow), 1 out,"
                + " 0 left; a probe that does not report within 30 s counts as failed; without a"
                + " verdict it opens in 1 min 57 s.");
    probe.close();
  }

  @Test
  void forced_open() {
    CircuitBreaker breaker = breaker(INVENTORY);
    breaker.transitionTo(State.FORCED_OPEN);
    time.advance(Duration.ofHours(49));

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is FORCED_OPEN (since 2 d 1 h) until an operator changes it: every call is"
                + " refused.");
  }

  @Test
  void disabled_for_a_time() {
    CircuitBreaker breaker = breaker(INVENTORY);
    breaker.transitionTo(State.DISABLED, Duration.ofHours(1));
    time.advance(Duration.ofMinutes(10));

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is DISABLED (since 10 min) for 50 min more, then it closes: every call is"
                + " admitted and none is judged.");
  }

  @Test
  void metrics_only() {
    CircuitBreaker breaker = breaker(INVENTORY);
    breaker.transitionTo(State.METRICS_ONLY);
    succeed(breaker, 10);
    fail(breaker, 10);

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is METRICS_ONLY (just now) until an operator changes it: every call is"
                + " admitted; 10 of the last 20 calls failed (50 %, opens at 50 %), 0 took longer"
                + " than 150 ms (0 %, opens at 100 %); it would have opened 1 time so far.");
  }

  @Test
  void a_rate_just_short_of_its_threshold_does_not_read_as_if_it_had_reached_it() {
    CircuitBreaker breaker =
        breaker(
            settings ->
                settings
                    .slidingWindowSize(100_000)
                    .minimumNumberOfCalls(1_000)
                    .slowCallDurationThreshold(Duration.ZERO));
    succeed(breaker, 50_001);
    fail(breaker, 49_999);

    assertThat(breaker.explain()).contains("failed (49.99 %, opens at 50 %)");
  }

  @Test
  void half_open_with_a_probe_whose_lease_is_over() {
    CircuitBreaker breaker = breaker(INVENTORY);
    breaker.transitionTo(State.HALF_OPEN);
    Permit probe = breaker.acquire();
    time.advance(seconds(31));

    assertThat(breaker.explain())
        .isEqualTo(
            "inventory is HALF_OPEN (since 31 s): 0 of 2 probes reported (0 failed, 0 slow), 1 out,"
                + " 1 left; a probe that does not report within 30 s counts as failed; one has not,"
                + " and the next call will find that.");
    probe.close();
  }
}

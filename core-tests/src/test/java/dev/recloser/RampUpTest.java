package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.recloser.CircuitBreaker.State;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The share of the calls that a breaker admits after closing (S17). */
final class RampUpTest extends Scenario {

  @Test
  void the_share_grows_evenly_from_the_first_to_all() {
    CircuitBreaker breaker = recovered();
    int[] admitted = IntStream.range(0, 12).map(second -> admittedInASecond(breaker)).toArray();

    // 10 % at the start and 9 points more each second; calls come all through each second.
    for (int second = 0; second < 10; second++) {
      assertThat((double) admitted[second])
          .as("admitted in second %d of %s", second, Arrays.toString(admitted))
          .isCloseTo(145 + 90 * second, within(2.0));
    }
    assertThat(admitted[10]).isEqualTo(1_000);
    assertThat(admitted[11]).isEqualTo(1_000);
  }

  @ParameterizedTest
  @CsvSource({"0, 10", "2500, 32.5", "5000, 55", "9999, 99.991", "10000, 100", "60000, 100"})
  void the_snapshot_tells_the_share(long millis, double percent) {
    CircuitBreaker breaker = recovered();
    time.advance(millis(millis));

    assertThat(breaker.snapshot().admittedPercentage()).isCloseTo(percent, within(1e-9));
  }

  @Test
  void refusals_say_that_it_is_the_ramp_up() {
    CircuitBreaker breaker = recovered();
    succeed(breaker); // The first call is admitted.

    assertThatThrownBy(() -> breaker.run(() -> {}))
        .isInstanceOfSatisfying(
            CallNotPermittedException.class,
            refusal -> {
              assertThat(refusal.reason()).isEqualTo(RefusalReason.RAMP_UP);
              assertThat(refusal.state()).isEqualTo(State.CLOSED);
              assertThat(refusal.retryAfter()).isEmpty();
              assertThat(refusal)
                  .hasMessageStartingWith(
                      "inventory refused the call, it is CLOSED and still ramping up");
            });
    assertThat(breaker.metrics().refused()).containsEntry(RefusalReason.RAMP_UP, 1L);
  }

  @Test
  void a_share_of_a_tenth_admits_every_tenth_call() {
    CircuitBreaker breaker = recovered();

    int[] admitted = IntStream.range(0, 40).filter(call -> !isRefused(breaker)).toArray();

    assertThat(admitted).containsExactly(0, 10, 20, 30);
  }

  @Test
  void failures_during_the_ramp_open_by_the_usual_rule() {
    CircuitBreaker breaker = recovered();
    int failures = 0;
    for (int i = 0; i < 100 && breaker.state() == State.CLOSED; i++) {
      Permit permit = breaker.tryAcquire();
      if (permit != null) {
        permit.record(Outcome.FAILURE);
        failures++;
      }
    }

    assertThat(breaker).isOpen().wasLastMovedBy(TransitionCause.FAILURE_RATE);
    assertThat(failures).isEqualTo(2);
  }

  @Test
  void a_breaker_that_reopened_ramps_up_anew() {
    CircuitBreaker breaker = recovered();
    time.advance(seconds(60));
    assertThat(breaker.snapshot().admittedPercentage()).isEqualTo(100);

    openAndProbe(breaker).complete("fine");

    assertThat(breaker.snapshot().admittedPercentage()).isEqualTo(10);
  }

  @Test
  void neither_a_new_breaker_nor_one_that_an_operator_closes_ramps_up() {
    CircuitBreaker breaker = small(1, settings -> settings.rampUpDuration(seconds(10)));
    assertThat(breaker.snapshot().admittedPercentage()).isEqualTo(100);
    open(breaker);

    breaker.transitionTo(State.CLOSED);
    assertThat(breaker.snapshot().admittedPercentage()).isEqualTo(100);

    open(breaker);
    breaker.reset();
    assertThat(breaker.snapshot().admittedPercentage()).isEqualTo(100);
    succeed(breaker, 100);
  }

  @Test
  void a_ramp_works_without_slow_calls_and_so_without_another_reason_to_read_the_clock() {
    CircuitBreaker breaker =
        small(
            1,
            settings -> settings.rampUpDuration(seconds(10)).slowCallDurationThreshold(seconds(0)));
    openAndProbe(breaker).complete("fine");
    succeed(breaker);
    assertThat(breaker).refusesCalls(RefusalReason.RAMP_UP);

    time.advance(seconds(10));

    succeed(breaker, 100);
  }

  /** A thousand calls, one each millisecond, of which those that are admitted succeed. */
  private int admittedInASecond(CircuitBreaker breaker) {
    int admitted = 0;
    for (int i = 0; i < 1_000; i++) {
      Permit permit = breaker.tryAcquire();
      if (permit != null) {
        permit.complete("fine");
        admitted++;
      }
      time.advance(millis(1));
    }
    return admitted;
  }

  /** A breaker that has just closed and ramps up from 10 % for 10 s. */
  private CircuitBreaker recovered() {
    CircuitBreaker breaker = small(1, settings -> settings.rampUpDuration(seconds(10)));
    openAndProbe(breaker).complete("fine");
    assertThat(breaker).isClosed();
    return breaker;
  }
}

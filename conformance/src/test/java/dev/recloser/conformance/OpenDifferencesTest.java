package dev.recloser.conformance;

import static dev.recloser.conformance.SideBySide.AFTER_WAIT;
import static dev.recloser.conformance.SideBySide.WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.Outcome;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The wait in the open state. */
final class OpenDifferencesTest {

  @Test
  void the_wait_ends_on_its_last_nanosecond() {
    SideBySide both = SideBySide.create();
    both.fail(2);

    both.advance(WAIT);

    assertThat(both.recloser.tryAcquire()).isNotNull();
    assertThat(both.resilience4j.tryAcquirePermission()).isFalse();
  }

  @Test
  void setting_the_wall_clock_back_does_not_prolong_the_wait() {
    SideBySide both = SideBySide.create();
    both.fail(2);

    both.clock.step(Duration.ofHours(-1));
    both.advance(AFTER_WAIT);

    assertThat(both.recloser.tryAcquire()).isNotNull();
    assertThat(both.resilience4j.tryAcquirePermission()).isFalse();
  }

  @Test
  void setting_the_wall_clock_forward_does_not_end_the_wait() {
    SideBySide both = SideBySide.create();
    both.fail(2);

    both.clock.step(Duration.ofHours(1));

    assertThat(both.recloser.tryAcquire()).isNull();
    assertThat(both.resilience4j.tryAcquirePermission()).isTrue();
  }

  @Test
  void the_automatic_transition_runs_on_the_time_handed_in() {
    Duration hour = Duration.ofHours(1);
    SideBySide both =
        SideBySide.create(
            IntervalFunction.of(hour),
            config -> config.waitDurationInOpenState(hour),
            config -> config.automaticTransitionFromOpenToHalfOpenEnabled(true));
    both.recloser.reconfigure(
        config -> config.automaticTransitionFromOpenToHalfOpenEnabled(true).scheduler(both.time));
    both.fail(2);

    both.advance(hour.plusMillis(1));

    assertThat(both.stateOfRecloser()).isEqualTo("HALF_OPEN");
    assertThat(both.stateOfResilience4j()).isEqualTo("OPEN");
  }

  @Test
  void the_wait_goes_on_growing_when_the_breaker_reopens_soon_after_closing() {
    SideBySide both =
        SideBySide.create(
            IntervalFunction.ofExponentialBackoff(WAIT, 2),
            config -> config.exponentialBackoffMultiplier(2),
            config -> {});
    both.openAndWait();
    both.call(Outcome.SUCCESS);
    both.fail(2);

    both.advance(AFTER_WAIT);

    assertThat(both.recloser.tryAcquire()).isNull();
    assertThat(both.recloser.snapshot().remaining()).isEqualTo(WAIT.minusMillis(1));
    assertThat(both.resilience4j.tryAcquirePermission()).isTrue();
  }

  @Test
  void an_operator_opens_for_the_base_wait() {
    SideBySide both =
        SideBySide.create(
            IntervalFunction.ofExponentialBackoff(WAIT, 2),
            config -> config.exponentialBackoffMultiplier(2),
            config -> {});
    both.openAndWait();
    both.recloser.acquire();
    both.resilience4j.acquirePermission();

    both.recloser.transitionTo(State.OPEN);
    both.resilience4j.transitionToOpenState();
    both.advance(AFTER_WAIT);

    assertThat(both.recloser.tryAcquire()).isNotNull();
    assertThat(both.resilience4j.tryAcquirePermission()).isFalse();
  }

  @Test
  void a_wait_at_its_cap_is_still_spread() {
    Duration cap = WAIT.multipliedBy(2);
    IntervalFunction capped = IntervalFunction.ofExponentialRandomBackoff(WAIT, 10, 0.5, cap);
    SideBySide both =
        SideBySide.create(
            config ->
                config
                    .exponentialBackoffMultiplier(10)
                    .exponentialMaxWaitDurationInOpenState(cap)
                    .randomizedWaitFactor(0.5)
                    .random(() -> 0),
            config -> {});
    both.openAndWait();
    both.fail(1);

    assertThat(both.recloser.snapshot().remaining()).isEqualTo(cap.dividedBy(2));
    assertThat(Stream.generate(() -> capped.apply(5)).limit(100)).containsOnly(cap.toMillis());
  }

  @Test
  void a_wait_function_that_throws_does_not_keep_the_breaker_from_opening() {
    SideBySide both =
        SideBySide.create(
            opening -> {
              throw broken();
            },
            config ->
                config.waitIntervalFunctionInOpenState(
                    opening -> {
                      throw broken();
                    }),
            config -> {});
    both.call(Outcome.FAILURE);

    both.recloser.acquire().record(Outcome.FAILURE);
    both.resilience4j.acquirePermission();
    assertThatThrownBy(() -> both.end(Outcome.FAILURE)).hasMessage("no wait");
    both.end(Outcome.FAILURE);

    assertThat(both.stateOfRecloser()).isEqualTo("OPEN");
    assertThat(both.recloser.snapshot().remaining()).isEqualTo(WAIT);
    assertThat(both.stateOfResilience4j()).isEqualTo("CLOSED");
  }

  private static RuntimeException broken() {
    return new IllegalStateException("no wait");
  }
}

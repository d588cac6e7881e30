package dev.recloser.conformance;

import static dev.recloser.conformance.SideBySide.AFTER_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a half-open breaker makes of its probes. */
final class HalfOpenDifferencesTest {

  @Test
  void half_of_the_probes_failing_is_enough_to_reopen() {
    SideBySide both = halfOpenWithTenProbes();

    both.fail(5);

    assertThat(both.stateOfRecloser()).isEqualTo("OPEN");
    assertThat(both.stateOfResilience4j()).isEqualTo("HALF_OPEN");
  }

  @Test
  void more_than_half_of_the_probes_succeeding_is_enough_to_close() {
    SideBySide both = halfOpenWithTenProbes();

    for (int i = 0; i < 6; i++) {
      both.call(Outcome.SUCCESS);
    }

    assertThat(both.stateOfRecloser()).isEqualTo("CLOSED");
    assertThat(both.stateOfResilience4j()).isEqualTo("HALF_OPEN");
  }

  @Test
  void the_minimum_of_calls_does_not_shorten_the_probing() {
    SideBySide both =
        SideBySide.create(
            config -> config.permittedNumberOfCallsInHalfOpenState(10),
            config -> config.permittedNumberOfCallsInHalfOpenState(10).minimumNumberOfCalls(2));
    both.openAndWait();

    both.call(Outcome.FAILURE);
    both.call(Outcome.SUCCESS);

    assertThat(both.stateOfRecloser()).isEqualTo("HALF_OPEN");
    assertThat(both.stateOfResilience4j()).isEqualTo("OPEN");
  }

  @Test
  void a_probe_that_never_reports_does_not_block_the_breaker() {
    SideBySide both = SideBySide.create();
    both.openAndWait();
    both.recloser.acquire();
    both.resilience4j.acquirePermission();

    both.advance(Duration.ofDays(1));

    assertThat(both.recloser.tryAcquire()).isNotNull();
    assertThat(both.recloser.metrics().expiredProbes()).isEqualTo(1);
    assertThat(both.resilience4j.tryAcquirePermission()).isFalse();
    assertThat(both.stateOfResilience4j()).isEqualTo("HALF_OPEN");
  }

  @Test
  void the_limit_of_the_half_open_state_runs_on_the_time_handed_in() {
    Duration limit = Duration.ofHours(1);
    SideBySide both =
        SideBySide.create(
            config ->
                config
                    .maxWaitDurationInHalfOpenState(limit)
                    .maxProbeDuration(limit.multipliedBy(2)),
            config -> config.maxWaitDurationInHalfOpenState(limit));
    both.openAndWait();
    both.recloser.acquire();
    both.resilience4j.acquirePermission();

    both.advance(limit);

    assertThat(both.recloser.tryAcquire()).isNull();
    assertThat(both.stateOfRecloser()).isEqualTo("OPEN");
    assertThat(both.resilience4j.tryAcquirePermission()).isFalse();
    assertThat(both.stateOfResilience4j()).isEqualTo("HALF_OPEN");
  }

  @Test
  void a_probe_that_throws_an_error_has_failed() {
    SideBySide both = SideBySide.create();
    both.openAndWait();

    assertThatThrownBy(() -> both.recloser.run(HalfOpenDifferencesTest::overflow))
        .isInstanceOf(StackOverflowError.class);
    assertThatThrownBy(() -> both.resilience4j.executeRunnable(HalfOpenDifferencesTest::overflow))
        .isInstanceOf(StackOverflowError.class);
    both.advance(Duration.ofHours(1));

    assertThat(both.recloser.tryAcquire()).isNotNull();
    assertThat(both.resilience4j.tryAcquirePermission()).isFalse();
    assertThat(both.stateOfResilience4j()).isEqualTo("HALF_OPEN");
  }

  private static SideBySide halfOpenWithTenProbes() {
    SideBySide both =
        SideBySide.create(
            config -> config.slidingWindowSize(10).permittedNumberOfCallsInHalfOpenState(10),
            config ->
                config
                    .slidingWindowSize(10)
                    .minimumNumberOfCalls(10)
                    .permittedNumberOfCallsInHalfOpenState(10));
    both.fail(10);
    both.advance(AFTER_WAIT);
    return both;
  }

  private static void overflow() {
    throw new StackOverflowError("too deep");
  }
}

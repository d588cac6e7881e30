package dev.recloser.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Outcome;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the window holds, and when a rate opens the breaker. */
final class WindowDifferencesTest {

  @Test
  void calls_that_hang_open_the_breaker_before_they_return() {
    Duration limit = Duration.ofMillis(150);
    SideBySide both =
        SideBySide.create(
            config -> config.slowCallDurationThreshold(limit),
            config -> config.slowCallDurationThreshold(limit));
    for (int i = 0; i < 100; i++) {
      both.recloser.acquire();
      both.resilience4j.acquirePermission();
    }

    both.advance(limit.plusMillis(1));

    assertThat(both.recloser.tryAcquire()).isNull();
    assertThat(both.stateOfRecloser()).isEqualTo("OPEN");
    assertThat(both.resilience4j.tryAcquirePermission()).isTrue();
  }

  @Test
  void a_rate_just_below_the_threshold_does_not_open() {
    double threshold = 66.666667;
    SideBySide both =
        SideBySide.create(
            config -> config.slidingWindowSize(3).failureRateThreshold(threshold),
            config ->
                config
                    .slidingWindowSize(3)
                    .minimumNumberOfCalls(3)
                    .failureRateThreshold((float) threshold));

    both.call(Outcome.SUCCESS);
    both.fail(2);

    assertThat(both.stateOfRecloser()).isEqualTo("CLOSED");
    assertThat(both.stateOfResilience4j()).isEqualTo("OPEN");
  }

  @Test
  void the_slices_of_a_time_window_start_with_the_state() {
    SideBySide both = withWindowOfTwoSeconds();
    both.clock.step(Duration.ofMillis(900));
    both.recloser.reset();
    both.resilience4j.reset();
    both.call(Outcome.FAILURE);

    both.advance(Duration.ofMillis(1_100));

    assertThat(both.recloser.snapshot().window().calls()).isEqualTo(1);
    assertThat(both.resilience4j.getMetrics().getNumberOfBufferedCalls()).isZero();
  }

  @Test
  void setting_the_wall_clock_forward_does_not_empty_a_time_window() {
    SideBySide both = withWindowOfTwoSeconds();
    both.call(Outcome.FAILURE);

    both.clock.step(Duration.ofHours(1));

    assertThat(both.recloser.snapshot().window().calls()).isEqualTo(1);
    assertThat(both.resilience4j.getMetrics().getNumberOfBufferedCalls()).isZero();
  }

  @Test
  void a_time_window_may_be_shorter_than_a_second() {
    SideBySide both =
        SideBySide.create(
            config -> config.slidingWindowSize(Duration.ofMillis(100)),
            config -> config.slidingWindowType(SlidingWindowType.TIME_BASED).slidingWindowSize(1));
    both.call(Outcome.FAILURE);

    both.advance(Duration.ofMillis(100));

    assertThat(both.recloser.snapshot().window().calls()).isZero();
    assertThat(both.resilience4j.getMetrics().getNumberOfBufferedCalls()).isEqualTo(1);
  }

  @Test
  void a_rate_is_shown_before_the_minimum_is_reached() {
    SideBySide both = SideBySide.create();

    both.call(Outcome.FAILURE);

    assertThat(both.recloser.snapshot().window().failureRate()).isEqualTo(100);
    assertThat(both.recloser.snapshot().window().callsNeeded()).isEqualTo(1);
    assertThat(both.resilience4j.getMetrics().getFailureRate()).isEqualTo(-1);
  }

  private static SideBySide withWindowOfTwoSeconds() {
    return SideBySide.create(
        config -> config.slidingWindowSize(Duration.ofSeconds(2)),
        config -> config.slidingWindowType(SlidingWindowType.TIME_BASED).slidingWindowSize(2));
  }
}

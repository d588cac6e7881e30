package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.PolicyEvent.Reconfigured;
import dev.recloser.test.FakeTime;
import dev.recloser.test.RecordingListener;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A living breaker takes a changed configuration (S24). */
final class ReconfigureTest extends Scenario {

  @Test
  void a_threshold_changes_and_state_window_and_counters_stay() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(10));
    succeed(breaker, 7);
    fail(breaker, 2);

    breaker.reconfigure(s -> s.failureRateThreshold(30));

    assertThat(breaker).isClosed().hasNoTransitions();
    assertThat(breaker.snapshot().window().calls()).isEqualTo(9);
    assertThat(breaker.snapshot().window().failureRateThreshold()).isEqualTo(30);
    assertThat(breaker.metrics().admitted()).isEqualTo(9);
    fail(breaker);
    assertThat(breaker).isOpen();
  }

  @Test
  void a_higher_threshold_spares_a_breaker_that_would_have_opened() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(4));
    fail(breaker, 1);
    succeed(breaker, 2);

    breaker.reconfigure(s -> s.failureRateThreshold(51));
    fail(breaker);

    assertThat(breaker).isClosed().hasFailureRate(50);
  }

  @Test
  void a_smaller_count_window_keeps_the_last_calls() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(10).failureRateThreshold(100));
    fail(breaker, 4);
    succeed(breaker, 3);
    fail(breaker, 2);

    breaker.reconfigure(s -> s.slidingWindowSize(4));

    assertThat(breaker.snapshot().window().calls()).isEqualTo(4);
    assertThat(breaker).hasFailureRate(50);
    succeed(breaker);
    succeed(breaker);
    assertThat(breaker).hasFailureRate(50); // Two successes have left.
    succeed(breaker);
    assertThat(breaker).hasFailureRate(25);
  }

  @Test
  void a_larger_count_window_keeps_all_calls() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(4).failureRateThreshold(100));
    succeed(breaker);
    fail(breaker, 2);

    breaker.reconfigure(s -> s.slidingWindowSize(100));

    assertThat(breaker.snapshot().window().calls()).isEqualTo(3);
    assertThat(breaker.snapshot().window().failed()).isEqualTo(2);
    assertThat(breaker.snapshot().window().minimumNumberOfCalls()).isEqualTo(100);
  }

  @Test
  void a_window_of_another_type_starts_empty_and_both_ways_work() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(10));
    fail(breaker, 9);

    breaker.reconfigure(s -> s.slidingWindowSize(seconds(10)).minimumNumberOfCalls(2));
    assertThat(breaker.snapshot().window().calls()).isZero();
    fail(breaker);
    time.advance(seconds(10));
    assertThat(breaker.snapshot().window().calls()).isZero();

    breaker.reconfigure(s -> s.slidingWindowSize(2));
    fail(breaker);
    assertThat(breaker).isClosed();
    fail(breaker);
    assertThat(breaker).isOpen();
  }

  @Test
  void a_time_window_of_the_same_shape_stays() {
    CircuitBreaker breaker = breaker(s -> s.slidingWindowSize(seconds(10)));
    fail(breaker, 3);

    breaker.reconfigure(s -> s.minimumNumberOfCalls(50));

    assertThat(breaker.snapshot().window().calls()).isEqualTo(3);
  }

  @Test
  void the_slow_limit_takes_effect_on_calls_in_flight() {
    CircuitBreaker breaker = breaker(s -> s.slowCallDurationThreshold(seconds(10)));
    var running = acquire(breaker, 3);
    time.advance(seconds(1));
    assertThat(breaker.snapshot().window().slowInFlight()).isZero();

    breaker.reconfigure(s -> s.slowCallDurationThreshold(millis(500)));
    assertThat(breaker.snapshot().window().slowInFlight()).isEqualTo(3);

    breaker.reconfigure(s -> s.slowCallDurationThreshold(seconds(2)));
    assertThat(breaker.snapshot().window().slowInFlight()).isZero();
    running.forEach(permit -> permit.complete("fine"));
    assertThat(breaker).hasSlowCallRate(0);
  }

  @Test
  void the_present_wait_stays_as_announced_and_the_next_is_new() {
    CircuitBreaker breaker = small(1);
    open(breaker);

    breaker.reconfigure(s -> s.waitDurationInOpenState(seconds(60)));
    assertThat(breaker.snapshot().remaining()).isEqualTo(WAIT);
    waitAndProbe(breaker).fail(new IOException());

    assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(60));
  }

  @Test
  void the_probes_of_the_present_half_open_state_stay_as_announced_and_the_next_are_new() {
    CircuitBreaker breaker = small(2);
    Permit probe = openAndProbe(breaker);

    breaker.reconfigure(s -> s.permittedNumberOfCallsInHalfOpenState(5));
    assertThat(breaker.snapshot().probesLeft()).isEqualTo(1);
    probe.fail(new IOException());
    assertThat(breaker).isOpen();

    Permit next = waitAndProbe(breaker);
    assertThat(breaker.snapshot().probesLeft()).isEqualTo(4);
    next.close();
  }

  @Test
  void the_rule_for_probes_may_change_while_they_run() {
    CircuitBreaker breaker = small(10);
    open(breaker);
    time.advance(WAIT);
    succeed(breaker);

    breaker.reconfigure(s -> s.halfOpenRule(HalfOpenRule.ALL_SUCCEED));
    fail(breaker);

    assertThat(breaker).isOpen();
  }

  @Test
  void the_automatic_transition_can_be_switched_on_and_off_while_open() {
    CircuitBreaker breaker = breakerWithTimers(smallSettings(1));
    open(breaker);
    breaker.reconfigure(s -> s.automaticTransitionFromOpenToHalfOpenEnabled(true));
    time.advance(WAIT);
    assertThat(breaker).isHalfOpen();

    breaker.transitionTo(State.OPEN);
    breaker.reconfigure(s -> s.automaticTransitionFromOpenToHalfOpenEnabled(false));
    time.advance(WAIT.multipliedBy(2));
    assertThat(breaker).isOpen();
  }

  @Test
  void health_checks_may_be_set_while_probes_run_and_the_breaker_is_not_stuck() {
    CircuitBreaker breaker = small(2);
    openAndProbe(breaker).close();

    breaker.reconfigure(s -> s.healthCheck(() -> CompletableFuture.completedFuture("UP")));

    for (int i = 0; i < 3 && breaker.state() != State.CLOSED; i++) {
      Permit permit = breaker.tryAcquire();
      if (permit != null) {
        permit.complete("fine");
      }
    }
    assertThat(breaker).isClosed();
  }

  @Test
  void listeners_are_told_of_both_configurations() {
    CircuitBreaker breaker = small(1);
    CircuitBreakerConfig before = breaker.config();
    RecordingListener heard = RecordingListener.on(breaker);

    breaker.reconfigure(s -> s.failureRateThreshold(75));

    assertThat(heard.events())
        .containsExactly(new Reconfigured("inventory", before, breaker.config()));
    assertThat(breaker.config().failureRateThreshold()).isEqualTo(75);
    assertThat(before.failureRateThreshold()).isEqualTo(50);
  }

  @Test
  void another_ticker_is_refused() {
    CircuitBreaker breaker = small(1);

    assertThatThrownBy(() -> breaker.reconfigure(s -> s.ticker(Ticker.system())))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            "inventory cannot be configured like this:\n  - ticker: another one (expected: the"
                + " ticker that the breaker was made with)");
    assertThatThrownBy(() -> breaker.reconfigure(CircuitBreakerConfig.defaults()))
        .isInstanceOf(InvalidConfigurationException.class);
    assertThat(breaker.config().ticker()).isSameAs(time);
  }

  @Test
  void a_whole_configuration_replaces_all_settings() {
    CircuitBreaker breaker = small(1);
    CircuitBreakerConfig other = CircuitBreakerConfig.of(s -> s.ticker(time));

    breaker.reconfigure(other);

    assertThat(breaker.config()).isEqualTo(other);
  }

  @Test
  void a_change_is_made_to_the_very_configuration_that_it_replaces() {
    CircuitBreaker breaker = small(1);
    inParallel(
        3,
        thread -> {
          for (int i = 1; i <= 1_000; i++) {
            int value = i;
            breaker.reconfigure(s -> changeOwnSetting(s, thread, value));
          }
        });

    // Each thread has changed a setting of its own; none of the last values is lost to another.
    assertThat(breaker.config().permittedNumberOfCallsInHalfOpenState()).isEqualTo(1_000);
    assertThat(breaker.config().waitDurationInOpenState()).isEqualTo(seconds(1_000));
    assertThat(breaker.config().rampUpDuration()).isEqualTo(seconds(1_000));
  }

  @Test
  void a_change_in_the_middle_of_an_admission_makes_no_call_slow() {
    CircuitBreaker breaker = breaker(s -> s.slowCallDurationThreshold(Duration.ZERO));
    inParallel(
        3,
        thread -> {
          for (int i = 0; i < 20_000; i++) {
            if (thread == 0) {
              long limit = i % 2;
              breaker.reconfigure(s -> s.slowCallDurationThreshold(seconds(limit)));
            } else {
              succeed(breaker);
            }
          }
        });

    // Time stands still, so no call can have taken any.
    assertThat(breaker.metrics().slow()).isZero();
    assertThat(breaker).isClosed();
  }

  private static void changeOwnSetting(
      CircuitBreakerConfig.Builder settings, int thread, int value) {
    switch (thread) {
      case 0 -> settings.permittedNumberOfCallsInHalfOpenState(value);
      case 1 -> settings.waitDurationInOpenState(seconds(value));
      default -> settings.rampUpDuration(seconds(value));
    }
  }

  @Test
  void calls_that_are_too_slow_by_the_new_limit_open_the_breaker_at_once_where_there_are_timers() {
    CircuitBreaker breaker =
        breakerWithTimers(settings -> settings.slidingWindowSize(3).minimumNumberOfCalls(3));
    var hung = Stream.generate(breaker::acquire).limit(5).toList();
    time.advance(seconds(5));

    breaker.reconfigure(settings -> settings.slowCallDurationThreshold(seconds(1)));
    time.advance(Duration.ZERO);

    assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.OPEN);
    hung.forEach(Permit::close);
  }

  @Test
  void a_new_scheduler_takes_over_what_the_old_one_had() {
    CircuitBreaker breaker =
        breakerWithTimers(
            settings ->
                settings.slidingWindowSize(3).automaticTransitionFromOpenToHalfOpenEnabled(true));
    breaker.transitionTo(CircuitBreaker.State.OPEN);
    assertThat(time.pendingTimers()).isEqualTo(1);
    var another = FakeTime.create();

    breaker.reconfigure(settings -> settings.scheduler(another));

    assertThat(time.pendingTimers()).isZero();
    assertThat(another.pendingTimers()).isPositive();
  }
}

package dev.recloser.conformance;

import static dev.recloser.conformance.SideBySide.WAIT;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.CircuitBreakerEvent.CallRefused;
import dev.recloser.CircuitBreakerEvent.WouldHaveOpened;
import dev.recloser.Outcome;
import dev.recloser.RefusalReason;
import io.github.resilience4j.circuitbreaker.IllegalStateTransitionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The states that operators set, and what is seen from outside. */
final class OperatorDifferencesTest {

  @Test
  void an_operator_may_move_the_breaker_into_any_state() {
    SideBySide both = SideBySide.create();

    both.recloser.transitionTo(State.HALF_OPEN);

    assertThat(both.stateOfRecloser()).isEqualTo("HALF_OPEN");
    assertThatThrownBy(both.resilience4j::transitionToHalfOpenState)
        .isInstanceOf(IllegalStateTransitionException.class);
  }

  @Test
  void a_move_into_the_present_state_does_nothing() {
    SideBySide both = SideBySide.create();
    both.fail(2);
    both.advance(WAIT.minusSeconds(1));

    both.recloser.transitionTo(State.OPEN);
    both.resilience4j.transitionToOpenState();
    both.advance(Duration.ofSeconds(2));

    assertThat(both.recloser.tryAcquire()).isNotNull();
    assertThat(both.resilience4j.tryAcquirePermission()).isFalse();
  }

  @Test
  void a_reset_cancels_the_limit_of_the_half_open_state() throws InterruptedException {
    Duration limit = Duration.ofMillis(500);
    SideBySide both =
        SideBySide.create(
            config -> config.maxWaitDurationInHalfOpenState(limit),
            config -> config.maxWaitDurationInHalfOpenState(limit));
    CountDownLatch opened = new CountDownLatch(1);
    both.openAndWait();
    both.recloser.acquire();
    both.resilience4j.acquirePermission();
    both.recloser.reset();
    both.resilience4j.reset();
    both.resilience4j.getEventPublisher().onStateTransition(event -> opened.countDown());

    both.advance(limit);

    assertThat(both.recloser.tryAcquire()).isNotNull();
    assertThat(both.stateOfRecloser()).isEqualTo("CLOSED");
    assertThat(opened.await(30, SECONDS)).isTrue(); // its timer runs in real time
    assertThat(both.stateOfResilience4j()).isEqualTo("OPEN");
  }

  @Test
  void refusals_of_a_forced_breaker_are_told_and_counted() {
    SideBySide both = SideBySide.create();
    List<Object> ofRecloser = new ArrayList<>();
    List<Object> ofResilience4j = new ArrayList<>();
    both.recloser.transitionTo(State.FORCED_OPEN);
    both.resilience4j.transitionToForcedOpenState();
    both.recloser.on(CallRefused.class, ofRecloser::add);
    both.resilience4j.getEventPublisher().onEvent(ofResilience4j::add);

    both.recloser.tryAcquire();
    both.resilience4j.tryAcquirePermission();

    assertThat(ofRecloser).hasSize(1);
    assertThat(both.recloser.metrics().refused()).containsEntry(RefusalReason.FORCED_OPEN, 1L);
    assertThat(ofResilience4j).isEmpty();
  }

  @Test
  void calls_of_a_disabled_breaker_are_told_and_counted() {
    SideBySide both = SideBySide.create();
    List<Object> ofRecloser = new ArrayList<>();
    List<Object> ofResilience4j = new ArrayList<>();
    both.recloser.transitionTo(State.DISABLED);
    both.resilience4j.transitionToDisabledState();
    both.recloser.on(CallFinished.class, ofRecloser::add);
    both.resilience4j.getEventPublisher().onEvent(ofResilience4j::add);

    both.call(Outcome.FAILURE);

    assertThat(ofRecloser).hasSize(1);
    assertThat(both.recloser.metrics().failed()).isEqualTo(1);
    assertThat(ofResilience4j).isEmpty();
  }

  @Test
  void a_metrics_only_breaker_tells_each_time_that_it_would_have_opened() {
    SideBySide both = SideBySide.create();
    List<Object> ofRecloser = new ArrayList<>();
    List<Object> ofResilience4j = new ArrayList<>();
    both.recloser.transitionTo(State.METRICS_ONLY);
    both.resilience4j.transitionToMetricsOnlyState();
    both.recloser.on(WouldHaveOpened.class, ofRecloser::add);
    both.resilience4j.getEventPublisher().onFailureRateExceeded(ofResilience4j::add);

    for (int i = 0; i < 3; i++) {
      both.fail(2);
      both.call(Outcome.SUCCESS);
      both.call(Outcome.SUCCESS);
    }

    assertThat(ofRecloser).hasSize(3);
    assertThat(ofResilience4j).hasSize(1);
  }

  @Test
  void the_count_of_refusals_never_goes_back() {
    SideBySide both = SideBySide.create();
    both.fail(2);
    both.recloser.tryAcquire();
    both.resilience4j.tryAcquirePermission();

    both.advance(SideBySide.AFTER_WAIT);
    both.call(Outcome.SUCCESS);

    assertThat(both.recloser.metrics().totalRefused()).isEqualTo(1);
    assertThat(both.resilience4j.getMetrics().getNumberOfNotPermittedCalls()).isZero();
  }
}

package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.test.RecordingListener;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Permits by hand (S1). */
final class PermitTest extends Scenario {

  @Test
  void the_first_completion_counts_and_leaving_the_block_adds_nothing() {
    CircuitBreaker breaker = small(1);

    try (Permit permit = breaker.acquire()) {
      permit.complete("fine");
    }

    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
    assertThat(breaker.metrics().cancelled()).isZero();
  }

  @Test
  void leaving_the_block_without_a_completion_means_cancelled() {
    CircuitBreaker breaker = small(1);

    try (Permit permit = breaker.acquire()) {
      assertThat(permit.isProbe()).isFalse();
    }

    assertThat(breaker.metrics().cancelled()).isEqualTo(1);
    assertThat(breaker).hasNoCallsInFlight().hasFailureRate(Double.NaN);
  }

  @Test
  void leaving_the_block_by_an_exception_means_cancelled_too() {
    CircuitBreaker breaker = small(1);

    try (Permit permit = breaker.acquire()) {
      assertThat(permit.isProbe()).isFalse();
      throw new IllegalStateException("before the call was made");
    } catch (IllegalStateException e) {
      assertThat(breaker.metrics().cancelled()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Outcome.class)
  void every_completion_after_the_first_does_nothing(Outcome first) {
    CircuitBreaker breaker = small(1);
    RecordingListener heard = RecordingListener.on(breaker);
    Permit permit = breaker.acquire();
    permit.record(first);
    CircuitBreakerMetrics after = breaker.metrics();

    permit.complete("again");
    permit.fail(new IOException("again"));
    permit.record(Outcome.FAILURE);
    permit.record(Outcome.IGNORED);
    permit.close();
    permit.close();

    assertThat(breaker.metrics()).isEqualTo(after);
    assertThat(heard.of(CallFinished.class)).hasSize(1);
  }

  @Test
  void a_second_completion_of_a_probe_gives_no_slot_back() {
    CircuitBreaker breaker = small(2);
    Permit probe = openAndProbe(breaker);
    probe.complete("fine");

    probe.record(Outcome.IGNORED);
    probe.close();

    assertThat(breaker.snapshot().probesLeft()).isEqualTo(1);
  }

  @Test
  void of_two_threads_that_complete_one_permit_one_counts() {
    int permits = 2_000;
    CircuitBreaker breaker =
        breaker(s -> s.slidingWindowSize(permits * 2).minimumNumberOfCalls(permits * 2));
    List<Permit> shared = acquire(breaker, permits);
    CyclicBarrier together = new CyclicBarrier(2);

    inParallel(
        2,
        thread ->
            shared.forEach(
                permit -> {
                  await(together);
                  permit.record(thread == 0 ? Outcome.SUCCESS : Outcome.FAILURE);
                }));

    CircuitBreakerMetrics metrics = breaker.metrics();
    assertThat(metrics.succeeded() + metrics.failed()).isEqualTo(permits);
    assertThat(breaker.snapshot().window().calls()).isEqualTo(permits);
    assertThat(breaker).hasNoCallsInFlight();
  }

  @Test
  void a_permit_may_be_completed_by_another_thread_than_the_one_that_got_it()
      throws InterruptedException {
    CircuitBreaker breaker = small(1);
    Permit permit = breaker.acquire();
    Thread other = new Thread(() -> permit.complete("fine"));
    other.start();
    other.join(30_000);

    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
  }

  @Test
  void closing_after_the_state_has_passed_is_a_late_cancellation() {
    CircuitBreaker breaker = small(1);
    try (Permit permit = breaker.acquire()) {
      open(breaker);
      assertThat(permit.isProbe()).isFalse();
    }

    assertThat(breaker.metrics().cancelled()).isEqualTo(1);
    assertThat(breaker.metrics().late()).isEqualTo(1);
    assertThat(breaker).isOpen();
  }

  @Test
  void a_bare_outcome_counts_as_it_is_whatever_the_classifier_would_say() {
    CircuitBreaker breaker = small(1, s -> s.classifier((result, thrown) -> Outcome.IGNORED));
    breaker.acquire().record(Outcome.FAILURE);
    breaker.acquire().record(Outcome.FAILURE);

    assertThat(breaker).isOpen();
    assertThat(breaker.transitions().get(0).failures()).isEmpty();
  }

  @Test
  void an_outcome_can_say_what_it_was() {
    CircuitBreaker breaker = small(1);
    breaker.acquire().record(Outcome.FAILURE, "503");
    breaker.acquire().record(Outcome.FAILURE, "503");

    assertThat(breaker.transitions().get(0).failures())
        .extracting(FailureSample::type)
        .containsOnly("503");
    assertThat(breaker.transitions().get(0).reason()).endsWith("last with 503");
  }

  @Test
  void null_is_a_result_but_neither_an_exception_nor_an_outcome() {
    CircuitBreaker breaker = small(1);
    Permit permit = breaker.acquire();

    assertThatNullPointerException().isThrownBy(() -> permit.fail(null)).withMessage("thrown");
    assertThatNullPointerException().isThrownBy(() -> permit.record(null)).withMessage("outcome");
    assertThat(breaker).hasCallsInFlight(1);

    permit.complete(null);
    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
  }

  @Test
  void trying_gives_null_instead_of_an_exception() {
    CircuitBreaker breaker = small(1);
    try (Permit permit = breaker.tryAcquire()) {
      assertThat(permit).isNotNull();
    }
    breaker.transitionTo(State.FORCED_OPEN);

    assertThat(breaker.tryAcquire()).isNull();
    assertThat(breaker.metrics().refused()).containsEntry(RefusalReason.FORCED_OPEN, 1L);
  }
}

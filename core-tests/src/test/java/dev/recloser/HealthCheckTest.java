package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Probing with the user's health check in place of real calls (S16). */
final class HealthCheckTest extends Scenario {
  private final AtomicInteger checks = new AtomicInteger();

  /** Checks that are still running, the latest last. */
  private final Deque<CompletableFuture<String>> running = new ArrayDeque<>();

  @Test
  void checks_that_pass_at_once_close_the_breaker_before_the_call_that_found_the_wait_over() {
    CircuitBreaker breaker = waiting(3, () -> CompletableFuture.completedFuture("UP"));

    Permit call = breaker.acquire();

    assertThat(breaker).isClosed();
    assertThat(call.isProbe()).isFalse();
    assertThat(checks).hasValue(2); // The third of three cannot change it any more.
    assertThat(breaker.metrics().probes()).containsEntry(Outcome.SUCCESS, 2L);
    call.close();
  }

  @Test
  void a_check_that_fails_reopens() {
    CircuitBreaker breaker =
        waiting(1, () -> CompletableFuture.failedFuture(new IOException("DOWN")));

    assertThat(breaker).refusesCalls(RefusalReason.OPEN);

    assertThat(breaker).wasLastMovedBy(TransitionCause.PROBES_FAILED);
    assertThat(breaker.snapshot().remaining()).isEqualTo(WAIT);
  }

  @Test
  void a_check_that_throws_is_one_that_fails() {
    CircuitBreaker breaker =
        waiting(
            1,
            () -> {
              throw new IllegalStateException("no connection");
            });

    assertThat(breaker).refusesCalls(RefusalReason.OPEN).hasNoCallsInFlight();
  }

  @Test
  void a_check_that_returns_no_stage_is_one_that_fails() {
    CircuitBreaker breaker = waiting(1, () -> null);

    assertThat(breaker).refusesCalls(RefusalReason.OPEN).hasNoCallsInFlight();
  }

  @Test
  void a_check_that_says_nothing_has_not_shown_that_the_dependency_is_healthy() {
    CircuitBreaker breaker =
        waiting(1, () -> CompletableFuture.failedFuture(new CancellationException()));

    assertThat(breaker).refusesCalls(RefusalReason.OPEN);
  }

  @Test
  void checks_follow_one_another() {
    CircuitBreaker breaker = waiting(4, this::start);
    assertThat(breaker).refusesCalls(RefusalReason.HALF_OPEN);
    assertThat(checks).hasValue(1);

    running.getLast().complete("UP");
    assertThat(checks).hasValue(2);
    assertThat(breaker.snapshot().probesOut()).isEqualTo(1);

    running.getLast().complete("UP");
    running.getLast().complete("UP");
    assertThat(breaker).isClosed();
    assertThat(checks).hasValue(3);
  }

  @Test
  void real_calls_are_refused_while_checks_run() {
    CircuitBreaker breaker = waiting(2, this::start);
    for (int i = 0; i < 5; i++) {
      assertThat(breaker).refusesCalls(RefusalReason.HALF_OPEN);
    }
    running.getLast().completeExceptionally(new IOException("DOWN"));
    assertThat(breaker).isOpen();
  }

  @Test
  void the_result_of_a_check_is_judged_like_that_of_a_call() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings
                    .recordResult("DOWN"::equals)
                    .healthCheck(() -> CompletableFuture.completedFuture("DOWN")));
    open(breaker);
    time.advance(WAIT);

    assertThat(breaker).refusesCalls(RefusalReason.OPEN);
  }

  @Test
  void a_check_that_hangs_has_failed_when_its_lease_ends() {
    CircuitBreaker breaker = waiting(1, this::start);
    assertThat(breaker).refusesCalls(RefusalReason.HALF_OPEN);

    time.advance(WAIT);

    assertThat(breaker).refusesCalls(RefusalReason.OPEN);
    running.getLast().complete("UP");
    assertThat(breaker.metrics().late()).isEqualTo(1);
  }

  @Test
  void the_breaker_does_not_get_stuck_where_one_hanging_check_of_several_decides_nothing() {
    CircuitBreaker breaker = waiting(3, this::start);
    assertThat(breaker).refusesCalls(RefusalReason.HALF_OPEN);

    time.advance(WAIT);
    assertThat(breaker).refusesCalls(RefusalReason.HALF_OPEN);

    assertThat(checks).as("checks started").hasValue(2);
    running.getLast().complete("UP");
    running.getLast().complete("UP");
    assertThat(breaker).isClosed();
    running.getFirst().complete("late");
  }

  @Test
  void with_timers_the_next_check_starts_when_the_lease_of_a_hanging_one_ends() {
    CircuitBreaker breaker =
        breakerWithTimers(smallSettings(3).andThen(s -> s.healthCheck(counted(this::start))));
    open(breaker);
    time.advance(WAIT);
    assertThat(breaker).refusesCalls(RefusalReason.HALF_OPEN);

    time.advance(WAIT);

    assertThat(checks).as("checks started").hasValue(2);
    running.getLast().complete("UP");
    running.getLast().complete("UP");
    assertThat(breaker).isClosed();
    running.getFirst().complete("late");
  }

  @Test
  void a_check_is_started_by_the_timer_where_there_is_one() {
    CircuitBreaker breaker =
        breakerWithTimers(
            smallSettings(1)
                .andThen(
                    settings ->
                        settings
                            .automaticTransitionFromOpenToHalfOpenEnabled(true)
                            .healthCheck(counted(() -> CompletableFuture.completedFuture("UP")))));
    open(breaker);

    time.advance(WAIT);

    assertThat(breaker).isClosed();
    assertThat(checks).hasValue(1);
  }

  @Test
  void ten_thousand_checks_that_pass_at_once_do_not_exhaust_the_stack() {
    CircuitBreaker breaker =
        small(
            10_000,
            settings ->
                settings
                    .halfOpenRule(HalfOpenRule.ALL_SUCCEED)
                    .healthCheck(counted(() -> CompletableFuture.completedFuture("UP"))));
    open(breaker);
    time.advance(WAIT);

    assertThat(breaker).permitsCalls().isClosed();
    assertThat(checks).hasValue(10_000);
  }

  @Test
  void ten_thousand_checks_that_pass_later_do_not_exhaust_the_stack() {
    CircuitBreaker breaker =
        small(
            10_000,
            settings ->
                settings.halfOpenRule(HalfOpenRule.ALL_SUCCEED).healthCheck(counted(this::start)));
    open(breaker);
    time.advance(WAIT);
    assertThat(breaker).refusesCalls(RefusalReason.HALF_OPEN);

    while (!running.isEmpty()) {
      running.removeFirst().complete("UP");
    }

    assertThat(breaker).isClosed();
    assertThat(checks).hasValue(10_000);
  }

  private CompletableFuture<String> start() {
    CompletableFuture<String> check = new CompletableFuture<>();
    running.addLast(check);
    return check;
  }

  private Supplier<CompletionStage<String>> counted(Supplier<CompletionStage<String>> check) {
    return () -> {
      checks.incrementAndGet();
      return check.get();
    };
  }

  /** An open breaker whose wait is over. */
  private CircuitBreaker waiting(int probes, Supplier<CompletionStage<String>> check) {
    CircuitBreaker breaker = small(probes, settings -> settings.healthCheck(counted(check)));
    open(breaker);
    time.advance(WAIT);
    return breaker;
  }

  @Test
  void a_check_whose_stage_cannot_be_waited_for_has_failed() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings.healthCheck(
                    () ->
                        new CompletableFuture<Object>() {
                          @Override
                          public CompletableFuture<Object> whenComplete(
                              BiConsumer<? super Object, ? super Throwable> end) {
                            throw new IllegalStateException("nobody waits for this one");
                          }
                        }));

    breaker.transitionTo(CircuitBreaker.State.HALF_OPEN);

    assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.OPEN);
    assertThat(breaker.metrics().callsInFlight()).isZero();
  }
}

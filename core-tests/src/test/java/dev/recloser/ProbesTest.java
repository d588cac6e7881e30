package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.test.FlakyCall;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The half-open state: slots, leases, verdicts (S13 to S16). */
final class ProbesTest extends Scenario {
  private static final class Outage extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** The configuration "S" of the oracle table, without its limit on the half-open state. */
  private static final Consumer<CircuitBreakerConfig.Builder> S =
      settings ->
          settings
              .slidingWindowSize(seconds(20))
              .minimumNumberOfCalls(5)
              .slowCallRateThreshold(50)
              .slowCallDurationThreshold(seconds(4))
              .permittedNumberOfCallsInHalfOpenState(4)
              .waitDurationInOpenState(WAIT)
              .maxProbeDuration(seconds(60))
              .ignoreExceptions(IllegalArgumentException.class);

  @Test
  @DisplayName("B1: an Error of a probe is a failure, which reopens the breaker for another wait")
  void error_of_a_probe_reopens() {
    CircuitBreaker breaker = small(1);
    open(breaker);
    time.advance(WAIT);

    assertThatThrownBy(
            () ->
                breaker.run(
                    () -> {
                      throw new Outage();
                    }))
        .isInstanceOf(Outage.class);

    assertThat(breaker).isOpen().wasLastMovedBy(TransitionCause.PROBES_FAILED);
    time.advance(WAIT.minus(TICK));
    assertThat(breaker).refusesCalls(RefusalReason.OPEN);
    time.advance(TICK);
    assertThat(breaker).permitsCalls();
  }

  @Test
  @DisplayName("B1: an Error of an asynchronous probe is a failure, which reopens the breaker")
  void error_of_an_asynchronous_probe_reopens() {
    CircuitBreaker breaker = small(1);
    open(breaker);
    time.advance(WAIT);

    CompletableFuture<String> answer =
        breaker.callAsync(() -> CompletableFuture.failedFuture(new Outage()));

    assertThat(answer).failsWithin(0, TimeUnit.SECONDS);
    assertThat(breaker).isOpen().hasNoCallsInFlight();
    time.advance(WAIT);
    assertThat(breaker).permitsCalls();
  }

  @Test
  @DisplayName("B15: a probe that never reports counts as failed when its lease ends")
  void silent_probe_fails_with_its_lease() {
    CircuitBreaker breaker = small(1, settings -> settings.maxProbeDuration(seconds(2)));
    Permit silent = openAndProbe(breaker);

    time.advance(seconds(2).minus(TICK));
    assertThat(breaker).refusesCalls(RefusalReason.HALF_OPEN);
    time.advance(TICK);
    assertThat(breaker).refusesCalls(RefusalReason.OPEN);

    assertThat(breaker).wasLastMovedBy(TransitionCause.PROBES_FAILED);
    assertThat(breaker.metrics().expiredProbes()).isEqualTo(1);
    silent.complete("late");
    assertThat(breaker.metrics().late()).isEqualTo(1);
  }

  @Test
  @DisplayName("B15: the lease is the base wait unless it is set")
  void lease_is_the_base_wait() {
    CircuitBreaker breaker = small(1);
    Permit silent = openAndProbe(breaker);

    time.advance(WAIT.minus(TICK));
    assertThat(breaker).refusesCalls(RefusalReason.HALF_OPEN);
    time.advance(TICK);
    assertThat(breaker).refusesCalls(RefusalReason.OPEN);
    silent.close();
  }

  @Test
  @DisplayName("B15: a probe whose future is never read has its lease as well")
  void asynchronous_silent_probe_fails_with_its_lease() {
    CircuitBreaker breaker = small(1);
    open(breaker);
    time.advance(WAIT);
    CompletableFuture<String> hung = new CompletableFuture<>();
    CompletableFuture<String> answer = breaker.callAsync(() -> hung);

    time.advance(WAIT);

    assertThat(breaker).refusesCalls(RefusalReason.OPEN);
    assertThat(answer).isNotDone();
    hung.complete("late");
    assertThat(answer).isCompletedWithValue("late");
  }

  @Test
  @DisplayName("FS-9: ten waits after a silent probe the next probe is admitted")
  void slot_of_a_silent_probe_is_reclaimed() {
    CircuitBreaker breaker = small(1);
    Permit silent = openAndProbe(breaker);

    time.advance(WAIT.multipliedBy(10));

    Permit next = breaker.acquire();
    assertThat(next.isProbe()).isTrue();
    next.complete("fine");
    assertThat(breaker).isClosed();
    silent.close();
  }

  @Test
  @DisplayName("B15: with timers a lease ends without any call")
  void timer_ends_a_lease() {
    CircuitBreaker breaker = breakerWithTimers(smallSettings(1));
    Permit silent = openAndProbe(breaker);

    time.advance(WAIT);

    assertThat(breaker).isOpen();
    silent.close();
  }

  @Test
  @DisplayName("B16: of ten probes the fifth failure reopens the breaker")
  void verdict_falls_with_the_failure_that_settles_it() {
    CircuitBreaker breaker =
        breaker(settings -> smallSettings(10).accept(settings.slidingWindowSize(10)));
    open(breaker);
    time.advance(WAIT);

    fail(breaker, 4);
    assertThat(breaker).isHalfOpen();
    fail(breaker);
    assertThat(breaker).isOpen();
  }

  @Test
  @DisplayName("B16: of ten probes the sixth success closes the breaker")
  void verdict_falls_with_the_success_that_settles_it() {
    CircuitBreaker breaker = small(10);
    open(breaker);
    time.advance(WAIT);

    succeed(breaker, 5);
    assertThat(breaker).isHalfOpen();
    succeed(breaker);
    assertThat(breaker).isClosed();
  }

  @Test
  @DisplayName("Oracle 9: of six calls four are probes, and four again in the next round")
  void probes_are_capped_in_every_round() {
    CircuitBreaker breaker = breaker(S);
    open(breaker);
    time.advance(WAIT);
    List<Permit> first = acquire(breaker, 4);
    assertThat(isRefused(breaker)).isTrue();
    assertThat(isRefused(breaker)).isTrue();

    first.forEach(probe -> probe.fail(new IOException()));
    time.advance(WAIT);

    List<Permit> second = acquire(breaker, 4);
    assertThat(isRefused(breaker)).isTrue();
    second.forEach(Permit::close);
  }

  @ParameterizedTest
  @EnumSource(
      value = Outcome.class,
      names = {"IGNORED", "CANCELLED"})
  @DisplayName("Oracle 10: a probe given back makes room for one more")
  void slot_given_back_makes_room_for_one(Outcome outcome) {
    CircuitBreaker breaker = breaker(S);
    open(breaker);
    time.advance(WAIT);
    List<Permit> probes = acquire(breaker, 4);

    probes.get(0).record(outcome);

    Permit one = breaker.acquire();
    assertThat(isRefused(breaker)).isTrue();
    one.close();
    probes.forEach(Permit::close);
  }

  @Test
  @DisplayName("Oracle 11: the second failure of four probes reopens, since half of them fail")
  void half_of_the_probes_failing_reopens() {
    CircuitBreaker breaker = breaker(S);
    open(breaker);
    time.advance(WAIT);

    fail(breaker);
    assertThat(breaker).isHalfOpen();
    fail(breaker);
    assertThat(breaker).isOpen().hasFailureRate(100);
  }

  @Test
  @DisplayName("Oracle 12: slow probes reopen the breaker although they succeed")
  void slow_probes_reopen() {
    CircuitBreaker breaker = breaker(S);
    open(breaker);
    time.advance(WAIT);

    succeedAfter(seconds(5), breaker);
    assertThat(breaker).isHalfOpen();
    succeedAfter(seconds(5), breaker);
    assertThat(breaker).isOpen();
  }

  @Test
  @DisplayName("Oracle 13: one failure of four probes closes the breaker with an empty window")
  void few_failed_probes_close() {
    CircuitBreaker breaker = breaker(S);
    open(breaker);
    time.advance(WAIT);

    fail(breaker);
    succeed(breaker, 2);
    assertThat(breaker).isHalfOpen();
    succeed(breaker);

    assertThat(breaker).isClosed().wasLastMovedBy(TransitionCause.PROBES_SUCCEEDED);
    assertThat(breaker.snapshot().window().calls()).isZero();
  }

  @Test
  @DisplayName("Oracle 14: ignored probes count for nothing, and the breaker still closes")
  void ignored_probes_count_for_nothing() {
    CircuitBreaker breaker = breaker(S);
    open(breaker);
    time.advance(WAIT);

    for (int i = 0; i < 20; i++) {
      breaker.acquire().fail(new IllegalArgumentException());
    }
    assertThat(breaker).isHalfOpen();
    assertThat(breaker.snapshot().window().calls()).isZero();

    succeed(breaker, 3);
    assertThat(breaker).isClosed();
  }

  @Test
  @DisplayName("Oracle 15: half-open without traffic ends with its limit")
  void half_open_ends_with_its_limit() {
    CircuitBreaker breaker =
        breakerWithTimers(S.andThen(s -> s.maxWaitDurationInHalfOpenState(seconds(1))));
    breaker.transitionTo(State.HALF_OPEN);

    time.advance(seconds(1).minus(TICK));
    assertThat(breaker).isHalfOpen();
    time.advance(TICK);

    assertThat(breaker).isOpen().wasLastMovedBy(TransitionCause.HALF_OPEN_TIMEOUT);
  }

  @Test
  @DisplayName("Oracle 15: without timers the next call finds that the limit has passed")
  void half_open_has_ended_when_the_next_call_comes() {
    CircuitBreaker breaker = breaker(S.andThen(s -> s.maxWaitDurationInHalfOpenState(seconds(1))));
    breaker.transitionTo(State.HALF_OPEN);
    time.advance(seconds(3));

    assertThat(breaker).isHalfOpen().refusesCalls(RefusalReason.OPEN).isOpen();
    // The wait has run since the limit, not since the call that found it.
    assertThat(breaker.snapshot().remaining()).isEqualTo(seconds(3));
  }

  @Test
  @DisplayName("FS-10: a cancelled asynchronous probe gives its slot back without another wait")
  void cancelled_probe_gives_its_slot_back() {
    CircuitBreaker breaker = small(1);
    open(breaker);
    time.advance(WAIT);
    CompletableFuture<String> answer = breaker.callAsync(CompletableFuture::new);

    answer.cancel(true);

    assertThat(breaker).isHalfOpen().hasNoCallsInFlight();
    assertThat(breaker.metrics().probes()).containsEntry(Outcome.CANCELLED, 1L);
    succeed(breaker);
    assertThat(breaker).isClosed();
  }

  @Test
  @DisplayName("SE-6: a probe refused by another policy of this library gives its slot back")
  void probe_refused_by_another_policy_gives_its_slot_back() {
    CircuitBreaker breaker = small(1);
    CircuitBreaker inner = breakers.inState(State.FORCED_OPEN, "inner");
    open(breaker);
    time.advance(WAIT);

    assertThatThrownBy(() -> breaker.run(() -> inner.run(() -> {})))
        .isInstanceOf(CallNotPermittedException.class)
        .hasMessageStartingWith("inner refused the call");

    assertThat(breaker).isHalfOpen();
    assertThat(breaker.snapshot().probesLeft()).isEqualTo(1);
    assertThat(breaker.metrics().ignored()).isEqualTo(1);
  }

  @Test
  @DisplayName("HY-1: calls refused while the probe runs do not keep the breaker from closing")
  void refused_calls_do_not_disturb_the_probe() {
    CircuitBreaker breaker = small(1);
    Permit probe = openAndProbe(breaker);
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> breaker.run(() -> {})).isInstanceOf(CallRejectedException.class);
    }

    probe.complete("fine");

    assertThat(breaker).isClosed();
  }

  @Test
  @DisplayName(
      "HY-3: a probe with an ignored exception is neutral, and the next one follows at once")
  void ignored_probe_is_neutral() {
    CircuitBreaker breaker =
        small(1, settings -> settings.ignoreExceptions(RejectedExecutionException.class));
    Permit probe = openAndProbe(breaker);

    probe.fail(new RejectedExecutionException());

    assertThat(breaker).isHalfOpen();
    succeed(breaker);
    assertThat(breaker).isClosed();
  }

  @Test
  void never_more_probes_are_out_than_permitted_whatever_is_given_back() {
    CircuitBreaker breaker = small(3);
    open(breaker);
    time.advance(WAIT);
    for (int round = 0; round < 50; round++) {
      List<Permit> probes = acquire(breaker, 3);
      assertThat(isRefused(breaker)).isTrue();
      assertThat(breaker.snapshot().probesOut()).isEqualTo(3);
      probes.get(0).record(Outcome.IGNORED);
      probes.get(0).close();
      probes.get(1).close();
      probes.get(1).record(Outcome.IGNORED);
      probes.get(2).close();
    }
    assertThat(breaker.snapshot().probesLeft()).isEqualTo(3);
  }

  @Test
  void many_threads_get_no_more_probes_at_one_time_than_permitted() {
    CircuitBreaker breaker = small(3);
    open(breaker);
    time.advance(WAIT);
    AtomicInteger out = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger admitted = new AtomicInteger();

    inParallel(
        4,
        thread -> {
          for (int i = 0; i < 5_000; i++) {
            Permit probe = breaker.tryAcquire();
            if (probe != null) {
              most.accumulateAndGet(out.incrementAndGet(), Math::max);
              admitted.incrementAndGet();
              out.decrementAndGet();
              probe.close();
            }
          }
        });

    assertThat(most.get()).isBetween(1, 3);
    assertThat(breaker).isHalfOpen();
    assertThat(breaker.snapshot().probesLeft()).isEqualTo(3);
    assertThat(breaker.metrics().probes()).containsEntry(Outcome.CANCELLED, (long) admitted.get());
  }

  @Test
  void probes_are_counted_over_the_whole_period_not_at_one_time() {
    CircuitBreaker breaker = small(4);
    open(breaker);
    time.advance(WAIT);
    Permit out = breaker.acquire();
    fail(breaker);
    succeed(breaker);
    Permit last = breaker.acquire();

    assertThat(isRefused(breaker)).isTrue();
    out.close();
    last.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10})
  void with_ALL_SUCCEED_every_probe_must_succeed(int probes) {
    CircuitBreaker breaker =
        small(probes, settings -> settings.halfOpenRule(HalfOpenRule.ALL_SUCCEED));
    open(breaker);
    time.advance(WAIT);

    succeed(breaker, probes - 1);
    if (probes > 1) {
      assertThat(breaker).isHalfOpen();
    }
    succeed(breaker);
    assertThat(breaker).isClosed();
  }

  @Test
  void with_ALL_SUCCEED_the_first_failed_probe_reopens() {
    CircuitBreaker breaker = small(10, s -> s.halfOpenRule(HalfOpenRule.ALL_SUCCEED));
    open(breaker);
    time.advance(WAIT);
    succeed(breaker, 8);

    fail(breaker);

    assertThat(breaker).isOpen();
  }

  @Test
  void with_ALL_SUCCEED_the_first_slow_probe_reopens() {
    CircuitBreaker breaker =
        small(
            10,
            settings ->
                settings
                    .halfOpenRule(HalfOpenRule.ALL_SUCCEED)
                    .slowCallDurationThreshold(millis(100)));
    open(breaker);
    time.advance(WAIT);

    succeedAfter(millis(100), breaker);
    assertThat(breaker).isHalfOpen();
    succeedAfter(millis(100).plus(TICK), breaker);
    assertThat(breaker).isOpen();
  }

  @Test
  void leases_end_each_at_its_own_moment_whenever_somebody_looks() {
    CircuitBreaker breaker = small(4, settings -> settings.maxProbeDuration(seconds(2)));
    open(breaker);
    time.advance(WAIT);
    Permit first = breaker.acquire();
    time.advance(seconds(1));
    Permit second = breaker.acquire();

    time.advance(seconds(10));
    assertThat(isRefused(breaker)).isFalse();

    // The second lease decided, 3 s after the state began; so the wait was over 3 s ago.
    assertThat(breaker)
        .hasTransitions(State.CLOSED, State.OPEN, State.HALF_OPEN, State.OPEN, State.HALF_OPEN);
    List<StateTransition> transitions = breaker.transitions();
    assertThat(transitions.get(2).at() - transitions.get(1).at()).isEqualTo(seconds(3).toNanos());
    assertThat(breaker.metrics().expiredProbes()).isEqualTo(2);
    first.close();
    second.close();
  }

  @Test
  void a_result_that_comes_with_the_end_of_its_lease_is_too_late() {
    CircuitBreaker breaker = small(1, settings -> settings.maxProbeDuration(seconds(2)));
    Permit probe = openAndProbe(breaker);
    time.advance(seconds(2));

    probe.complete("too late");

    assertThat(breaker).isOpen();
    assertThat(breaker.metrics().late()).isEqualTo(1);
    assertThat(breaker.metrics().expiredProbes()).isEqualTo(1);
  }

  @Test
  void an_expired_probe_counts_as_failed_and_slow() {
    CircuitBreaker breaker = small(4, settings -> settings.maxProbeDuration(seconds(2)));
    Permit silent = openAndProbe(breaker);
    time.advance(seconds(2));

    Permit next = breaker.acquire();

    WindowSnapshot probes = breaker.snapshot().window();
    assertThat(probes.calls()).isEqualTo(1);
    assertThat(probes.failed()).isEqualTo(1);
    assertThat(probes.slow()).isEqualTo(1);
    next.close();
    silent.close();
  }

  @Test
  void a_lease_before_the_limit_of_the_state_decides_first() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings.maxProbeDuration(seconds(2)).maxWaitDurationInHalfOpenState(seconds(2)));
    Permit silent = openAndProbe(breaker);
    time.advance(seconds(2));

    assertThat(breaker).refusesCalls(RefusalReason.OPEN);

    assertThat(breaker).wasLastMovedBy(TransitionCause.PROBES_FAILED);
    silent.close();
  }

  @Test
  void probes_may_have_a_more_generous_slow_limit() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings
                    .slowCallDurationThreshold(millis(100))
                    .probeSlowCallDurationThreshold(seconds(1)));
    open(breaker);
    time.advance(WAIT);

    succeedAfter(seconds(1), breaker);

    assertThat(breaker).isClosed();
    assertThat(breaker.metrics().slow()).isZero();
  }

  @Test
  void probes_are_never_slow_where_their_limit_is_zero() {
    CircuitBreaker breaker =
        small(
            1,
            settings ->
                settings
                    .slowCallDurationThreshold(millis(100))
                    .probeSlowCallDurationThreshold(seconds(0)));
    open(breaker);
    time.advance(WAIT);

    succeedAfter(WAIT.minus(TICK), breaker);

    assertThat(breaker).isClosed();
  }

  @Test
  void a_probe_knows_that_it_is_one_so_that_its_caller_may_be_more_patient() {
    CircuitBreaker breaker = small(1);
    try (Permit ordinary = breaker.acquire()) {
      assertThat(ordinary.isProbe()).isFalse();
    }
    try (Permit probe = openAndProbe(breaker)) {
      assertThat(probe.isProbe()).isTrue();
    }
  }

  @Test
  void an_outage_that_outlasts_several_rounds_of_probes_never_gets_more_than_the_probes() {
    CircuitBreaker breaker = small(2);
    FlakyCall<String> stock = FlakyCall.returning("7", time).fail(1_000, IOException::new);
    IntStream.range(0, 600)
        .forEach(
            second -> {
              assertThatThrownBy(() -> breaker.call(stock)).isInstanceOf(Exception.class);
              time.advance(seconds(1));
            });

    // One call each second; the wait is over every fifth second and then one failed probe is
    // enough.
    assertThat(stock.calls()).isLessThanOrEqualTo(2 + 600 / 5);
    assertThat(breaker.metrics().refused()).containsEntry(RefusalReason.OPEN, 600 - stock.calls());
  }
}

package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What others' policies were seen to do wrong, each with the value that is right; the display names
 * bear the reports' ids: {@code B} for Resilience4j, {@code FS} Failsafe, {@code SE} Sentinel,
 * {@code HE} Helidon, and the issues of trackers.
 *
 * <p>Elsewhere are B31, FS-6, HE-6 and failsafe 328, 365, 393 ({@link BulkheadTest}, {@link
 * BulkheadThreadsTest}), FS-8 and r4j 2296 ({@link TimeoutThreadsTest}), HE-7 ({@link
 * HostilePoliciesTest}), B41 ({@link HedgeTest}), B38 ({@link RegistryTest}), r4j 804 and 1666
 * ({@link FallbackTest}), r4j 2103, 2383 and failsafe 303 ({@link PolicyPairsTest}); B1 to B24 and
 * what else is about breakers alone is in their own tests.
 *
 * <p>Some cannot happen here: B39 and B40 are about adapters to Reactor and Kotlin, B43 about
 * fallbacks found by reflection, B44 about meters. B32 is about bulkheads with threads of their
 * own.
 */
final class PolicyScenariosTest extends PolicyScenario {
  @ParameterizedTest
  @EnumSource
  @DisplayName("B25: a listener that throws at a success does not have the call made again")
  void a_listener_that_throws_at_a_success(Way way) throws Throwable {
    Retry retry = retry(s -> s.maxAttempts(5));
    retry.on(
        RetryEvent.Recovered.class,
        event -> {
          throw new IllegalStateException("listener");
        });
    Dependency dependency = dependency(down(), "stock");

    try (CapturedLog log = new CapturedLog()) {
      assertThat(call(way, retry, dependency)).isEqualTo("stock");
      assertThat(log.entries()).hasSize(1);
    }

    assertThat(dependency.calls()).isEqualTo(2);
    assertThat(retry.metrics()).isEqualTo(new RetryMetrics(1, 0, 1, 0, 0, 0, 0));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("B27, r4j 1565, 2368: a negative interval ends the retry with what is there")
  void a_negative_interval(Way way) throws Throwable {
    Retry retry =
        retry(s -> s.intervalFunction(attempt -> millis(-1)).retryOnResult("not yet"::equals));
    IOException down = down();

    assertThat(call(way, retry, dependency("not yet"))).isEqualTo("not yet");
    assertThat(failure(way, retry, dependency(down))).isSameAs(down);

    assertThat(retry.metrics().exhausted()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"STAGE", "PROXY_STAGE"})
  @DisplayName(
      "B28, r4j 1718: a later attempt that throws instead of starting is an attempt like any")
  void a_later_attempt_that_throws_instead_of_starting(Way way) throws Throwable {
    AtomicInteger attempts = new AtomicInteger();
    Dependency last = dependency("stock");
    Way.Client client =
        new Way.Client() {
          @Override
          public Object get() {
            throw new AssertionError("not called");
          }

          @Override
          public CompletableFuture<Object> getAsync() {
            return switch (attempts.incrementAndGet()) {
              case 1 -> CompletableFuture.failedFuture(down());
              case 2 -> throw new IllegalStateException("on attempt 2");
              default -> last.getAsync();
            };
          }
        };

    assertThat(way.call(pipeline(retry()), client, time)).isEqualTo("stock");

    assertThat(attempts).hasValue(3);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("r4j 2198: a predicate that throws does not leave the caller waiting")
  void a_predicate_that_throws(Way way) {
    Retry retry =
        retry(
            s ->
                s.retryOnException(
                    thrown -> {
                      throw new IllegalStateException("predicate");
                    }));
    IOException down = down();

    assertThat(failure(way, retry, dependency(down))).isSameAs(down);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("helidon 8974: a retry knows its exceptions in what executors wrap around them")
  void exceptions_in_wrappers(Way way) throws Throwable {
    Retry retry = retry(s -> s.retryExceptions(IOException.class));
    Dependency dependency = dependency(new CompletionException(down()), "stock");

    assertThat(call(way, retry, dependency)).isEqualTo("stock");
  }

  @Test
  @DisplayName(
      "B37, failsafe 115: jitter spreads waits at the longest wait too, and none is negative")
  void jitter_at_the_longest_wait() {
    AtomicInteger draws = new AtomicInteger();
    for (Jitter jitter : List.of(Jitter.FULL, Jitter.EQUAL, Jitter.DECORRELATED)) {
      RetryConfig config =
          RetryConfig.of(
              s ->
                  s.jitter(jitter)
                      .waitDuration(millis(100))
                      .maxWaitDuration(millis(200))
                      .random(() -> draws.getAndIncrement() % 100 / 100.0));
      Backoff backoff = new Backoff(Retry.create("retry", config), config);
      Set<Long> waits = new HashSet<>();
      for (int draw = 0; draw < 100; draw++) {
        waits.add(backoff.after(20));
      }

      assertThat(waits).hasSizeGreaterThan(50).allMatch(w -> w >= 0 && w <= 200_000_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("B39: calls that share a retry have all of its attempts each")
  void calls_that_share_a_retry(Way way) {
    Retry retry = retry();
    for (int call = 0; call < 3; call++) {
      Dependency dependency = dependency(down());

      assertThat(failure(way, retry, dependency)).hasMessage("down");

      assertThat(dependency.calls()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("B42: a listener that throws does not keep others from hearing")
  void listeners_after_one_that_throws(Way way) {
    for (Policy policy : List.of(retry(), timeout(), breaker())) {
      List<PolicyEvent> before = new ArrayList<>();
      List<PolicyEvent> after = new ArrayList<>();
      policy.on(PolicyEvent.class, before::add);
      policy.on(
          PolicyEvent.class,
          event -> {
            throw new IllegalStateException("listener");
          });
      policy.on(PolicyEvent.class, after::add);

      try (CapturedLog log = new CapturedLog()) {
        assertThat(failure(way, policy, dependency(down()))).hasMessage("down");
        assertThat(log.entries()).hasSize(1);
      }

      assertThat(after).isEqualTo(before).isNotEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("B29: a listener that throws costs no slot")
  void a_listener_that_throws_costs_no_slot(Way way) throws Throwable {
    Bulkhead bulkhead = bulkhead(2);
    bulkhead.on(
        PolicyEvent.class,
        event -> {
          throw new IllegalStateException("listener");
        });
    try (CapturedLog log = new CapturedLog()) {
      for (int call = 0; call < 3; call++) {
        assertThat(call(way, bulkhead, dependency("stock"))).isEqualTo("stock");
      }
      assertThat(log.entries()).hasSizeLessThan(2);
    }

    assertThat(bulkhead.metrics().running()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("B33, helidon 10824: calls that have ended leave no timer, whatever the limit")
  void calls_that_have_ended_leave_no_timer(Way way) throws Throwable {
    Timeout timeout = timeout(s -> s.timeoutDuration(Duration.ofHours(2)));
    for (int call = 0; call < 500; call++) {
      assertThat(call(way, timeout, dependency(after(millis(1), "stock")))).isEqualTo("stock");
      assertThat(failure(way, timeout, dependency(after(millis(1), down())))).hasMessage("down");
      assertThat(time.pendingTimers()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STAGE", "PROXY_STAGE"})
  @DisplayName("opossum 861: the timeout of one call ends no other")
  void the_timeout_of_one_call_ends_no_other(Way way) {
    Timeout timeout = timeout();
    Dependency hanging = dependency(hangs());
    Dependency good = dependency(after(millis(90), "stock"));
    CompletableFuture<Object> first = way.through(timeout, hanging).getAsync();
    time.advance(millis(50));
    CompletableFuture<Object> second = way.through(timeout, good).getAsync();

    time.advance(millis(90));

    assertThat(first).isCompletedExceptionally();
    assertThat(second).isCompletedWithValue("stock");
    assertThat(hanging.stopped()).isEqualTo(1);
    assertThat(good.stopped()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("B35, r4j 2194, 1283: a wait that is known to be in vain is not begun")
  void a_wait_that_is_in_vain(Way way) {
    RateLimiter limiter =
        limiter(1, s -> s.limitRefreshPeriod(Duration.ofMinutes(1)).timeoutDuration(millis(400)));
    limiter.acquire();

    assertThat(failure(way, limiter, dependency("stock")))
        .isInstanceOf(RequestNotPermittedException.class);

    assertThat(time.elapsed()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("SE-6, sentinel 1638: a probe that a policy further in refuses gives its slot back")
  void a_probe_that_a_policy_further_in_refuses(Way way) throws Throwable {
    RateLimiter limiter = refusingLimiter(1);
    Bulkhead bulkhead = bulkhead(1);
    for (Policy refusing : List.of(limiter, bulkhead)) {
      CircuitBreaker breaker = breaker(s -> s.permittedNumberOfCallsInHalfOpenState(1));
      breaker.transitionTo(CircuitBreaker.State.HALF_OPEN);
      Pipeline<Object> pipeline = pipeline(breaker, refusing);
      limiter.acquire();
      BulkheadSlot slot = bulkhead.acquire();

      assertThat(failure(way, pipeline, dependency("stock")))
          .isInstanceOf(CallRejectedException.class)
          .isNotInstanceOf(CallNotPermittedException.class);
      assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.HALF_OPEN);
      assertThat(breaker.metrics().ignored()).isEqualTo(1);

      slot.close();
      time.advance(Duration.ofSeconds(1));
      assertThat(call(way, pipeline, dependency("stock"))).isEqualTo("stock");
      assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.CLOSED);
      time.advance(Duration.ofSeconds(1));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STAGE", "PROXY_STAGE"})
  @DisplayName("FS-10: a probe whose future is cancelled gives its slot back, through all policies")
  void a_probe_that_is_cancelled(Way way) throws Throwable {
    CircuitBreaker breaker = breaker(s -> s.permittedNumberOfCallsInHalfOpenState(1));
    breaker.transitionTo(CircuitBreaker.State.HALF_OPEN);
    Pipeline<Object> pipeline =
        pipeline(fallback(), retry(), breaker, limiter(9), bulkhead(1), timeout());
    Dependency dependency = dependency(hangs(), "stock");

    way.through(pipeline, dependency).getAsync().cancel(true);

    assertThat(breaker.metrics().cancelled()).isEqualTo(1);
    assertThat(dependency.stopped()).isEqualTo(1);
    assertThat(call(way, pipeline, dependency)).isEqualTo("stock");
    assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.CLOSED);
  }

  @ParameterizedTest
  @EnumSource(names = {"STAGE", "PROXY_STAGE"})
  @DisplayName("failsafe-go 141: a budget that is used up prevents an attempt and ends none")
  void a_budget_that_is_used_up_ends_no_attempt(Way way) throws Throwable {
    RetryBudget none = RetryBudget.create(1, 0, time);
    Hedge hedge = hedge(way, s -> s.budget(none));
    Dependency dependency = dependency(after(millis(80), "stock"));

    assertThat(call(way, hedge, dependency)).isEqualTo("stock");

    assertThat(dependency.calls()).isEqualTo(1);
    assertThat(hedge.metrics().withoutBudget()).isEqualTo(1);
    assertThat(dependency.stopped()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "envoy-mobile 811, failsafe-go 139: retries do not lower what the budget is a share of")
  void retries_do_not_lower_their_own_budget(Way way) {
    RetryBudget half = RetryBudget.create(50, 0, time);
    Retry retry = retry(s -> s.maxAttempts(2).budget(half).waitDuration(Duration.ZERO));
    Dependency dependency = dependency(down());
    for (int call = 0; call < 100; call++) {
      assertThat(failure(way, retry, dependency)).hasMessage("down");
    }

    assertThat(dependency.calls()).isEqualTo(150);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("r4j 1624: a call that was given up is not made again")
  void a_call_that_was_given_up(Way way) {
    Dependency dependency = dependency(new CancellationException("given up"));

    assertThat(failure(way, retry(), dependency)).isInstanceOf(CancellationException.class);

    assertThat(dependency.calls()).isEqualTo(1);
  }
}

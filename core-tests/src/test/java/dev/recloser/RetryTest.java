package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Attempts, waits and limits of a retry; plain calls and stages alike. */
final class RetryTest extends PolicyScenario {
  private final List<Duration> attempts = new ArrayList<>();

  private Retry growing(Consumer<RetryConfig.Builder> settings) {
    return Retry.create(
        "inventory",
        RetryConfig.of(
                s -> s.ticker(time).scheduler(time).jitter(Jitter.NONE).waitDuration(millis(100)))
            .with(settings));
  }

  /** Makes a call that ends in turn as the outcomes say: a Throwable is thrown. */
  private Object call(Way way, Policy policy, Object... outcomes) throws Throwable {
    Dependency dependency = dependency(outcomes);
    try {
      return call(way, policy, dependency);
    } finally {
      attempts.addAll(dependency.begun());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_call_that_succeeds_is_made_once(Way way) throws Throwable {
    Retry retry = growing(s -> {});

    assertThat(call(way, retry, "stock")).isEqualTo("stock");

    assertThat(attempts).hasSize(1);
    assertThat(retry.metrics()).isEqualTo(new RetryMetrics(0, 1, 0, 0, 0, 0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void a_failed_call_is_made_again_after_growing_waits(Way way) throws Throwable {
    Retry retry = growing(s -> s.maxAttempts(4));
    IOException down = new IOException("down");

    assertThat(call(way, retry, down, down, down, "stock")).isEqualTo("stock");

    assertThat(attempts).containsExactly(millis(0), millis(100), millis(300), millis(700));
    assertThat(retry.metrics()).isEqualTo(new RetryMetrics(3, 0, 1, 0, 0, 0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void the_last_failure_reaches_the_caller_with_the_others_suppressed(Way way) {
    IOException first = new IOException("first");
    IOException last = new IOException("last");

    assertThat(catchThrowable(() -> call(way, growing(s -> s.maxAttempts(2)), first, last)))
        .isSameAs(last)
        .satisfies(
            thrown -> {
              assertThat(thrown.getSuppressed()).contains(first).hasSize(2);
              assertThat(RetryTrail.of(thrown))
                  .hasValueSatisfying(
                      trail -> {
                        assertThat(trail.attempts()).isEqualTo(2);
                        assertThat(trail.reason()).isEqualTo(RetryEnd.ATTEMPTS);
                        assertThat(trail)
                            .hasMessage(
                                "inventory made 2 attempts, with waits of 100 ms in all, and no"
                                    + " other: ATTEMPTS");
                      });
            });
  }

  @ParameterizedTest
  @EnumSource
  void a_result_can_be_retried_and_is_returned_in_the_end(Way way) throws Throwable {
    Retry retry = growing(s -> s.retryOnResult("not yet"::equals).maxAttempts(2));

    assertThat(call(way, retry, "not yet")).isEqualTo("not yet");

    assertThat(attempts).hasSize(2);
    assertThat(retry.metrics()).isEqualTo(new RetryMetrics(1, 0, 0, 0, 1, 0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void what_is_not_a_failure_is_not_retried(Way way) {
    Retry retry =
        growing(
            s ->
                s.retryExceptions(IOException.class).ignoreExceptions(IllegalStateException.class));

    assertThatThrownBy(() -> call(way, retry, new IllegalArgumentException()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> call(way, retry, new CancellationException()))
        .isInstanceOf(CancellationException.class);

    assertThat(attempts).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void a_refusal_by_an_open_breaker_is_not_retried(Way way) {
    CircuitBreaker breaker = CircuitBreaker.create("inventory", s -> s.ticker(time));
    breaker.transitionTo(CircuitBreaker.State.OPEN);
    Pipeline<Object> pipeline = pipeline(growing(s -> {}), breaker);

    assertThatThrownBy(() -> call(way, pipeline, dependency("stock")))
        .isInstanceOf(CallNotPermittedException.class);

    assertThat(breaker.metrics().totalRefused()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void a_refusal_by_an_open_breaker_is_judged_like_anything_else_if_that_is_wanted(Way way)
      throws Throwable {
    CircuitBreaker breaker = CircuitBreaker.create("inventory", s -> s.ticker(time));
    breaker.transitionTo(CircuitBreaker.State.OPEN, millis(250));
    Retry listed =
        growing(s -> s.retryRefusals(true).retryExceptions(CallNotPermittedException.class));

    assertThat(call(way, pipeline(listed, breaker), dependency("stock"))).isEqualTo("stock");

    assertThat(time.elapsed()).as("waits of the retry: 100 ms and 200 ms").isEqualTo(millis(300));
    assertThat(breaker.metrics().totalRefused()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void a_refusal_that_is_judged_is_a_failure_only_where_its_type_is_named(Way way) {
    CircuitBreaker breaker = CircuitBreaker.create("inventory", s -> s.ticker(time));
    breaker.transitionTo(CircuitBreaker.State.OPEN);
    Pipeline<Object> pipeline = pipeline(growing(s -> s.retryRefusals(true)), breaker);

    assertThatThrownBy(() -> call(way, pipeline, dependency("stock")))
        .isInstanceOf(CallNotPermittedException.class);

    assertThat(breaker.metrics().totalRefused()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void a_refusal_by_an_open_breaker_can_be_waited_for(Way way) throws Throwable {
    CircuitBreaker breaker = CircuitBreaker.create("inventory", s -> s.ticker(time));
    breaker.transitionTo(CircuitBreaker.State.OPEN, millis(400));
    Retry retry = growing(s -> s.waitForCircuitBreaker(true).maxElapsedTime(millis(500)));
    Pipeline<Object> pipeline = pipeline(retry, breaker);

    assertThat(call(way, pipeline, dependency("stock"))).isEqualTo("stock");

    assertThat(time.elapsed()).isEqualTo(millis(400));
  }

  @ParameterizedTest
  @EnumSource
  void a_wait_that_would_end_after_the_time_limit_is_not_waited_for(Way way) {
    Retry retry = growing(s -> s.maxAttempts(10).maxElapsedTime(millis(300)));

    assertThatThrownBy(() -> call(way, retry, new IOException("down")))
        .isInstanceOf(IOException.class);

    assertThat(attempts).containsExactly(millis(0), millis(100), millis(300));
    assertThat(time.elapsed()).isEqualTo(millis(300));
  }

  @ParameterizedTest
  @EnumSource
  void retry_after_lengthens_the_wait_up_to_the_longest(Way way) throws Throwable {
    Retry retry =
        growing(
            s ->
                s.retryAfter((result, thrown) -> Duration.ofHours(1))
                    .maxWaitDuration(Duration.ofSeconds(2)));

    call(way, retry, new IOException("down"), "stock");

    assertThat(attempts).containsExactly(millis(0), millis(2_000));
  }

  @Test
  void a_budget_bounds_what_a_failing_dependency_sees() {
    RetryBudget budget = RetryBudget.create(20, 1, time);
    Retry retry = growing(s -> s.budget(budget).waitDuration(Duration.ZERO));

    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> call(Way.PLAIN, retry, new IOException("down")))
          .isInstanceOf(IOException.class);
    }

    // A fifth of a hundred calls, and ten seconds' worth of one a second.
    assertThat(attempts).hasSize(100 + 20 + 10);
    assertThat(retry.metrics().withoutBudget()).isPositive();
  }

  @Test
  void no_wait_exceeds_the_longest_at_any_attempt_with_any_jitter() {
    for (Jitter jitter : Jitter.values()) {
      RetryConfig config =
          RetryConfig.of(
              s ->
                  s.jitter(jitter)
                      .waitDuration(millis(100))
                      .maxWaitDuration(Duration.ofSeconds(5))
                      .random(() -> 1));
      Backoff backoff = new Backoff(Retry.create("inventory", config), config);
      for (int attempt = 1; attempt < 5_000; attempt++) {
        assertThat(backoff.after(attempt)).isBetween(0L, 5_000_000_000L);
      }
      assertThat(backoff.after(Integer.MAX_VALUE)).isEqualTo(5_000_000_000L);
    }
  }

  @Test
  void cancelling_the_future_cancels_the_attempt_and_the_timer() {
    Retry retry = growing(s -> {});
    List<CompletableFuture<String>> made = new ArrayList<>();
    CompletableFuture<String> later =
        retry.callAsync(
            () -> {
              made.add(new CompletableFuture<>());
              return made.get(made.size() - 1);
            });

    made.get(0).completeExceptionally(new IOException("down"));
    assertThat(time.pendingTimers()).isEqualTo(1);
    later.cancel(true);

    assertThat(time.pendingTimers()).isZero();
    assertThat(made).hasSize(1);

    CompletableFuture<String> another =
        retry.callAsync(
            () -> {
              made.add(new CompletableFuture<>());
              return made.get(made.size() - 1);
            });
    another.cancel(true);
    assertThat(made.get(1)).isCancelled();
  }

  @Test
  void an_interrupt_ends_the_waiting_with_the_last_failure() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> call(Way.PLAIN, growing(s -> {}), new IOException("down")))
        .isInstanceOf(IOException.class);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(attempts).hasSize(1);
  }

  @Test
  void user_code_that_throws_costs_no_more_than_its_own_effect() throws Throwable {
    Retry retry =
        growing(
            s ->
                s.intervalFunction(
                        attempt -> {
                          throw new IllegalStateException("broken");
                        })
                    .retryAfter(
                        (result, thrown) -> {
                          throw new IllegalStateException("broken");
                        }));

    call(Way.PLAIN, retry, new IOException("down"), "stock");

    assertThat(attempts).containsExactly(millis(0), millis(100));
  }

  @Test
  void all_faults_are_told_at_once() {
    assertThatThrownBy(
            () ->
                RetryConfig.of(
                    s ->
                        s.maxAttempts(0)
                            .waitDuration(millis(-1))
                            .exponentialBackoffMultiplier(0.5)
                            .retryRefusals(true)
                            .waitForCircuitBreaker(true)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            """
            A retry cannot be configured like this:
              - maxAttempts: 0 (expected: at least 1)
              - waitDuration: -1 ms (expected: zero or more, at most 36,500 days)
              - exponentialBackoffMultiplier: 0.5 (expected: 1 to 1,000,000)
              - waitForCircuitBreaker: true without maxElapsedTime (expected: a limit to what is\
             waited for)
              - retryRefusals: true together with waitForCircuitBreaker (expected: one of the\
             two)""");
  }
}

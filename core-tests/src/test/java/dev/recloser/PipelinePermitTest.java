package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that go through a pipeline by hand. */
class PipelinePermitTest {
  private static final Duration LIMIT = Duration.ofMillis(200);

  private final FakeTime time = FakeTime.create();
  private final CircuitBreaker breaker = CircuitBreaker.create("inventory", s -> s.ticker(time));
  private final Bulkhead bulkhead =
      Bulkhead.create("inventory", s -> s.maxConcurrentCalls(1).scheduler(time));
  private final RateLimiter limiter =
      RateLimiter.create(
          "inventory",
          s -> s.limitForPeriod(3).timeoutDuration(Duration.ZERO).ticker(time).scheduler(time));
  private final Timeout timeout =
      Timeout.create("inventory", s -> s.timeoutDuration(LIMIT).ticker(time).scheduler(time));
  private final Pipeline<String> pipeline =
      Pipeline.create(
          "orders",
          p -> p.circuitBreaker(breaker).rateLimiter(limiter).bulkhead(bulkhead).timeout(timeout));

  @AfterEach
  void nothing_is_left() {
    assertThat(bulkhead.metrics().running()).isZero();
    assertThat(breaker.snapshot().callsInFlight()).isZero();
    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void every_policy_lets_it_in_and_learns_of_its_end() {
    try (Permit permit = pipeline.acquire()) {
      assertThat(bulkhead.metrics().running()).isEqualTo(1);
      assertThat(permit.isProbe()).isFalse();
      permit.complete("stock");
      permit.fail(new IOException("a second end does nothing"));
    }
    Permit permit = pipeline.acquire();
    permit.fail(new IOException("down"));
    permit.close();

    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
    assertThat(breaker.metrics().failed()).isEqualTo(1);
    assertThat(limiter.metrics().admitted()).isEqualTo(2);
    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(1, 1, 0));
  }

  @Test
  void one_that_took_too_long_is_a_timed_out_failure_whatever_it_says() {
    for (int way = 0; way < 3; way++) {
      Permit permit = pipeline.acquire();
      time.advance(LIMIT);
      switch (way) {
        case 0 -> permit.complete("stock");
        case 1 -> permit.record(Outcome.SUCCESS);
        default -> permit.close();
      }
    }

    assertThat(breaker.metrics().failed()).isEqualTo(3);
    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(0, 0, 3));
  }

  @Test
  void the_callers_own_verdict_reaches_the_breaker() {
    pipeline.acquire().record(Outcome.IGNORED);
    pipeline.acquire().record(Outcome.FAILURE, "503");
    pipeline.acquire().close();

    assertThat(breaker.metrics().ignored()).isEqualTo(1);
    assertThat(breaker.metrics().failed()).isEqualTo(1);
    assertThat(breaker.metrics().cancelled()).isEqualTo(1);
  }

  @Test
  void a_refusal_further_in_ends_it_for_those_that_let_it_in() {
    Permit first = pipeline.acquire();

    assertThatThrownBy(pipeline::acquire).isInstanceOf(BulkheadFullException.class);
    assertThat(pipeline.tryAcquire()).isNull();
    first.complete("stock");

    assertThat(breaker.metrics().ignored()).isEqualTo(2);
    assertThat(Objects.requireNonNullElse(pipeline.tryAcquire(), first)).isSameAs(first);
  }

  @Test
  void a_probe_says_so() {
    breaker.transitionTo(CircuitBreaker.State.HALF_OPEN);

    try (Permit probe = pipeline.acquire()) {
      assertThat(probe.isProbe()).isTrue();
    }
  }

  @Test
  void policies_that_make_calls_themselves_cannot_be_entered_by_hand() {
    Retry retry = Retry.create("inventory", s -> s.ticker(time).scheduler(time));
    Pipeline<String> retried = Pipeline.create("orders", p -> p.bulkhead(bulkhead).retry(retry));

    assertThatThrownBy(retried::acquire)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("retry inventory maxAttempts 3")
        .hasMessageContaining("cannot be entered by hand");
    assertThatThrownBy(retried::tryAcquire).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void trying_to_is_no_failed_call_of_the_policies_that_could() {
    Retry retry = Retry.create("inventory", s -> s.ticker(time).scheduler(time));
    Pipeline<String> retried =
        Pipeline.create("orders", p -> p.circuitBreaker(breaker).rateLimiter(limiter).retry(retry));

    assertThatThrownBy(retried::acquire).isInstanceOf(IllegalStateException.class);

    assertThat(breaker.metrics().admitted()).isZero();
    assertThat(limiter.metrics().admitted()).isZero();
  }

  @Test
  void an_adaptive_limit_learns_from_it_as_from_a_call() {
    assertThat(limitAfterFailures(permit -> permit.fail(new IOException("down")))).isLessThan(20);
    assertThat(limitAfterFailures(permit -> permit.record(Outcome.FAILURE))).isLessThan(20);
    assertThat(limitAfterFailures(permit -> permit.record(Outcome.FAILURE, "503"))).isLessThan(20);
    assertThat(limitAfterFailures(permit -> permit.record(Outcome.IGNORED))).isEqualTo(20);
    assertThat(limitAfterFailures(permit -> permit.complete("stock"))).isEqualTo(20);
    assertThat(limitAfterFailures(Permit::close)).isEqualTo(20);
  }

  private int limitAfterFailures(Consumer<Permit> end) {
    Bulkhead adaptive =
        Bulkhead.create(
            "inventory",
            s -> s.ticker(time).scheduler(time).adaptiveLimit(l -> l.initialLimit(20)));
    Pipeline<String> limited = Pipeline.create("orders", p -> p.bulkhead(adaptive));
    for (int i = 0; i < 100; i++) {
      Permit permit = limited.acquire();
      time.advance(Duration.ofMillis(1));
      end.accept(permit);
    }
    assertThat(adaptive.metrics().running()).isZero();
    return adaptive.metrics().limit();
  }

  @Test
  void a_pipeline_without_policies_lets_everything_in() {
    try (Permit permit = Pipeline.create("orders", p -> {}).acquire()) {
      permit.complete(null);
    }
  }

  @Test
  void no_time_left_means_no_call() {
    assertThatThrownBy(() -> Deadline.after(Duration.ZERO, time).call(() -> pipeline.acquire()))
        .isInstanceOf(DeadlineExceededException.class);

    assertThat(breaker.metrics().ignored()).isEqualTo(1);
  }
}

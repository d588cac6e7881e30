package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The order of policies, and what follows from it. */
final class PipelineTest {
  private final FakeTime time = FakeTime.create();
  private final CircuitBreaker breaker =
      CircuitBreaker.create("inventory", s -> s.slidingWindowSize(4).ticker(time));
  private final Retry retry =
      Retry.create("again", s -> s.waitDuration(Duration.ofMillis(1)).ticker(time).scheduler(time));

  @Test
  void without_policies_it_only_calls() throws IOException {
    Pipeline<String> pipeline = Pipeline.create("nothing", p -> {});

    assertThat(pipeline.call(() -> "stock")).isEqualTo("stock");
    assertThat(pipeline.callAsync(() -> CompletableFuture.completedFuture("stock")).join())
        .isEqualTo("stock");
    assertThatThrownBy(() -> pipeline.call(() -> fail())).isInstanceOf(IOException.class);
    assertThat(pipeline.describe()).isEqualTo("nothing:\n  the call");
  }

  @Test
  void a_breaker_inside_a_retry_counts_attempts() {
    Pipeline<String> pipeline =
        Pipeline.create("orders", p -> p.retry(retry).circuitBreaker(breaker));

    assertThatThrownBy(() -> pipeline.call(() -> fail())).isInstanceOf(IOException.class);

    assertThat(breaker.metrics().failed()).isEqualTo(3);
    assertThat(pipeline.describe()).contains("; counts each attempt");
  }

  @Test
  void a_breaker_around_a_retry_counts_whole_calls() {
    Pipeline<String> pipeline =
        Pipeline.create("orders", p -> p.circuitBreaker(breaker).retry(retry));

    assertThatThrownBy(() -> pipeline.call(() -> fail())).isInstanceOf(IOException.class);

    assertThat(breaker.metrics().failed()).isEqualTo(1);
    assertThat(pipeline.describe())
        .contains("; counts whole calls, however many attempts they take");
  }

  @Test
  void an_answer_says_where_it_came_from() throws IOException {
    Pipeline<String> pipeline = Pipeline.create("orders", p -> p.circuitBreaker(breaker));

    assertThat(pipeline.answer(() -> "stock"))
        .isEqualTo(new Answer<>("stock", Answer.Source.LIVE, Duration.ZERO));
  }

  @Test
  void it_has_a_name() {
    assertThatThrownBy(() -> Pipeline.create(" ", p -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name: \" \" (expected: not blank)");
  }

  private static String fail() throws IOException {
    throw new IOException("down");
  }

  @Test
  void orders_and_settings_that_cannot_do_what_they_look_like_are_warned_of() {
    CircuitBreaker slow =
        CircuitBreaker.create(
            "slow", s -> s.slowCallDurationThreshold(Duration.ofSeconds(2)).ticker(time));
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p ->
                p.timeout(Duration.ofMillis(500))
                    .retry(s -> s.waitDuration(Duration.ZERO).maxWaitDuration(Duration.ZERO))
                    .fallback(rules -> rules.onRefusal(() -> "nothing"))
                    .circuitBreaker(slow)
                    .timeout(Duration.ofMillis(200)));

    assertThat(pipeline.warnings())
        .extracting(PipelineWarning::toString)
        .containsExactly(
            "attempts-beyond-timeout: 3 attempts of up to 200 ms do not fit into the 500 ms around"
                + " them; allow fewer attempts, or less time for each",
            "retry-without-pause: up to 3 attempts without a pause fill the window of slow with one"
                + " failure; set a waitDuration, or put the breaker around the retry",
            "fallback-inside-retry: the fallback inside the retry orders answers failures, which the"
                + " retry then takes for successes; put the fallback outside the retry",
            "slow-limit-at-timeout: no call can be slower than the slowCallDurationThreshold of"
                + " slow, 2 s, for the timeout inside ends it after 200 ms; set the threshold"
                + " between the usual p99 and the timeout");
  }

  @Test
  void a_warning_has_the_policy_it_is_about_and_needs_no_pipeline() {
    CircuitBreaker fast = slowLimit("fast", Duration.ofMillis(100));
    CircuitBreaker slow = slowLimit("slow", Duration.ofSeconds(2));
    Timeout timeout = Timeout.create("orders", Duration.ofMillis(200));

    assertThat(PipelineWarning.of(List.of(fast, slow, timeout)))
        .singleElement()
        .extracting(PipelineWarning::policy)
        .isSameAs(slow);
    assertThat(PipelineWarning.of(List.of(fast, timeout))).isEmpty();
  }

  private CircuitBreaker slowLimit(String name, Duration limit) {
    return CircuitBreaker.create(name, s -> s.slowCallDurationThreshold(limit).ticker(time));
  }

  @Test
  void a_slow_limit_that_a_timeout_around_the_breaker_cuts_off_is_warned_of() {
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p ->
                p.timeout(Duration.ofMillis(200))
                    .circuitBreaker(s -> s.slowCallDurationThreshold(Duration.ofMillis(500))));

    assertThat(pipeline.warnings())
        .extracting(PipelineWarning::toString)
        .containsExactly(
            "slow-limit-at-timeout: no call can be slower than the slowCallDurationThreshold of"
                + " orders, 500 ms, for the timeout around it ends it after 200 ms; set the"
                + " threshold between the usual p99 and the timeout");
  }

  @Test
  void a_call_without_a_result_goes_through_all_policies() throws IOException {
    Pipeline<String> pipeline = Pipeline.create("orders", p -> p.retry(retry));
    List<String> made = new ArrayList<>();

    pipeline.run(
        () -> {
          made.add("attempt");
          if (made.size() == 1) {
            fail();
          }
        });

    assertThat(made).hasSize(2);
  }

  @Test
  void the_order_that_is_right_for_most_has_nothing_to_warn_of() {
    CircuitBreaker inventory =
        CircuitBreaker.create(
            "inventory", s -> s.slowCallDurationThreshold(Duration.ofMillis(150)).ticker(time));
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders-to-inventory",
            p ->
                p.fallback(rules -> rules.onRefusal(() -> "nothing"))
                    .retry(retry)
                    .circuitBreaker(inventory)
                    .rateLimiter(s -> s.limitForPeriod(100))
                    .bulkhead(s -> s.maxConcurrentCalls(20))
                    .timeout(Duration.ofMillis(200)));

    assertThat(pipeline.warnings()).isEmpty();
    assertThat(pipeline.describe())
        .containsSubsequence(
            "orders-to-inventory:",
            "\n  fallback ",
            "\n  retry ",
            "\n  circuitBreaker ",
            "\n  rateLimiter ",
            "\n  bulkhead ",
            "\n  timeout ",
            "\n  the call");
  }

  @Test
  void warnings_can_be_errors_and_are_then_told_all_at_once() {
    assertThatThrownBy(
            () ->
                Pipeline.<String>create(
                    "orders",
                    p ->
                        p.warningsAreErrors(true)
                            .circuitBreaker(s -> {})
                            .hedge(s -> s.idempotent(true).delay(Duration.ofSeconds(1)))
                            .fallback(f -> f.onRefusal(() -> "instead"))
                            .timeout(Duration.ofMillis(500))))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("Pipeline orders")
        .hasMessageContaining("fallback-inside-breaker: the fallback inside the circuit breaker")
        .hasMessageContaining("hedge-after-timeout: no attempt goes on for the 1 s");
    assertThat(
            Pipeline.<String>create("orders", p -> p.warningsAreErrors(true).retry(s -> {}))
                .warnings())
        .isEmpty();
  }

  @Test
  void a_fallback_that_keeps_what_others_take_for_failures_is_warned_of() {
    assertThat(
            Pipeline.<Integer>create(
                    "orders",
                    p ->
                        p.fallback(f -> f.stale(Duration.ofMinutes(5)))
                            .retry(c -> c.retryOnResult(result -> result.equals(500))))
                .warnings())
        .extracting(PipelineWarning::toString)
        .containsExactly(
            "stale-failed-results: the fallback of orders keeps results as good answers that are"
                + " failures by the retryOnResult of orders; set the same as recordResult of the"
                + " fallback");
    assertThat(
            Pipeline.<Integer>create(
                    "orders",
                    p ->
                        p.fallback(f -> f.recordResult(r -> r == 500).stale(Duration.ofMinutes(5)))
                            .circuitBreaker(c -> c.recordResult(result -> result.equals(500))))
                .warnings())
        .isEmpty();
  }

  @Test
  void a_fallback_whose_other_call_has_no_timeout_is_warned_of() {
    Pipeline<String> endless = Pipeline.create("replica", p -> p.circuitBreaker(s -> {}));
    Pipeline<String> limited = Pipeline.create("replica", p -> p.timeout(Duration.ofMillis(200)));

    assertThat(
            Pipeline.<String>create(
                    "orders",
                    p -> p.fallback(f -> f.otherCall(endless, () -> "other")).retry(retry))
                .warnings())
        .extracting(PipelineWarning::toString)
        .containsExactly(
            "fallback-without-limit: the fallback of orders makes another call through replica,"
                + " which has no timeout, so that it may hang as the first one did; add a timeout to"
                + " replica");
    assertThat(
            Pipeline.<String>create(
                    "orders", p -> p.fallback(f -> f.otherCall(limited, () -> "other")))
                .warnings())
        .isEmpty();
    assertThat(
            Pipeline.<String>create(
                    "orders",
                    p ->
                        p.timeout(Duration.ofSeconds(1))
                            .fallback(f -> f.otherCall(endless, () -> "other")))
                .warnings())
        .isEmpty();
  }

  @Test
  void policies_say_what_they_are() {
    assertThat(Timeout.create("inventory", Duration.ofMillis(200)))
        .hasToString("timeout inventory timeoutDuration 200 ms");
  }

  @Test
  void a_retry_tells_of_the_calls_that_it_did_not_make_again() {
    Retry retry = Retry.create("inventory", c -> c.ignoreExceptions(IOException.class));

    assertThatThrownBy(() -> retry.call(() -> fail())).isInstanceOf(IOException.class);

    assertThat(retry.explain()).contains("1 were not to be made again");
  }
}

package dev.recloser.console;

import static dev.recloser.console.Requests.get;
import static dev.recloser.console.Requests.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.BulkheadConfig;
import dev.recloser.Policies;
import dev.recloser.RateLimiterConfig;
import dev.recloser.Retry;
import dev.recloser.RetryBudget;
import dev.recloser.RetryConfig;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What stands beside a breaker. */
final class PolicyRowTest {
  private final FakeTime time = FakeTime.create();
  private final Policies policies = Policies.create();
  private final ConsoleHandler panel = ConsoleHandler.create(policies);

  @Test
  void a_retry_says_by_how_much_it_multiplies_the_load() {
    Retry retry =
        policies
            .retries()
            .retry("r", RetryConfig.of(c -> c.maxAttempts(4).ticker(time).scheduler(time)));
    assertThat(only().get("now").has("attemptsPerCall")).as("no call yet").isFalse();
    retry.run(() -> {});
    Throwable unused =
        catchThrowable(
            () ->
                retry.run(
                    () -> {
                      throw new IllegalStateException();
                    }));
    assertThat(only().at("/now/attemptsPerCall").asDouble()).isEqualTo(2.5);
    assertThat(only().at("/counts/retries").asInt()).isEqualTo(3);
    assertThat(only().at("/counts/calls").asInt()).isEqualTo(2);
  }

  @Test
  void a_budget_without_limit_is_not_a_number() {
    var unused =
        policies.retries().retry("r", RetryConfig.of(c -> c.budget(RetryBudget.unlimited())));
    assertThat(only().get("now").has("budgetLeft")).isFalse();
    assertThat(only().get("explain").asString()).endsWith("; the budget has no limit.");
  }

  @Test
  void one_that_cannot_be_read_costs_the_others_nothing() {
    AtomicBoolean broken = new AtomicBoolean();
    var unused =
        policies
            .rateLimiters()
            .rateLimiter("a", RateLimiterConfig.of(c -> c.ticker(() -> nanoTime(broken))));
    var other = policies.timeouts().timeout("b");

    broken.set(true);

    assertThat(only().get("name").asString()).isEqualTo(other.name());
  }

  private static long nanoTime(AtomicBoolean broken) {
    if (broken.get()) {
      throw new IllegalStateException("no clock");
    }
    return 0;
  }

  @Test
  void an_adaptive_limit_says_where_it_may_go_and_what_it_takes_for_normal() {
    var unused =
        policies
            .bulkheads()
            .bulkhead(
                "b",
                BulkheadConfig.of(
                    c ->
                        c.maxQueuedCalls(7)
                            .maxWaitDuration(Duration.ofSeconds(1))
                            .adaptiveLimit(
                                a ->
                                    a.minLimit(2)
                                        .maxLimit(50)
                                        .baselineLatency(Duration.ofNanos(12_500_000)))));
    JsonNode now = only().get("now");
    assertThat(now.get("minLimit").asInt()).isEqualTo(2);
    assertThat(now.get("maxLimit").asInt()).isEqualTo(50);
    assertThat(now.get("limit").asInt()).isBetween(2, 50);
    assertThat(now.get("maxQueuedCalls").asInt()).isEqualTo(7);
    assertThat(now.get("baselineLatencyMillis").asDouble()).isEqualTo(12.5);
  }

  @Test
  void a_fixed_limit_has_no_baseline() {
    var unused = policies.bulkheads().bulkhead("b");
    assertThat(only().get("now").propertyNames())
        .containsExactly("running", "waiting", "limit", "mostRunning", "maxQueuedCalls");
  }

  private JsonNode only() {
    JsonNode all = json(panel.answer(get("/api/policies"))).get("policies");
    assertThat(all).hasSize(1);
    return all.get(0);
  }
}

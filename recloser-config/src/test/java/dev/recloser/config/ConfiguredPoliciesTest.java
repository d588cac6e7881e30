package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.CallRejectedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.Fallback;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Pipeline;
import dev.recloser.Policy;
import dev.recloser.PolicyEvent;
import dev.recloser.RateLimiter;
import dev.recloser.Retry;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConfiguredPoliciesTest {
  private static final String TEXT =
      """
      recloser:
        circuitbreaker.instances.inventory: {slidingWindowSize: 7}
        retry.instances.inventory: {maxAttempts: 2, waitDuration: 0, retryBudgetPercentage: 50}
        hedge.instances.inventory: {idempotent: true}
        bulkhead.instances.inventory: {maxConcurrentCalls: 3}
        ratelimiter.instances.inventory: {limitForPeriod: 5}
        timelimiter.instances.inventory: {timeoutDuration: 300ms}
        pipelines:
          orders: [retry: inventory, circuitbreaker: inventory, timeout]
          reports: [circuitbreaker: inventory, ratelimiter: inventory, bulkhead: inventory]
      """;

  private final FakeTime time = FakeTime.create();
  private final ConfiguredPolicies policies = load(TEXT).policies();

  @Test
  void there_is_one_policy_for_each_kind_and_name() {
    assertThat(policies.circuitBreaker("inventory").config().slidingWindowCalls()).isEqualTo(7);
    assertThat(policies.retry("inventory").config().maxAttempts()).isEqualTo(2);
    assertThat(policies.hedge("inventory").config().maxAttempts()).isEqualTo(2);
    assertThat(policies.bulkhead("inventory").config().maxConcurrentCalls()).isEqualTo(3);
    assertThat(policies.rateLimiter("inventory").config().limitForPeriod()).isEqualTo(5);
    assertThat(policies.timeout("inventory").config().timeoutDuration())
        .isEqualTo(Duration.ofMillis(300));
    assertThat(policies.timeout("orders")).isSameAs(policies.timeout("orders"));
    assertThat(policies.all())
        .extracting(Policy::name)
        .containsExactly(
            "inventory", "inventory", "inventory", "inventory", "inventory", "inventory", "orders");
  }

  @Test
  void pipelines_share_the_policies_that_they_name() throws Exception {
    Pipeline<String> orders = policies.pipeline("orders");
    Pipeline<String> reports = policies.pipeline("reports");

    assertThat(orders.call(() -> "one")).isEqualTo("one");
    assertThat(reports.call(() -> "two")).isEqualTo("two");

    assertThat(policies.circuitBreaker("inventory").metrics().succeeded()).isEqualTo(2);
    assertThat(policies.bulkhead("inventory").metrics().admitted()).isEqualTo(1);
  }

  @Test
  void a_pipeline_takes_a_fallback_around_its_policies() throws Exception {
    policies.circuitBreaker("inventory").transitionTo(CircuitBreaker.State.FORCED_OPEN);
    Pipeline<String> unguarded = policies.pipeline("orders");
    Pipeline<String> byRules = policies.pipeline("orders", rules -> rules.onRefusal(() -> "none"));
    Pipeline<String> shared =
        policies.pipeline("orders", Fallback.<String>of(rules -> rules.onRefusal(() -> "less")));

    assertThat(catchThrowable(() -> unguarded.call(() -> "some")))
        .isInstanceOf(CallRejectedException.class);
    assertThat(byRules.call(() -> "some")).isEqualTo("none");
    assertThat(shared.call(() -> "some")).isEqualTo("less");
  }

  @Test
  void a_name_that_is_not_there_is_refused_with_those_that_are() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policies.pipeline("order"))
        .withMessage("pipeline: \"order\" (expected: one of [orders, reports], perhaps orders)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policies.retry("orders"))
        .withMessage("retry: \"orders\" (expected: one of [inventory])");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> load("recloser.pipelines.orders: retry").policies().circuitBreaker("inventory"))
        .withMessage("circuitbreaker: \"inventory\" (expected: none, there are none)");
  }

  @Test
  void living_policies_take_new_settings_and_are_the_same() {
    List<Policy> before = policies.all();

    List<Policy> changed =
        load(TEXT.replace("Size: 7", "Size: 70")
                .replace("Attempts: 2", "Attempts: 4")
                .replace("Calls: 3", "Calls: 30")
                .replace("Period: 5", "Period: 50")
                .replace("300ms", "3s"))
            .applyTo(policies);

    assertThat(policies.all()).containsExactlyElementsOf(before);
    assertThat(changed).hasSize(5).isSubsetOf(before).doesNotContain(policies.hedge("inventory"));
    assertThat(policies.circuitBreaker("inventory").config().slidingWindowCalls()).isEqualTo(70);
    assertThat(policies.retry("inventory").config().maxAttempts()).isEqualTo(4);
    assertThat(policies.bulkhead("inventory").config().maxConcurrentCalls()).isEqualTo(30);
    assertThat(policies.rateLimiter("inventory").config().limitForPeriod()).isEqualTo(50);
    assertThat(policies.timeout("inventory").config().timeoutDuration())
        .isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void the_same_file_again_changes_nothing_and_tells_nobody() {
    List<PolicyEvent> events = new ArrayList<>();
    policies.all().forEach(policy -> policy.on(PolicyEvent.class, events::add));

    assertThat(load(TEXT).applyTo(policies)).isEmpty();
    assertThat(events).isEmpty();
  }

  @Test
  void a_budget_keeps_what_it_has_counted_unless_its_figures_change() {
    Retry retry = policies.retry("inventory");
    Object budget = retry.config().settings().get("budget");

    load(TEXT.replace("Attempts: 2", "Attempts: 4")).applyTo(policies);
    assertThat(retry.config().settings().get("budget")).isSameAs(budget);

    load(TEXT.replace("Percentage: 50", "Percentage: 5")).applyTo(policies);
    assertThat(retry.config().settings().get("budget")).isNotNull().isNotSameAs(budget);
  }

  @Test
  void all_policies_change_or_none() {
    RateLimiter limiter = policies.rateLimiter("inventory");
    PolicyConfigs otherTicker =
        PolicyConfigs.loadYaml(
            "orders.yml",
            TEXT.replace("Size: 7", "Size: 70").replace("Period: 5", "Period: 50"),
            base -> base.ticker(FakeTime.create()).scheduler(time));

    assertThatExceptionOfType(InvalidConfigurationException.class)
        .isThrownBy(() -> otherTicker.applyTo(policies))
        .withMessageContaining(
            "ticker of circuitbreaker inventory: another one (expected: the one it was made with)")
        .withMessageContaining("ticker of ratelimiter inventory: another one");
    assertThat(policies.circuitBreaker("inventory").config().slidingWindowCalls()).isEqualTo(7);
    assertThat(limiter.config().limitForPeriod()).isEqualTo(5);
  }

  @Test
  void what_a_file_adds_is_there_and_what_it_no_longer_has_stays_as_it_is() {
    Retry retry = policies.retry("inventory");

    List<Policy> changed =
        load("recloser.pipelines.payments: [retry, circuitbreaker]").applyTo(policies);

    assertThat(changed).isEmpty();
    assertThat(retry.config().maxAttempts()).isEqualTo(2);
    assertThat(policies.retry("inventory")).isSameAs(retry);
    assertThat(policies.pipeline("payments").describe()).contains("retry payments");
    assertThatIllegalArgumentException().isThrownBy(() -> policies.pipeline("orders"));
  }

  @Test
  void a_pipeline_that_was_handed_out_keeps_its_order_and_the_next_has_the_new_one() {
    Pipeline<String> before = policies.pipeline("orders");
    String described = before.describe();

    load(TEXT.replace("orders: [retry: inventory, ", "orders: [")).applyTo(policies);

    assertThat(before.describe()).isEqualTo(described).contains("retry inventory");
    assertThat(policies.pipeline("orders").describe()).doesNotContain("retry inventory");
  }

  @Test
  void a_listener_may_change_the_registry_and_the_last_change_holds() {
    CircuitBreaker inventory = policies.circuitBreaker("inventory");
    var unused =
        inventory.on(
            PolicyEvent.Reconfigured.class,
            event -> {
              if (inventory.config().slidingWindowCalls() == 70) {
                load(TEXT.replace("Size: 7", "Size: 700").replace("Calls: 3", "Calls: 33"))
                    .applyTo(policies);
              }
            });

    load(TEXT.replace("Size: 7", "Size: 70").replace("Calls: 3", "Calls: 30")).applyTo(policies);

    assertThat(inventory.config().slidingWindowCalls()).isEqualTo(700);
    assertThat(policies.bulkhead("inventory").config().maxConcurrentCalls()).isEqualTo(33);
  }

  private PolicyConfigs load(String text) {
    return PolicyConfigs.loadYaml("orders.yml", text, base -> base.ticker(time).scheduler(time));
  }
}

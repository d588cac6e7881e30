package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recloser.BulkheadSlot;
import dev.recloser.CircuitBreaker;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Pipeline;
import dev.recloser.Policy;
import dev.recloser.PolicyEvent.Reconfigured;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One file about policies of every kind, changed under a pipeline that is in use. */
final class LiveUpdateTest {
  private static final String BEFORE =
      """
      recloser:
        retry.instances.orders: {maxAttempts: 2, waitDuration: 0, retryBudgetPercentage: 50}
        hedge.instances.orders: {idempotent: true, delay: 100ms}
        circuitbreaker.instances.orders: {slidingWindowSize: 4, failureRateThreshold: 50}
        ratelimiter.instances.orders: {limitForPeriod: 50, limitRefreshPeriod: 1h}
        bulkhead.instances.orders: {maxConcurrentCalls: 3}
        timelimiter.instances.orders: {timeoutDuration: 300ms}
        thread-pool-bulkhead.instances.orders: {maxThreadPoolSize: 2, coreThreadPoolSize: 1}
        pipelines.orders: default
      """;

  /** Each value of the first file that is another one in the second, and that one. */
  private static final Map<String, String> CHANGES =
      Map.of(
          "maxAttempts: 2", "maxAttempts: 4",
          "delay: 100ms", "delay: 200ms",
          "slidingWindowSize: 4", "slidingWindowSize: 8",
          "limitForPeriod: 50", "limitForPeriod: 500",
          "maxConcurrentCalls: 3", "maxConcurrentCalls: 30",
          "timeoutDuration: 300ms", "timeoutDuration: 3s",
          "maxThreadPoolSize: 2", "maxThreadPoolSize: 20");

  private final FakeTime time = FakeTime.create();
  private final ConfiguredPolicies policies = load(BEFORE).policies();
  private final Pipeline<String> pipeline = policies.pipeline("orders");
  private final List<Reconfigured> told = new ArrayList<>();

  private PolicyConfigs load(String text) {
    return PolicyConfigs.loadYaml("orders.yml", text, base -> base.ticker(time).scheduler(time));
  }

  private static String changed() {
    String text = BEFORE;
    for (Map.Entry<String, String> change : CHANGES.entrySet()) {
      assertThat(text).contains(change.getKey());
      text = text.replace(change.getKey(), change.getValue());
    }
    return text;
  }

  /** A success, a failure, and a breaker that an operator has opened. */
  @BeforeEach
  void the_pipeline_is_in_use() throws Exception {
    assertThat(pipeline.call(() -> "stock")).isEqualTo("stock");
    fail(() -> {});
    policies.circuitBreaker("orders").transitionTo(CircuitBreaker.State.FORCED_OPEN);
    policies.all().forEach(policy -> policy.on(Reconfigured.class, told::add));
  }

  /** A call of which each attempt does this and fails. */
  private void fail(Runnable attempt) {
    assertThatThrownBy(
            () ->
                pipeline.call(
                    () -> {
                      attempt.run();
                      throw new IllegalStateException("down");
                    }))
        .hasMessage("down");
  }

  /** What every policy says of its past. */
  private Map<String, String> past() {
    return Map.of(
        "retry", policies.retry("orders").metrics().toString(),
        "hedge", "" + policies.hedge("orders").metrics().wonByFirst(),
        "breaker", policies.circuitBreaker("orders").metrics().toString(),
        "timeout", policies.timeout("orders").metrics().toString(),
        "limiter", "" + policies.rateLimiter("orders").metrics().admitted(),
        "bulkhead", "" + policies.bulkhead("orders").metrics().admitted(),
        "threads", "" + policies.threadPoolBulkhead("orders").metrics().admitted());
  }

  /** All settings in effect, and how the policies stand. */
  private String present() {
    return pipeline.describe()
        + policies.all().stream().map(Policy::explain).collect(Collectors.joining("\n"));
  }

  @Test
  void policies_of_every_kind_change_and_keep_what_they_have_counted() {
    List<Policy> before = policies.all();
    Map<String, String> past = past();

    List<Policy> changed = load(changed()).applyTo(policies);

    assertThat(changed).containsExactlyInAnyOrderElementsOf(before).hasSize(PolicyKind.ALL.size());
    assertThat(policies.all()).containsExactlyElementsOf(before);
    assertThat(told).hasSize(before.size());
    assertThat(told).allSatisfy(event -> assertThat(event.after()).isNotEqualTo(event.before()));
    assertThat(past()).isEqualTo(past);
    assertThat(policies.circuitBreaker("orders").state())
        .isEqualTo(CircuitBreaker.State.FORCED_OPEN);
  }

  @Test
  void each_has_the_setting_that_is_written() {
    load(changed()).applyTo(policies);

    assertThat(policies.retry("orders").config().maxAttempts()).isEqualTo(4);
    assertThat(policies.hedge("orders").config().delay()).isEqualTo(Duration.ofMillis(200));
    assertThat(policies.circuitBreaker("orders").config().slidingWindowCalls()).isEqualTo(8);
    assertThat(policies.rateLimiter("orders").config().limitForPeriod()).isEqualTo(500);
    assertThat(policies.bulkhead("orders").config().maxConcurrentCalls()).isEqualTo(30);
    assertThat(policies.timeout("orders").config().timeoutDuration())
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(policies.threadPoolBulkhead("orders").config().maxConcurrentCalls()).isEqualTo(20);
  }

  @Test
  void a_slot_that_is_held_stays_held() {
    BulkheadSlot slot = policies.bulkhead("orders").acquire();
    BulkheadSlot thread = policies.threadPoolBulkhead("orders").acquire();

    load(changed()).applyTo(policies);

    assertThat(policies.bulkhead("orders").metrics().running()).isEqualTo(1);
    assertThat(policies.threadPoolBulkhead("orders").metrics().running()).isEqualTo(1);
    slot.close();
    thread.close();
    assertThat(policies.bulkhead("orders").metrics().running()).isZero();
    assertThat(policies.threadPoolBulkhead("orders").metrics().running()).isZero();
  }

  @Test
  void the_pipeline_that_is_in_use_goes_by_the_new_settings() throws Exception {
    policies.circuitBreaker("orders").reset();
    load(changed().replace("maxConcurrentCalls: 30", "maxConcurrentCalls: 1")).applyTo(policies);
    List<String> attempts = new ArrayList<>();

    try (BulkheadSlot only = Objects.requireNonNull(policies.bulkhead("orders").tryAcquire())) {
      assertThat(catchThrowable(() -> pipeline.call(() -> "stock"))).hasMessageContaining("1 of 1");
      assertThat(only).isNotNull();
    }
    fail(() -> attempts.add("one more"));

    assertThat(attempts).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({
    "maxAttempts: 4, maxAttempts: 0",
    "delay: 200ms, delay: never",
    "slidingWindowSize: 8, slidingWindowSize: 0",
    "limitForPeriod: 500, limitForPeriod: 0",
    "maxConcurrentCalls: 30, maxConcurrentCalls: -1",
    "timeoutDuration: 3s, timeoutDuration: 0",
    "maxThreadPoolSize: 20, maxThreadPoolSize: 0",
    "pipelines.orders: default, pipelines.orders: [fallback]"
  })
  void one_wrong_value_leaves_all_as_they_are(String right, String wrong) {
    String before = present();
    String text = changed().replace(right, wrong);
    assertThat(text).isNotEqualTo(changed());

    Throwable thrown = catchThrowable(() -> load(text).applyTo(policies));

    assertThat(thrown).isInstanceOf(InvalidConfigurationFileException.class);
    assertThat(present()).isEqualTo(before);
    assertThat(told).isEmpty();
  }

  @Test
  void another_ticker_leaves_all_as_they_are_and_is_told_of_each() {
    String before = present();
    PolicyConfigs other =
        PolicyConfigs.loadYaml(
            "orders.yml", changed(), base -> base.ticker(FakeTime.create()).scheduler(time));

    InvalidConfigurationException thrown =
        catchThrowableOfType(InvalidConfigurationException.class, () -> other.applyTo(policies));

    assertThat(thrown.faults()).hasSize(PolicyKind.ALL.size());
    assertThat(present()).isEqualTo(before);
    assertThat(told).isEmpty();
  }

  @Test
  void the_first_file_again_is_a_change_back() {
    load(changed()).applyTo(policies);
    told.clear();

    assertThat(load(BEFORE).applyTo(policies)).hasSize(PolicyKind.ALL.size());

    assertThat(told).hasSize(PolicyKind.ALL.size());
    assertThat(policies.retry("orders").config().maxAttempts()).isEqualTo(2);
    assertThat(policies.threadPoolBulkhead("orders").config().maxConcurrentCalls()).isEqualTo(2);
    assertThat(load(BEFORE).applyTo(policies)).isEmpty();
  }
}

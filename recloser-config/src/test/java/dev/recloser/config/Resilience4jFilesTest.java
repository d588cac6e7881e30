package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.BulkheadConfig;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.RateLimiterConfig;
import dev.recloser.RetryConfig;
import dev.recloser.SlidingWindowType;
import dev.recloser.config.BreakerConfigs.Note;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that were written for Resilience4j load as they are, in all the ways they are written. */
final class Resilience4jFilesTest {
  private static final Path FOLDER = Path.of("src/test/resources/dev/recloser/config");

  @Test
  void circuit_breakers_have_what_is_written_and_inherited() {
    Map<String, CircuitBreakerConfig> breakers = breakers(load("shop.yml"));

    assertThat(breakers)
        .containsOnlyKeys("inventory", "reports.monthly", "payments#charge(Order,Money)");
    CircuitBreakerConfig inventory = breakers.get("inventory");
    assertThat(inventory.slidingWindowCalls()).isEqualTo(20);
    assertThat(inventory.waitDurationInOpenState()).isEqualTo(Duration.ofSeconds(5));
    assertThat(inventory.recordExceptions()).hasSize(3);
    CircuitBreakerConfig reports = breakers.get("reports.monthly");
    assertThat(reports.slidingWindowType()).isEqualTo(SlidingWindowType.TIME_BASED);
    assertThat(reports.slidingWindowDuration()).isEqualTo(Duration.ofSeconds(30));
    assertThat(reports.slowCallDurationThreshold()).isEqualTo(Duration.ofSeconds(2));
    assertThat(reports.waitDurationInOpenState()).isEqualTo(Duration.ofMinutes(1));
    CircuitBreakerConfig payments = breakers.get("payments#charge(Order,Money)");
    assertThat(payments.slidingWindowCalls()).isEqualTo(50);
    assertThat(payments.minimumNumberOfCalls()).isEqualTo(10);
    assertThat(payments.randomizedWaitFactor()).isEqualTo(0.3);
  }

  @Test
  void so_have_the_other_policies() {
    PolicyConfigs configs = load("shop.yml");

    RetryConfig retry = configs.retries().get("inventory");
    assertThat(retry.maxAttempts()).isEqualTo(3);
    assertThat(retry.settings())
        .containsEntry(
            "retryExceptions",
            java.util.Set.of("java.io.IOException", "java.util.concurrent.TimeoutException"));
    assertThat(configs.retries().get("payments").waitDuration()).isEqualTo(Duration.ofMillis(100));
    assertThat(configs.bulkheads().get("inventory").maxConcurrentCalls()).isEqualTo(10);
    assertThat(configs.threadPoolBulkheads().get("reports").maxConcurrentCalls()).isEqualTo(4);
    assertThat(configs.rateLimiters().get("partner").limitForPeriod()).isEqualTo(10);
    assertThat(configs.timeouts().get("inventory").timeoutDuration())
        .isEqualTo(Duration.ofSeconds(2));
    assertThat(configs.policies().all()).hasSize(10);
  }

  @Test
  void a_document_for_a_profile_changes_what_it_says() {
    CircuitBreakerConfig inventory =
        breakers(load("shop.yml", Map.of("spring.profiles.active", "prod"))).get("inventory");

    assertThat(inventory.failureRateThreshold()).isEqualTo(40);
    assertThat(inventory.waitDurationInOpenState()).isEqualTo(Duration.ofSeconds(30));
    assertThat(inventory.slidingWindowCalls()).isEqualTo(20);
  }

  @Test
  void keys_that_do_nothing_here_are_named_with_what_to_do() {
    assertThat(load("shop.yml").notes())
        .extracting(note -> note.key().replaceAll(".*[.]", "") + ": " + note.advice())
        .contains(
            "circuitBreakerAspectOrder: not set from here; the order is that of the pipeline",
            "registerHealthIndicator: not set from here; what shows the health decides which"
                + " breakers it shows",
            "eventConsumerBufferSize: not needed; the breaker keeps its last transitions by itself",
            "tags: not set from here; tags belong to what makes the meters",
            "failAfterMaxAttempts: not set from here; a last result that is a failure is what the"
                + " caller gets",
            "cancel-running-future: not needed; a call that is timed out is always cancelled",
            "metrics: not set from here; what makes the meters decides which",
            "a document: left out, since it is for the profile prod & !canary; name it in"
                + " spring.profiles.active, which is local");
  }

  @Test
  void properties_are_the_same() {
    PolicyConfigs configs = load("shop.properties", Map.of("spring.profiles.active", "prod"));

    CircuitBreakerConfig inventory = breakers(configs).get("inventory");
    assertThat(inventory.slidingWindowCalls()).isEqualTo(200);
    assertThat(inventory.failureRateThreshold()).isEqualTo(45);
    assertThat(inventory.recordExceptions()).hasSize(2);
    assertThat(breakers(configs)).containsKey("api.example.com");
    assertThat(configs.retries().get("inventory").maxAttempts()).isEqualTo(4);
    assertThat(configs.timeouts().get("inventory").timeoutDuration())
        .isEqualTo(Duration.ofMillis(1_500));
  }

  @Test
  void keys_of_the_first_releases_are_understood() {
    PolicyConfigs configs = load("shop-of-2018.yml");

    CircuitBreakerConfig breaker = breakers(configs).get("inventory");
    assertThat(breaker.slidingWindowCalls()).isEqualTo(5);
    assertThat(breaker.waitDurationInOpenState()).isEqualTo(Duration.ofSeconds(5));
    RateLimiterConfig limiter = configs.rateLimiters().get("inventory");
    assertThat(limiter.limitRefreshPeriod()).isEqualTo(Duration.ofMillis(500));
    assertThat(limiter.timeoutDuration()).isEqualTo(Duration.ofSeconds(3));
    BulkheadConfig bulkhead = configs.bulkheads().get("inventory");
    assertThat(bulkhead.maxConcurrentCalls()).isEqualTo(10);
    assertThat(bulkhead.maxWaitDuration()).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void keys_that_nobody_has_are_told_and_linted_but_no_mistake() {
    PolicyConfigs configs = load("shop-of-2018.yml");
    List<String> unknown =
        List.of(
            "circuitbreaker.backends.inventory.name",
            "bulkhead.backends.inventory.type",
            "retry.backends.inventory.ingore-exceptions",
            "resilience4j.timelimitr");

    assertThat(configs.notes())
        .filteredOn(note -> note.advice().startsWith("unknown to Resilience4j too"))
        .extracting(Note::key)
        .containsExactlyElementsOf(unknown);
    assertThat(configs.findings())
        .filteredOn(finding -> finding.rule().equals("unknown-key"))
        .extracting(Finding::key)
        .containsExactlyElementsOf(unknown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shop.yml", "shop.properties", "shop-of-2018.yml"})
  void circuit_breakers_alone_and_the_linter_read_them_too(String file) {
    assertThat(BreakerConfigs.loadWithoutClasses(FOLDER.resolve(file), base -> {}).names())
        .contains("inventory");
    assertThat(Lint.check(List.of(FOLDER.resolve(file)), Workload.unknown()))
        .extracting(Finding::rule)
        .doesNotContain("invalid");
  }

  private static Map<String, CircuitBreakerConfig> breakers(PolicyConfigs configs) {
    return configs.named(PolicyKind.CIRCUIT_BREAKER).instances();
  }

  private static PolicyConfigs load(String file) {
    return load(file, Map.of());
  }

  private static PolicyConfigs load(String file, Map<String, String> variables) {
    return PolicyConfigs.load(FOLDER.resolve(file), base -> base.placeholders(variables::get));
  }
}

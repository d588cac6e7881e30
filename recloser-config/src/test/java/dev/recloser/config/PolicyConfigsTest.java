package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.recloser.BulkheadConfig;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.HedgeConfig;
import dev.recloser.Jitter;
import dev.recloser.RateLimiterConfig;
import dev.recloser.RetryConfig;
import dev.recloser.TimeoutConfig;
import dev.recloser.config.BreakerConfigs.Note;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicyConfigsTest {
  @TempDir private Path folder;

  private final FakeTime time = FakeTime.create();

  @Test
  void a_file_of_spring_and_resilience4j_loads_as_it_is() throws URISyntaxException {
    PolicyConfigs configs = PolicyConfigs.load(ShapesTest.resource("orders.yml"));

    assertThat(configs.circuitBreakers().names()).containsExactly("inventory");
    assertThat(configs.circuitBreakers().config("inventory"))
        .isEqualTo(
            CircuitBreakerConfig.of(
                c ->
                    c.slidingWindowSize(20)
                        .minimumNumberOfCalls(10)
                        .slowCallDurationThreshold(Duration.ofMillis(400))
                        .failureRateThreshold(40)));
    assertThat(configs.retries())
        .containsExactly(
            Map.entry(
                "inventory",
                RetryConfig.of(
                    c ->
                        c.maxAttempts(4)
                            .waitDuration(Duration.ofMillis(100))
                            .exponentialBackoffMultiplier(2)
                            .maxWaitDuration(Duration.ofSeconds(2))
                            .jitter(Jitter.EQUAL)
                            .retryExceptions(
                                List.of(
                                    "java.io.IOException",
                                    "org.springframework.web.client.HttpServerErrorException"))
                            .ignoreExceptions(List.of("com.example.orders.InvalidSkuException")))),
            Map.entry(
                "pricing",
                RetryConfig.of(c -> c.maxAttempts(2).waitDuration(Duration.ofMillis(100)))));
    assertThat(configs.bulkheads())
        .containsExactly(
            Map.entry(
                "inventory",
                BulkheadConfig.of(
                    c ->
                        c.maxConcurrentCalls(12)
                            .maxWaitDuration(Duration.ofMillis(20))
                            .fairCallHandlingEnabled(false))));
    assertThat(configs.threadPoolBulkheads())
        .containsExactly(
            Map.entry(
                "reports",
                BulkheadConfig.of(
                    c ->
                        c.maxConcurrentCalls(4)
                            .maxQueuedCalls(10)
                            .maxWaitDuration(Duration.ofDays(36_500)))));
    assertThat(configs.rateLimiters())
        .containsExactly(
            Map.entry(
                "inventory",
                RateLimiterConfig.of(c -> c.limitForPeriod(100).timeoutDuration(Duration.ZERO))));
    assertThat(configs.timeouts())
        .containsExactly(
            Map.entry(
                "inventory", TimeoutConfig.of(c -> c.timeoutDuration(Duration.ofMillis(500)))));
    assertThat(configs.pipelines()).isEmpty();
  }

  @Test
  void what_such_a_file_has_that_means_nothing_here_is_noted_in_its_order()
      throws URISyntaxException {
    PolicyConfigs configs = PolicyConfigs.load(ShapesTest.resource("orders.yml"));

    assertThat(configs.notes())
        .extracting(Note::line, Note::key)
        .map(tuple -> tuple.toList().get(0) + " " + tuple.toList().get(1))
        .containsExactly(
            "15 circuitbreaker.circuitBreakerAspectOrder",
            "18 circuitbreaker.configs.default.registerHealthIndicator",
            "22 circuitbreaker.configs.default.eventConsumerBufferSize",
            "28 retry.retryAspectOrder",
            "29 retry.metrics",
            "36 retry.configs.default.eventConsumerBufferSize",
            "42 retry.instances.inventory.enableRandomizedWait",
            "43 retry.instances.inventory.randomizedWaitFactor",
            "49 retry.instances.inventory.failAfterMaxAttempts",
            "75 ratelimiter.instances.inventory.registerHealthIndicator",
            "79 timelimiter.configs.default.cancelRunningFuture");
    assertThat(configs.circuitBreakers().notes()).hasSize(3).isSubsetOf(configs.notes());
  }

  @Test
  void a_note_says_what_a_value_means_here() {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "orders.yml",
            """
            resilience4j:
              retry.instances.inventory.randomizedWaitFactor: 0.9
            """);

    assertThat(configs.notes())
        .map(Note::toString)
        .containsExactly(
            "orders.yml:2: retry.instances.inventory.randomizedWaitFactor: taken for jitter FULL,"
                + " from zero to the wait; no wait is lengthened at random");
  }

  @ParameterizedTest
  @MethodSource
  void three_lines_make_a_pipeline(
      String title, String text, BiFunction<String, String, PolicyConfigs> reader) {
    PolicyConfigs configs = reader.apply("orders", text);

    assertThat(configs.pipelines()).containsExactly("orders");
    assertThat(configs.circuitBreakers().names()).containsExactly("orders");
    assertThat(configs.circuitBreakers().config("orders"))
        .isEqualTo(CircuitBreakerConfig.defaults());
    assertThat(configs.retries()).containsExactly(Map.entry("orders", RetryConfig.defaults()));
    assertThat(configs.bulkheads()).containsExactly(Map.entry("orders", BulkheadConfig.defaults()));
    assertThat(configs.rateLimiters()).isEmpty();
    assertThat(configs.timeouts()).containsExactly(Map.entry("orders", TimeoutConfig.defaults()));
    assertThat(words(configs, 1))
        .containsExactly("orders", "retry", "circuitBreaker", "bulkhead", "timeout", "the");
  }

  static Stream<Arguments> three_lines_make_a_pipeline() {
    BiFunction<String, String, PolicyConfigs> yaml = PolicyConfigs::loadYaml;
    BiFunction<String, String, PolicyConfigs> properties = PolicyConfigs::loadProperties;
    BiFunction<String, String, PolicyConfigs> map =
        (source, text) -> PolicyConfigs.fromMap(Map.of(text, "Default"));
    return Stream.of(
        arguments("YAML", "recloser:\n  pipelines:\n    orders: default\n", yaml),
        arguments("properties", "recloser.pipelines.orders=default\n", properties),
        arguments("a map", "recloser.pipelines.orders", map));
  }

  @Test
  void a_default_pipeline_has_a_rate_limiter_and_a_hedge_where_they_are_written() {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "orders.yml",
            """
            recloser:
              pipelines.orders: default
              ratelimiter.instances.orders.limitForPeriod: 7
              hedge.instances.orders.idempotent: true
            """);

    assertThat(words(configs, 1))
        .containsExactly(
            "orders",
            "retry",
            "hedge",
            "circuitBreaker",
            "rateLimiter",
            "bulkhead",
            "timeout",
            "the");
    assertThat(configs.rateLimiters().get("orders").limitForPeriod()).isEqualTo(7);
    assertThat(configs.hedges()).containsOnlyKeys("orders");
  }

  @ParameterizedTest
  @CsvSource({
    "thread-pool-bulkhead.instances.orders, retry circuitBreaker timeout bulkhead",
    "thread-pool-bulkhead.instances.others, retry circuitBreaker bulkhead timeout",
    "thread-pool-bulkhead.configs.default, retry circuitBreaker bulkhead timeout"
  })
  void a_bulkhead_of_threads_that_is_written_stands_innermost_for_the_other(
      String written, String expected) {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "orders.yml",
            "recloser: {pipelines.orders: default, " + written + ": {queueCapacity: 3}}");

    assertThat(String.join(" ", words(configs, 1))).isEqualTo("orders " + expected + " the");
  }

  @Test
  void both_bulkheads_of_a_name_stand_where_both_are_written() {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "orders.yml",
            """
            recloser:
              bulkhead.instances.orders.maxConcurrentCalls: 7
              thread-pool-bulkhead.instances.orders.maxThreadPoolSize: 5
              pipelines.orders: default
            """);

    assertThat(words(configs, 1))
        .containsExactly(
            "orders", "retry", "circuitBreaker", "bulkhead", "timeout", "bulkhead", "the");
  }

  @Test
  void what_a_pipeline_names_by_its_own_name_is_made_from_the_templates() {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "orders.yml",
            """
            recloser:
              retry.configs:
                default: {maxAttempts: 4}
                orders: {maxAttempts: 5}
              timeout.configs.default.timeoutDuration: 2s
              pipelines: {orders: default, reports: [retry, timeout]}
            """);

    assertThat(configs.retries().get("orders").maxAttempts()).isEqualTo(5);
    assertThat(configs.retries().get("reports").maxAttempts()).isEqualTo(4);
    assertThat(configs.timeouts().get("reports").timeoutDuration())
        .isEqualTo(Duration.ofSeconds(2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "recloser.pipelines.orders=retry, circuit-breaker: inventory , timeout",
        """
        recloser.pipelines.orders[0]=retry
        recloser.pipelines.orders[1].circuitBreaker=inventory
        recloser.pipelines.orders[2]=time-limiter
        """,
        """
        resilience4j.pipelines.orders.policies[0]=retry
        resilience4j.pipelines.orders.policies[1]=circuitbreaker:inventory
        resilience4j.pipelines.orders.policies[2]=timelimiter
        resilience4j.pipelines.orders.warnings=note
        """
      })
  void properties_list_policies_in_any_of_their_ways(String text) {
    String breaker = "\nrecloser.circuitbreaker.instances.inventory.slidingWindowSize=7\n";
    PolicyConfigs configs = PolicyConfigs.loadProperties("orders.properties", text + breaker);

    assertOrder(configs);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "orders: [retry, circuitbreaker: inventory, timelimiter]",
        """
        orders:
            policies:
            - Retry
            - circuit-breaker: inventory
            - timeout
        """
      })
  void yaml_lists_policies_in_any_of_its_ways(String text) {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "orders.yml",
            "recloser:\n  circuitbreaker.instances.inventory.slidingWindowSize: 7\n  pipelines:\n"
                + text.indent(4));

    assertOrder(configs);
  }

  @Test
  void a_map_lists_policies_too() {
    PolicyConfigs configs =
        PolicyConfigs.fromMap(
            Map.of(
                "recloser.circuitbreaker.instances.inventory.slidingWindowSize",
                7,
                "recloser.pipelines",
                Map.of(
                    "orders",
                    List.of("retry", Map.of("circuitbreaker", "inventory"), "timelimiter"))));

    assertOrder(configs);
  }

  @Test
  void a_pipeline_may_have_two_policies_of_a_kind() {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "orders.yml",
            """
            recloser:
              timelimiter.instances:
                whole: {timeoutDuration: 2s}
                attempt: {timeoutDuration: 200ms}
              pipelines:
                orders.com: [timelimiter: whole, retry, timelimiter: attempt]
            """);

    assertThat(configs.policies().pipeline("orders.com").describe().lines().map(String::strip))
        .element(3)
        .asString()
        .startsWith("timeout attempt");
  }

  @Test
  void what_a_pipeline_warns_of_is_noted() {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "orders.yml",
            """
            recloser:
              retry.instances.orders.waitDuration: 0
              pipelines:
                orders: [retry, circuitbreaker]
            """);

    assertThat(configs.notes())
        .map(Note::toString)
        .containsExactly(
            "orders.yml:4: pipelines.orders: retry-without-pause: up to 3 attempts without a pause"
                + " fill the window of orders with one failure; set a waitDuration, or put the"
                + " breaker around the retry");
  }

  @Test
  void the_base_holds_for_all_policies_of_a_kind() {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "orders.yml",
            """
            recloser:
              retry.instances.inventory.maxAttempts: 4
              pipelines.orders: default
            """,
            base ->
                base.ticker(time)
                    .scheduler(time)
                    .retry(c -> c.maxAttempts(2).jitter(Jitter.NONE))
                    .rateLimiter(c -> c.limitForPeriod(9))
                    .bulkhead(c -> c.maxConcurrentCalls(9))
                    .circuitBreaker(c -> c.slidingWindowSize(9))
                    .timeout(c -> c.executor(Runnable::run)));

    assertThat(configs.retries().get("inventory"))
        .isEqualTo(
            RetryConfig.of(c -> c.maxAttempts(4).jitter(Jitter.NONE).ticker(time).scheduler(time)));
    assertThat(configs.retries().get("orders").maxAttempts()).isEqualTo(2);
    assertThat(configs.timeouts().get("orders").executor()).isNotNull();
    assertThat(configs.timeouts().get("orders").settings())
        .containsEntry("ticker", time)
        .containsEntry("scheduler", time);
    assertThat(configs.bulkheads().get("orders").settings())
        .containsEntry("maxConcurrentCalls", 9)
        .containsEntry("scheduler", time);
    assertThat(configs.circuitBreakers().config("orders"))
        .isEqualTo(
            CircuitBreakerConfig.of(c -> c.slidingWindowSize(9).ticker(time).scheduler(time)));
  }

  @Test
  void a_base_that_is_wrong_is_told_where_it_is_needed() {
    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(
            () ->
                PolicyConfigs.loadYaml(
                    "orders.yml",
                    "recloser.pipelines.orders: default",
                    base -> base.bulkhead(c -> c.maxConcurrentCalls(0))))
        .withMessage(
            "orders.yml:1: bulkhead.instances.orders.maxConcurrentCalls: 0"
                + " (expected: 1 to 1,000,000)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"orders.yml", "orders.properties"})
  void files_are_told_apart_by_their_names(String name) throws IOException {
    String separator = name.endsWith(".yml") ? ": " : "=";
    Path file =
        Files.writeString(folder.resolve(name), "recloser.pipelines.orders" + separator + "retry");

    assertThat(PolicyConfigs.load(file, base -> base.ticker(time)).retries())
        .containsOnlyKeys("orders");
  }

  @Test
  void a_tool_without_the_classes_of_the_application_reads_the_rest() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("orders.yml"),
            """
            recloser.retry.instances.inventory:
              maxAttempts: 4
              resultPredicate: com.shop.IsEmpty
            """);

    PolicyConfigs configs =
        PolicyConfigs.loadWithoutClasses(file, base -> base.retry(c -> c.jitter(Jitter.NONE)));

    assertThat(configs.retries())
        .containsExactly(
            Map.entry("inventory", RetryConfig.of(c -> c.maxAttempts(4).jitter(Jitter.NONE))));
    assertThat(configs.notes())
        .map(Note::toString)
        .containsExactly(
            file
                + ":3: retry.instances.inventory.resultPredicate: left out; com.shop.IsEmpty is not"
                + " loaded here, calls are judged without it");
  }

  @Test
  void a_template_may_say_for_all_hedges_that_calls_may_be_made_twice() {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "orders.yml",
            """
            recloser.hedge:
              configs.default: {idempotent: true, delay: 40ms}
              instances:
                orders: {}
                reports: {maxAttempts: 3}
            """);

    assertThat(configs.hedges())
        .containsExactly(
            Map.entry(
                "orders", HedgeConfig.of(c -> c.idempotent(true).delay(Duration.ofMillis(40)))),
            Map.entry(
                "reports",
                HedgeConfig.of(
                    c -> c.idempotent(true).delay(Duration.ofMillis(40)).maxAttempts(3))));
  }

  @Test
  void every_retry_has_a_budget_of_its_own_where_its_figures_are_in_a_template() {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "orders.yml",
            """
            recloser:
              retry.configs.default.retryBudgetPercentage: 10
              pipelines: {orders: [retry], reports: [retry]}
            """);

    assertThat(configs.retries().get("orders").settings().get("budget"))
        .isNotNull()
        .isNotSameAs(configs.retries().get("reports").settings().get("budget"));
  }

  private static void assertOrder(PolicyConfigs configs) {
    assertThat(words(configs, 2))
        .containsExactly(
            "orders", "retry orders", "circuitBreaker inventory", "timeout orders", "the call");
    assertThat(configs.circuitBreakers().names()).containsExactly("inventory");
  }

  /** The first words of each line of what the pipeline says of itself. */
  private static List<String> words(PolicyConfigs configs, int words) {
    Pattern first = Pattern.compile("\\w+( \\w+){0,%d}".formatted(words - 1));
    return configs
        .policies()
        .pipeline("orders")
        .describe()
        .lines()
        .map(line -> first.matcher(line).results().findFirst().orElseThrow().group())
        .toList();
  }
}

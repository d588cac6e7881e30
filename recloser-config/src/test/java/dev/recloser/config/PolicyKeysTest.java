package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.recloser.BulkheadConfig;
import dev.recloser.HedgeConfig;
import dev.recloser.Jitter;
import dev.recloser.LimitAlgorithm;
import dev.recloser.PolicyConfig;
import dev.recloser.RateLimiterConfig;
import dev.recloser.Retry;
import dev.recloser.RetryConfig;
import dev.recloser.TimeoutConfig;
import dev.recloser.config.BreakerConfigs.Note;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The keys of all kinds but the circuit breaker, which has a test of its own. */
final class PolicyKeysTest {
  @ParameterizedTest(name = "{0}.{1}: {2}")
  @MethodSource
  void each_key_sets_what_it_says_in_every_spelling(
      String kind, String key, String value, PolicyConfig expected) {
    String path = "recloser." + kind + ".instances.x.";

    assertThat(only(PolicyConfigs.loadYaml("x.yml", path + key + ": " + value)))
        .isEqualTo(expected);
    assertThat(only(PolicyConfigs.loadYaml("x.yml", path + kebab(key) + ": " + value)))
        .isEqualTo(expected);
    assertThat(only(PolicyConfigs.loadProperties("x.properties", path + key + "=" + value)))
        .isEqualTo(expected);
    assertThat(only(PolicyConfigs.fromMap(Map.of(path + key, value)))).isEqualTo(expected);
    assertThat(expected)
        .isNotIn(
            RetryConfig.defaults(),
            BulkheadConfig.defaults(),
            RateLimiterConfig.defaults(),
            TimeoutConfig.defaults());
  }

  static Stream<Arguments> each_key_sets_what_it_says_in_every_spelling() {
    return Stream.of(
        retry("maxAttempts", "5", c -> c.maxAttempts(5)),
        retry("maxRetryAttempts", "5", c -> c.maxAttempts(5)),
        retry("waitDuration", "2s", c -> c.waitDuration(Duration.ofSeconds(2))),
        retry("enableExponentialBackoff", "true", c -> c.exponentialBackoffMultiplier(1.5)),
        retry("enableExponentialBackoff", "false", c -> c.exponentialBackoffMultiplier(1)),
        retry("exponentialBackoffMultiplier", "3", c -> c.exponentialBackoffMultiplier(3)),
        retry("maxWaitDuration", "1m", c -> c.maxWaitDuration(Duration.ofMinutes(1))),
        retry("exponentialMaxWaitDuration", "1m", c -> c.maxWaitDuration(Duration.ofMinutes(1))),
        retry("enableRandomizedWait", "true", c -> c.jitter(Jitter.EQUAL)),
        retry("enableRandomizedWait", "false", c -> c.jitter(Jitter.NONE)),
        retry("randomizedWaitFactor", "0", c -> c.jitter(Jitter.NONE)),
        retry("randomizedWaitFactor", "0.5", c -> c.jitter(Jitter.EQUAL)),
        retry("jitter", "decorrelated", c -> c.jitter(Jitter.DECORRELATED)),
        retry("maxElapsedTime", "5s", c -> c.maxElapsedTime(Duration.ofSeconds(5))),
        retry("retryExceptions", "a.B, a.C", c -> c.retryExceptions(List.of("a.B", "a.C"))),
        retry("ignoreExceptions", "a.B", c -> c.ignoreExceptions(List.of("a.B"))),
        arguments("hedge", "idempotent", "true", HedgeConfig.of(c -> c.idempotent(true))),
        bulkhead("maxConcurrentCalls", "7", c -> c.maxConcurrentCalls(7)),
        bulkhead("maxWaitDuration", "1s", c -> c.maxWaitDuration(Duration.ofSeconds(1))),
        bulkhead("writableStackTraceEnabled", "true", c -> c.writableStackTraceEnabled(true)),
        limiter("limitForPeriod", "7", c -> c.limitForPeriod(7)),
        limiter("limitRefreshPeriod", "1m", c -> c.limitRefreshPeriod(Duration.ofMinutes(1))),
        limiter("maxBurst", "7", c -> c.maxBurst(7)),
        limiter("permitsPerCall", "7", c -> c.permitsPerCall(7)),
        limiter("timeoutDuration", "0", c -> c.timeoutDuration(Duration.ZERO)),
        limiter("writableStackTraceEnabled", "true", c -> c.writableStackTraceEnabled(true)),
        timeout("timelimiter", "timeoutDuration", "2s"),
        timeout("time-limiter", "timeoutDuration", "2000"),
        timeout("timeout", "timeoutDuration", "PT2S"),
        arguments(
            "timelimiter",
            "writableStackTraceEnabled",
            "true",
            TimeoutConfig.of(c -> c.writableStackTraceEnabled(true))));
  }

  @Test
  void a_bulkhead_may_find_its_limit_by_itself() {
    BulkheadConfig found =
        BulkheadConfig.of(
            c ->
                c.maxWaitDuration(Duration.ofSeconds(1))
                    .adaptiveLimit(
                        limit ->
                            limit
                                .algorithm(LimitAlgorithm.AIMD)
                                .minLimit(3)
                                .maxLatency(Duration.ofSeconds(2))));

    assertThat(
            inBulkhead(
                "maxWaitDuration: 1s, adaptiveLimit: {algorithm: aimd, min-limit: 3, maxLatency: 2s}"))
        .isEqualTo(found);
    assertThat(
            PolicyConfigs.loadProperties(
                    "x.properties",
                    """
                    recloser.bulkhead.instances.x.maxWaitDuration=1s
                    recloser.bulkhead.instances.x.adaptive-limit.algorithm=AIMD
                    recloser.bulkhead.instances.x.adaptive-limit.minLimit=3
                    recloser.bulkhead.instances.x.adaptive-limit.maxLatency=2s
                    """)
                .bulkheads())
        .containsEntry("x", found);
    assertThat(inBulkhead("adaptiveLimit: true"))
        .isEqualTo(BulkheadConfig.of(c -> c.adaptiveLimit(limit -> {})));
    assertThat(inBulkhead("adaptiveLimit: false")).isEqualTo(BulkheadConfig.defaults());
  }

  @Test
  void settings_that_need_one_another_may_be_written_together() {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "x.yml",
            """
            recloser:
              hedge.instances.x:
                {idempotent: true, maxAttempts: 3, delay: 50ms, delayPercentile: 99.5}
              retry.instances.x: {waitForCircuitBreaker: true, maxElapsedTime: 5s}
              bulkhead.instances.x:
                {maxQueuedCalls: 3, maxWaitDuration: 1s, fairCallHandlingEnabled: false}
            """);

    assertThat(configs.retries().get("x"))
        .isEqualTo(
            RetryConfig.of(
                c -> c.waitForCircuitBreaker(true).maxElapsedTime(Duration.ofSeconds(5))));
    assertThat(configs.hedges().get("x"))
        .isEqualTo(
            HedgeConfig.of(
                c ->
                    c.idempotent(true)
                        .maxAttempts(3)
                        .delay(Duration.ofMillis(50))
                        .delayPercentile(99.5)));
    assertThat(configs.bulkheads().get("x"))
        .isEqualTo(
            BulkheadConfig.of(
                c ->
                    c.maxQueuedCalls(3)
                        .maxWaitDuration(Duration.ofSeconds(1))
                        .fairCallHandlingEnabled(false)));
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # what is written,                                     jitter
          randomizedWaitFactor: 0.74,                             EQUAL
          randomizedWaitFactor: 0.75,                             FULL
          randomizedWaitFactor: 1,                                FULL
          'enableRandomizedWait: true, randomizedWaitFactor: 1',  FULL
          'enableRandomizedWait: false, randomizedWaitFactor: 1', NONE
          'enableRandomizedWait: true, jitter: FULL',             FULL
          'enableRandomizedWait: false, jitter: FULL',            NONE
          enableExponentialBackoff: false,                        FULL
          """)
  void the_randomized_wait_of_resilience4j_is_the_nearest_jitter(String written, Jitter jitter) {
    assertThat(inRetry(written).jitter()).isEqualTo(jitter);
  }

  @Test
  void what_is_switched_off_is_off_whatever_its_figure() {
    assertThat(
            inRetry("enableExponentialBackoff: false, exponentialBackoffMultiplier: 3")
                .exponentialBackoffMultiplier())
        .isEqualTo(1);
  }

  @Test
  void predicates_say_what_is_retried() {
    String teapot = Predicates.Teapot.class.getName();
    FakeTime time = FakeTime.create();
    Retry retry =
        PolicyConfigs.loadYaml(
                "x.yml",
                """
                recloser.retry.instances.x:
                  retryExceptionPredicate: %s
                  resultPredicate: %s
                  maxAttempts: 2
                  waitDuration: 0
                """
                    .formatted(teapot, teapot),
                base -> base.ticker(time).scheduler(time))
            .policies()
            .retry("x");

    assertThat(retry.call(() -> "teapot")).isEqualTo("teapot");
    assertThat(retry.call(() -> "pot")).isEqualTo("pot");
    assertThat(catchThrowable(() -> retry.run(() -> fail("pot")))).hasMessage("pot");
    assertThat(catchThrowable(() -> retry.run(() -> fail("teapot")))).hasMessage("teapot");
    assertThat(retry.metrics().retries()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 10", "3, 30"})
  void the_floor_of_a_budget_is_that_of_the_file(int perSecond, int retries) {
    assertThat(
            retriesWith(
                "retryBudgetPercentage: 0.000001, retryBudgetMinimumPerSecond: ", perSecond))
        .isEqualTo(retries);
  }

  @Test
  void a_figure_of_a_budget_that_is_not_written_is_the_default() {
    assertThat(retriesWith("retryBudgetMinimumPerSecond: ", 0)).isEqualTo(20);
    assertThat(retriesWith("retryBudgetPercentage: ", 1)).isEqualTo(100);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kindsOfResilience4j")
  void a_key_without_a_meaning_here_is_noted(PolicyKind<?, ?> kind) {
    List<String> unused =
        kind.keys().all().stream().filter(Key.Unused.class::isInstance).map(Key::name).toList();
    String block = unused.stream().map(key -> kebab(key) + ": 1\n").collect(Collectors.joining());
    String source = "resilience4j." + kind.name() + ".instances.x:\n" + block.indent(2);

    List<Note> notes = PolicyConfigs.loadYaml("x.yml", source).notes();

    assertThat(unused).isNotEmpty();
    assertThat(notes)
        .map(Note::key)
        .containsExactlyElementsOf(
            unused.stream().map(key -> kind.name() + ".instances.x." + kebab(key)).toList());
    assertThat(notes)
        .allSatisfy(note -> assertThat(note.advice()).startsWith("not ").contains("; "));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kinds")
  void every_name_that_a_key_refers_to_is_that_of_a_key(PolicyKind<?, ?> kind) {
    for (Key<?> key : kind.keys().all()) {
      assertThat(key.description()).isNotBlank();
      if (key instanceof Key.Setting<?, ?> setting) {
        Stream.concat(setting.context().stream(), Stream.ofNullable(setting.switchName()))
            .forEach(name -> assertThat(kind.keys().find(name)).as(name).isNotNull());
      }
    }
  }

  static Stream<PolicyKind<?, ?>> kindsOfResilience4j() {
    return kinds().filter(kind -> kind != PolicyKind.HEDGE);
  }

  static Stream<PolicyKind<?, ?>> kinds() {
    return PolicyKind.ALL.stream();
  }

  /** How many retries a hundred failing calls at one time get. */
  private static long retriesWith(String written, int figure) {
    FakeTime time = FakeTime.create();
    Retry retry =
        PolicyConfigs.loadYaml(
                "x.yml",
                "recloser.retry.instances.x: {maxAttempts: 2, waitDuration: 0, "
                    + written
                    + figure
                    + "}",
                base -> base.ticker(time).scheduler(time))
            .policies()
            .retry("x");
    for (int call = 0; call < 100; call++) {
      assertThat(catchThrowable(() -> retry.run(() -> fail("down")))).hasMessage("down");
    }
    return retry.metrics().retries();
  }

  private static void fail(String message) {
    throw new IllegalStateException(message);
  }

  private static RetryConfig inRetry(String written) {
    String text = "recloser.retry.instances.x: {" + written + "}";
    return PolicyConfigs.loadYaml("x.yml", text).retries().get("x");
  }

  private static BulkheadConfig inBulkhead(String written) {
    String text = "recloser.bulkhead.instances.x: {" + written + "}";
    return PolicyConfigs.loadYaml("x.yml", text).bulkheads().get("x");
  }

  private static PolicyConfig only(PolicyConfigs configs) {
    return Stream.<Map<String, ? extends PolicyConfig>>of(
            configs.retries(),
            configs.hedges(),
            configs.bulkheads(),
            configs.rateLimiters(),
            configs.timeouts())
        .flatMap(kind -> kind.values().stream())
        .toList()
        .get(0);
  }

  private static Arguments retry(String key, String value, Consumer<RetryConfig.Builder> same) {
    return arguments("retry", key, value, RetryConfig.of(same));
  }

  private static Arguments bulkhead(
      String key, String value, Consumer<BulkheadConfig.Builder> same) {
    return arguments("bulkhead", key, value, BulkheadConfig.of(same));
  }

  private static Arguments limiter(
      String key, String value, Consumer<RateLimiterConfig.Builder> same) {
    return arguments("ratelimiter", key, value, RateLimiterConfig.of(same));
  }

  private static Arguments timeout(String kind, String key, String value) {
    TimeoutConfig same = TimeoutConfig.of(c -> c.timeoutDuration(Duration.ofSeconds(2)));
    return arguments(kind, key, value, same);
  }

  private static String kebab(String camel) {
    return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}

package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.recloser.config.Finding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every rule has a file with the mistake and one without. */
final class LintTest {
  @TempDir private Path folder;

  @ParameterizedTest(name = "{0}")
  @MethodSource("examples")
  void a_mistake_is_found_at_its_line(Example example) throws IOException {
    assertThat(findings(example.wrong, example.workload))
        .filteredOn(finding -> finding.rule().equals(example.rule))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.line()).isEqualTo(example.line);
              assertThat(finding.effect()).isEqualTo(example.effect);
              assertThat(finding.advice()).isNotBlank();
              assertThat(finding.severity()).isGreaterThanOrEqualTo(severityOf(example.rule));
            });
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("examples")
  void where_it_is_not_made_nothing_is_found(Example example) throws IOException {
    assertThat(findings(example.right, example.workload))
        .extracting(Finding::rule)
        .doesNotContain(example.rule)
        .doesNotContain("invalid");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("examples")
  void the_file_can_say_why_it_is_so(Example example) throws IOException {
    if (example.rule.equals("invalid")) {
      return; // What is in a file that cannot be used is not known.
    }
    String root = example.wrong.matches("(?s)(recloser|resilience4j).*") ? "recloser." : "";
    String text =
        example.wrong + "\n" + root + "lint: {silenced: {" + example.rule + ": it must be}}";

    assertThat(findings(text, example.workload))
        .filteredOn(finding -> finding.rule().equals(example.rule))
        .isNotEmpty()
        .allSatisfy(finding -> assertThat(finding.silenced()).isEqualTo("it must be"));
  }

  @Test
  void every_rule_has_an_example() {
    // A fallback is a function, and is not there where files are only looked at: NamedObjectsTest.
    List<String> ofFallbacks = List.of("fallback-without-limit", "stale-failed-results");

    assertThat(Stream.concat(examples().map(Example::rule).distinct(), ofFallbacks.stream()))
        .containsExactlyInAnyOrderElementsOf(Lint.ids());
  }

  static Stream<Example> examples() {
    return Stream.of(
        example("invalid")
            .wrong("slidingWindowSize: 20", "minimumNumberOfCalls: 30")
            .found(2, "this is wrong, so nothing of the file is used: 30")
            .right("slidingWindowSize: 20", "minimumNumberOfCalls: 20"),
        example("unknown-key")
            .wrong("resilience4j.retry.instances.x:", "  ingore-exceptions: [a.B]")
            .found(2, "unknown to Resilience4j too, which ignores it")
            .right("resilience4j.retry.instances.x:", "  ignore-exceptions: [a.B]"),
        example("no-effect")
            .wrong("slidingWindowSize: 20", "registerHealthIndicator: true")
            .found(2, "not set from here")
            .right("slidingWindowSize: 20"),
        example("no-timeout")
            .wrong("recloser.pipelines:", "  orders: [retry, circuitbreaker]")
            .found(2, "a call may take for ever")
            .right("recloser.pipelines:", "  orders: [retry, circuitbreaker, timelimiter]"),
        example("no-timeout")
            .wrong("recloser.circuitbreaker.instances.x:", "  slidingWindowSize: 20")
            .found(1, "nothing in this file ends a call that hangs")
            .right(
                "recloser.circuitbreaker.instances.x.slidingWindowSize: 20",
                "recloser.timelimiter.instances.x.timeoutDuration: 1s"),
        example("timeout-far-above-p99")
            .when(calls -> calls.p99(Duration.ofMillis(100)))
            .wrong("recloser.timelimiter.instances.x:", "  timeoutDuration: 501ms")
            .found(2, "a hung call holds its worker for 501 ms")
            .right("recloser.timelimiter.instances.x.timeoutDuration: 500ms"),
        example("timeout-below-p99")
            .when(calls -> calls.p99(Duration.ofMillis(100)))
            .wrong("recloser.timelimiter.instances.x:", "  timeoutDuration: 100ms")
            .found(2, "more than one healthy call in a hundred is ended after 100 ms")
            .right("recloser.timelimiter.instances.x.timeoutDuration: 101ms"),
        example("slow-limit-at-timeout")
            .wrong(
                "recloser.circuitbreaker.instances.x:",
                "  slowCallDurationThreshold: 200ms",
                "recloser.timelimiter.instances.x:",
                "  timeoutDuration: 200ms")
            .found(
                2,
                "no call can be slower than the slowCallDurationThreshold of x, 200 ms, for the"
                    + " timeout inside ends it after 200 ms")
            .right(
                "recloser.circuitbreaker.instances.x.slowCallDurationThreshold: 199ms",
                "recloser.timelimiter.instances.x.timeoutDuration: 200ms"),
        example("slow-limit-below-p99")
            .when(calls -> calls.p99(Duration.ofMillis(100)))
            .wrong("slowCallDurationThreshold: 100ms")
            .found(
                1, "more than one healthy call in a hundred counts as slow, with a limit of 100 ms")
            .right("slowCallDurationThreshold: 101ms"),
        example("slow-rate-of-all")
            .wrong("slidingWindowSize: 20", "slowCallDurationThreshold: 1s")
            .found(0, "slow calls open the breaker only if all calls in the window are slow")
            .right("slowCallDurationThreshold: 1s", "slowCallRateThreshold: 80"),
        example("slow-calls-not-counted")
            .wrong("slidingWindowSize: 20", "slowCallDurationThreshold: 0")
            .found(
                2,
                "a dependency that answers after half a minute looks healthy while its callers run"
                    + " out of workers")
            .right("slowCallDurationThreshold: 1s"),
        example("minimum-out-of-reach")
            .when(calls -> calls.callsPerSecond(0.5))
            .wrong("slidingWindowSize: 60s", "minimumNumberOfCalls: 31")
            .found(
                2,
                "the breaker never opens: its window of 60 s holds about 30 calls, and no rate is"
                    + " believed below 31")
            .right("slidingWindowSize: 60s", "minimumNumberOfCalls: 30"),
        example("window-spans-minutes")
            .when(calls -> calls.callsPerSecond(0.1))
            .wrong("slidingWindowSize: 13")
            .found(1, "a burst of failures counts for 2.17 min, the time in which 13 calls come in")
            .right("slidingWindowSize: 12"),
        example("window-spans-milliseconds")
            .when(calls -> calls.callsPerSecond(1_000))
            .wrong("slidingWindowSize: 100")
            .found(
                1, "a hiccup of 100 ms opens the breaker, for 100 calls come in within that time")
            .right("slidingWindowSize: 1000"),
        example("single-failure-opens")
            .wrong("slidingWindowSize: 10", "minimumNumberOfCalls: 2")
            .found(2, "one failed call opens the breaker")
            .right("slidingWindowSize: 10", "minimumNumberOfCalls: 3"),
        example("threshold-below-error-rate")
            .when(calls -> calls.errorRate(5))
            .wrong("failureRateThreshold: 5")
            .found(1, "the breaker opens on a usual day, at 5 % of failures")
            .right("failureRateThreshold: 5.1"),
        example("threshold-within-noise")
            .when(calls -> calls.errorRate(5))
            .wrong("slidingWindowSize: 20", "failureRateThreshold: 19")
            .found(2, "bad luck opens the breaker: of 20 calls, 19 % fail now and then")
            .right("slidingWindowSize: 20", "failureRateThreshold: 20"),
        example("threshold-too-relaxed")
            .wrong("slidingWindowSize: 200", "failureRateThreshold: 90")
            .found(2, "the breaker opens when the damage is done")
            .right("slidingWindowSize: 200", "failureRateThreshold: 50"),
        example("pool-full-first")
            .when(calls -> calls.callsPerSecond(1_000).pool(200))
            .wrong(
                "recloser.circuitbreaker.instances.x:",
                "  failureRateThreshold: 50",
                "recloser.timelimiter.instances.x.timeoutDuration: 5s")
            .found(
                2,
                "all 200 workers are taken after 200 ms when the dependency hangs, and the breaker"
                    + " opens after 5.05 s")
            .right(
                "recloser.circuitbreaker.instances.x.failureRateThreshold: 50",
                "recloser.timelimiter.instances.x.timeoutDuration: 100ms"),
        example("pool-full-first")
            .when(calls -> calls.callsPerSecond(1_000).pool(200))
            .wrong(
                "recloser.bulkhead.instances.x.adaptiveLimit.maxLimit: 200",
                "recloser.timelimiter.instances.x.timeoutDuration: 5s",
                "recloser.circuitbreaker.instances.x:",
                "  failureRateThreshold: 50")
            .found(
                4,
                "all 200 workers are taken after 200 ms when the dependency hangs, and the breaker"
                    + " opens after 5.05 s")
            .right(
                "recloser.bulkhead.instances.x.adaptiveLimit.maxLimit: 199",
                "recloser.timelimiter.instances.x.timeoutDuration: 5s",
                "recloser.circuitbreaker.instances.x.failureRateThreshold: 50"),
        example("pool-full-first")
            .when(calls -> calls.callsPerSecond(1_000).pool(200))
            .wrong("slidingWindowSize: 100")
            .found(
                0,
                "all 200 workers are taken after 200 ms when the dependency hangs, and the breaker"
                    + " never opens")
            .right(
                "slidingWindowSize: 100",
                "slowCallDurationThreshold: 100ms",
                "slowCallRateThreshold: 40"),
        example("bulkhead-above-pool")
            .when(calls -> calls.pool(200))
            .wrong("recloser.bulkhead.instances.x:", "  maxConcurrentCalls: 200")
            .found(2, "one dependency may take all 200 workers")
            .right("recloser.bulkhead.instances.x.maxConcurrentCalls: 199"),
        example("bulkhead-above-pool")
            .when(calls -> calls.pool(200))
            .wrong(
                "recloser.bulkhead.instances.x:",
                "  maxConcurrentCalls: 20",
                "  adaptiveLimit: {maxLimit: 200}")
            .found(3, "one dependency may take all 200 workers")
            .right("recloser.bulkhead.instances.x.adaptiveLimit.maxLimit: 199"),
        example("rate-limit-below-traffic")
            .when(calls -> calls.callsPerSecond(100))
            .wrong("recloser.ratelimiter.instances.x:", "  limitForPeriod: 90")
            .found(2, "10 % of the calls are refused on a usual day")
            .right("recloser.ratelimiter.instances.x.limitForPeriod: 100"),
        example("no-jitter")
            .when(calls -> calls.replicas(50))
            .wrong("waitDurationInOpenState: 30s", "randomizedWaitFactor: 0")
            .found(2, "50 replicas that opened together probe together")
            .right("waitDurationInOpenState: 30s", "randomizedWaitFactor: 0.2"),
        example("no-jitter")
            .when(calls -> calls.replicas(50))
            .wrong("recloser.retry.instances.x:", "  enableRandomizedWait: false")
            .found(2, "callers in 50 replicas that failed together come back together")
            .right("recloser.retry.instances.x.maxAttempts: 2"),
        example("wait-without-cap")
            .wrong(
                "waitDurationInOpenState: 1m",
                "enableExponentialBackoff: true",
                "exponentialBackoffMultiplier: 2")
            .found(3, "a dependency that has recovered may be waited for for 10 min")
            .right("exponentialBackoffMultiplier: 2", "exponentialMaxWaitDurationInOpenState: 5m"),
        example("one-probe")
            .wrong("permittedNumberOfCallsInHalfOpenState: 1")
            .found(
                1,
                "one lucky call closes the breaker, one unlucky call opens it for another full"
                    + " wait")
            .right("permittedNumberOfCallsInHalfOpenState: 2"),
        example("too-many-probes")
            .wrong("slidingWindowSize: 5", "permittedNumberOfCallsInHalfOpenState: 6")
            .found(2, "6 calls go to a dependency that is not known to be well")
            .right("slidingWindowSize: 5", "permittedNumberOfCallsInHalfOpenState: 5"),
        example("probe-limit-as-tight")
            .wrong("slowCallDurationThreshold: 1s", "probeSlowCallDurationThreshold: 1s")
            .found(
                2,
                "a dependency that has recovered and is still warming up may not pass its probes")
            .right("slowCallDurationThreshold: 1s", "probeSlowCallDurationThreshold: 2s"),
        example("probe-lease-below-timeout")
            .wrong(
                "recloser.circuitbreaker.instances.x:",
                "  waitDurationInOpenState: 2s",
                "  maxProbeDuration: 2s",
                "recloser.timelimiter.instances.x.timeoutDuration: 3s")
            .found(
                3,
                "a probe that takes longer than 2 s counts as failed, though its call may still"
                    + " succeed")
            .right(
                "recloser.circuitbreaker.instances.x.maxProbeDuration: 3s",
                "recloser.timelimiter.instances.x.timeoutDuration: 3s"),
        example("retries-multiply-load")
            .wrong("recloser.retry.instances.x:", "  retryBudgetPercentage: 60")
            .found(2, "a failing dependency sees up to 1.6 times its load")
            .right("recloser.retry.instances.x.retryBudgetPercentage: 50"),
        example("retries-multiply-load")
            .when(calls -> calls.callsPerSecond(5))
            .wrong("recloser.retry.instances.x:", "  maxAttempts: 3")
            .found(2, "a failing dependency sees up to 3 times its load")
            .right("recloser.retry.instances.x: {maxAttempts: 3, retryBudgetMinimumPerSecond: 1}"),
        example("retries-multiply-load")
            .wrong(
                "recloser:",
                "  retry.instances:",
                "    outer: {maxAttempts: 3}",
                "    inner: {maxAttempts: 4}",
                "  pipelines.x: [\"retry: outer\", timelimiter, \"retry: inner\"]")
            .found(4, "one call may become 12")
            .right("recloser.pipelines.x: [retry, timelimiter]"),
        example("retries-multiply-load")
            .wrong(
                "recloser:",
                "  retry.configs.default.maxAttempts: 1000",
                "  retry.instances: {a: {}, b: {}, c: {}, d: {}}",
                "  pipelines.x: [\"retry: a\", \"retry: b\", \"retry: c\", \"retry: d\", timelimiter]")
            .found(2, "one call may become a million or more")
            .right("recloser.pipelines.x: [retry, timelimiter]"),
        example("retry-without-pause")
            .wrong(
                "recloser:",
                "  retry.instances.x:",
                "    waitDuration: 0",
                "  pipelines.x: [retry, circuitbreaker, timelimiter]")
            .found(3, "up to 3 attempts without a pause fill the window of x with one failure")
            .right("recloser.pipelines.x: [retry, circuitbreaker, timelimiter]"),
        example("attempts-beyond-timeout")
            .wrong(
                "recloser:",
                "  timelimiter.instances: {all: {timeoutDuration: 1s}, each: {timeoutDuration: 500ms}}",
                "  pipelines.x: [\"timelimiter: all\", retry, \"timelimiter: each\"]")
            .found(3, "3 attempts of up to 500 ms do not fit into the 1 s around them")
            .right(
                "recloser:",
                "  timelimiter.instances: {all: {timeoutDuration: 2s}, each: {timeoutDuration: 500ms}}",
                "  pipelines.x: [\"timelimiter: all\", retry, \"timelimiter: each\"]"),
        example("hedge-after-timeout")
            .wrong(
                "recloser:",
                "  hedge.instances.x:",
                "    idempotent: true",
                "    delay: 1s",
                "  pipelines.x: [hedge, timelimiter]")
            .found(
                4,
                "no attempt goes on for the 1 s after which the hedge x makes another, for the"
                    + " timeout inside ends it after 1 s")
            .right(
                "recloser:",
                "  hedge.instances.x: {idempotent: true, delay: 500ms}",
                "  pipelines.x: [hedge, timelimiter]"),
        example("refusals-retried")
            .wrong(
                "recloser.retry.instances.x:",
                "  retryExceptions: [dev.recloser.CallNotPermittedException]")
            .found(
                2, "refused calls are tried again at once, though the refusal was the sign to stop")
            .right("recloser.retry.instances.x.retryExceptions: [java.io.IOException]"),
        example("refusals-retried")
            .wrong(
                "recloser.retry.instances.x:",
                "  retryExceptions: [io.github.resilience4j.circuitbreaker.CallNotPermittedException]")
            .found(
                2,
                "io.github.resilience4j.circuitbreaker.CallNotPermittedException has no effect, for"
                    + " nobody throws it here")
            .right("recloser.retry.instances.x.maxAttempts: 2"),
        example("refusals-retried")
            .wrong("recloser.retry.instances.x:", "  retryRefusals: true")
            .found(
                2, "refused calls are tried again at once, though the refusal was the sign to stop")
            .right("recloser.retry.instances.x.retryRefusals: false"),
        example("refusals-recorded")
            .wrong(
                "slidingWindowSize: 20",
                "recordExceptions: [java.io.IOException, dev.recloser.BulkheadFullException]")
            .found(
                2,
                "refusals count as failures of the dependency, and an open breaker feeds itself or"
                    + " the next")
            .right("recordExceptions: [java.io.IOException]"),
        example("client-errors-recorded")
            .wrong(
                "recordExceptions:",
                "  - java.io.IOException",
                "  - org.springframework.web.client.HttpClientErrorException$BadRequest")
            .found(1, "wrong requests of one caller open the breaker for all others")
            .right(
                "recordExceptions:",
                "  - java.io.IOException",
                "  - org.springframework.web.client.HttpServerErrorException",
                "  - org.springframework.web.client.HttpClientErrorException$TooManyRequests"),
        example("everything-recorded")
            .wrong("recordExceptions: java.lang.Exception")
            .found(1, "java.lang.Exception also records what a client throws on a 400 or a 404")
            .right("recordExceptions: java.lang.Exception", "ignoreExceptions: a.BadRequest"),
        example("failures-not-chosen")
            .wrong("slidingWindowSize: 20")
            .found(0, "every exception is a failure, also one that is about a wrong request")
            .right("ignoreExceptions: a.BadRequest"),
        example("one-breaker-for-all")
            .wrong("recloser.circuitbreaker.instances:", "  default:", "    slidingWindowSize: 20")
            .found(2, "one dependency that fails stops the calls to all others")
            .right("recloser.circuitbreaker.instances.inventory.slidingWindowSize: 20"),
        example("one-breaker-for-all")
            .wrong(
                "recloser:",
                "  circuitbreaker.instances.x:",
                "  pipelines:",
                "    a: [\"circuitbreaker: x\", timelimiter]",
                "    b: [\"circuitbreaker: x\", timelimiter]",
                "    c: [\"circuitbreaker: x\", timelimiter]",
                "    d: [\"circuitbreaker: x\", timelimiter]")
            .found(2, "one dependency that fails stops the calls to all others")
            .right(
                "recloser:",
                "  circuitbreaker.instances.x:",
                "  pipelines:",
                "    a: [\"circuitbreaker: x\", timelimiter]",
                "    b: [\"circuitbreaker: x\", timelimiter]",
                "    c: [\"circuitbreaker: x\", timelimiter]"),
        example("breaker-per-url")
            .wrong(
                "recloser.circuitbreaker.instances:",
                "  \"http://inventory/items/1\":",
                "    slidingWindowSize: 20")
            .found(2, "no breaker sees enough calls to believe a rate")
            .right(
                "recloser.circuitbreaker.instances:",
                "  \"[inventory/reserve]\": {slidingWindowSize: 20}",
                "  \"[http://inventory:8080]\": {slidingWindowSize: 20}"),
        example("copied-block")
            .wrong(
                "recloser.circuitbreaker.instances:",
                "  a:",
                "    slidingWindowSize: 20",
                "    slowCallDurationThreshold: 1s",
                "    slowCallRateThreshold: 80",
                "  b:",
                "    slowCallRateThreshold: 80",
                "    slow-call-duration-threshold: 1s",
                "    slidingWindowSize: 20")
            .found(8, "the breaker of one of two dependencies is tuned to the other")
            .right(
                "recloser.circuitbreaker:",
                "  configs:",
                "    default: {slidingWindowSize: 20, slowCallRateThreshold: 80}",
                "  instances:",
                "    a: {slowCallDurationThreshold: 1s}",
                "    b: {slowCallDurationThreshold: 2s}"),
        example("unused-policy")
            .wrong(
                "recloser:",
                "  circuitbreaker.instances.inventory.slidingWindowSize: 20",
                "  timelimiter.instances.inventry:",
                "    timeoutDuration: 5s",
                "  pipelines.orders: [retry, 'circuitbreaker: inventory', timelimiter]")
            .found(3, "what is written here holds for no pipeline")
            .right(
                "recloser:",
                "  circuitbreaker.instances.inventory.slidingWindowSize: 20",
                "  timelimiter.instances.orders:",
                "    timeoutDuration: 5s",
                "  pipelines.orders: [retry, 'circuitbreaker: inventory', timelimiter]"),
        example("unused-policy")
            .wrong(
                "recloser:",
                "  ratelimiter.instances.orders.limitForPeriod: 20",
                "  pipelines.orders: [retry, circuitbreaker, timelimiter]")
            .found(2, "what is written here holds for no pipeline")
            .right("recloser:", "  ratelimiter.instances.orders.limitForPeriod: 20"),
        example("time-without-unit")
            .wrong("recloser.circuitbreaker.instances.x:", "  waitDurationInOpenState: 30")
            .found(2, "it is 30 ms")
            .right("recloser.circuitbreaker.instances.x:", "  waitDurationInOpenState: 30ms"),
        example("time-without-unit")
            .wrong("recloser.timelimiter.instances.x:", "  timeoutDuration: 5")
            .found(2, "it is 5 ms")
            .right("recloser.timelimiter.instances.x:", "  timeoutDuration: 5s"),
        example("time-without-unit")
            .wrong("recloser.retry:", "  configs.default.waitDuration: 2", "  instances.x:")
            .found(2, "it is 2 ms")
            .right(
                "recloser:",
                "  retry.instances.x.waitDuration: 0",
                "  circuitbreaker.instances.x.waitDurationInOpenState: 1000",
                "  timelimiter.instances.x.timeoutDuration: 200"),
        example("retry-inside-breaker")
            .wrong("recloser.pipelines:", "  orders: [circuitbreaker, retry, timelimiter]")
            .found(2, "the breaker orders counts whole calls, not attempts")
            .right("recloser.pipelines:", "  orders: [retry, circuitbreaker, timelimiter]"));
  }

  @Test
  void a_limit_for_probes_that_is_advised_is_below_the_timeout() throws IOException {
    String breaker = "recloser.circuitbreaker.instances.x.slowCallDurationThreshold: 100ms\n";

    assertThat(findings(breaker, Workload.unknown()))
        .extracting(Finding::advice)
        .contains("write a probeSlowCallDurationThreshold of two or three times that");
    assertThat(
            findings(
                breaker + "recloser.timelimiter.instances.x.timeoutDuration: 200ms",
                Workload.unknown()))
        .extracting(Finding::advice)
        .contains("write a probeSlowCallDurationThreshold between that and the timeout of 200 ms");
  }

  @Test
  void the_nearest_name_that_a_pipeline_has_is_told() throws IOException {
    String text =
        """
        recloser:
          retry.instances: {ordres: {maxAttempts: 2}, alone: {maxAttempts: 2}}
          circuitbreaker.instances: {alone: {slidingWindowSize: 20}}
          pipelines: {orders: default, stock: default}
        """;

    assertThat(findings(text, Workload.unknown()))
        .filteredOn(finding -> finding.rule().equals("unused-policy"))
        .extracting(Finding::key, Finding::reason)
        .containsExactly(
            tuple("retry.instances.ordres", "the nearest retry that a pipeline has is orders"));
  }

  @Test
  void a_name_may_be_silenced_alone() throws IOException {
    String text =
        """
        recloser:
          circuitbreaker.instances:
            a: {permittedNumberOfCallsInHalfOpenState: 1}
            b: {permittedNumberOfCallsInHalfOpenState: 1}
          lint.silenced.one-probe: {a: one worker there}
        """;

    assertThat(findings(text, Workload.unknown()))
        .filteredOn(finding -> finding.rule().equals("one-probe"))
        .extracting(Finding::silenced)
        .containsExactly("one worker there", null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lint: {silenced: {one-probe: {api.example.com: one worker there}}}",
        "lint.silenced.one-probe: {api.example.com: one worker there}",
        "lint.silenced: {one-probe: {'[api.example.com]': one worker there}}",
        "lint.silenced.one-probe[api.example.com]: one worker there"
      })
  void a_name_with_dots_may_be_silenced(String silenced) throws IOException {
    String text =
        """
        recloser:
          circuitbreaker.instances:
            api.example.com: {permittedNumberOfCallsInHalfOpenState: 1}
        """;

    assertThat(findings(text + "  " + silenced, Workload.unknown()))
        .filteredOn(finding -> finding.rule().equals("one-probe"))
        .extracting(Finding::silenced)
        .containsExactly("one worker there");
  }

  @ParameterizedTest
  @CsvSource({
    "x.countSlowCallsInFlight: false,,true",
    "x.slowCallDurationThreshold: 0,,true",
    "x.slowCallDurationThreshold: 1s,,false",
    "x.slowCallDurationThreshold: 1s,900ms,true",
    "x.slowCallDurationThreshold: 1s,2s,false"
  })
  void what_a_breaker_knows_of_hung_calls_is_not_belied(
      String setting, @Nullable String timeout, boolean unseen) throws IOException {
    String text =
        "recloser.circuitbreaker.instances."
            + setting
            + (timeout == null
                ? ""
                : "\nrecloser.timelimiter.instances.x.timeoutDuration: " + timeout);

    List<Finding> findings = findings(text, Workload.of(calls -> calls.p99(Duration.ofMillis(10))));

    assertThat(findings)
        .filteredOn(
            finding ->
                finding.rule().equals(timeout == null ? "no-timeout" : "timeout-far-above-p99"))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(
                        finding.toString().contains("the breaker cannot count it before")
                            || finding.toString().contains("the breaker learns of it only then"))
                    .isEqualTo(unseen));
  }

  @Test
  void what_a_pipeline_warns_of_is_told_at_the_policy_it_is_about() throws IOException {
    String text =
        """
        recloser:
          circuitbreaker.instances:
            fast: {slowCallDurationThreshold: 100ms}
            slow:
              slowCallDurationThreshold: 2s
          pipelines.x: ["circuitbreaker: fast", "circuitbreaker: slow", timelimiter]
          lint.silenced.slow-limit-at-timeout: {slow: it shall be}
        """;

    assertThat(findings(text, Workload.unknown()))
        .filteredOn(finding -> finding.rule().equals("slow-limit-at-timeout"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.line()).isEqualTo(5);
              assertThat(finding.key())
                  .isEqualTo("circuitbreaker.instances.slow.slowCallDurationThreshold");
              assertThat(finding.silenced()).isEqualTo("it shall be");
            });
  }

  @Test
  void properties_silence_too() throws IOException {
    Path file = folder.resolve("x.properties");
    Files.writeString(
        file,
        """
        recloser.circuitbreaker.instances.a.permitted-number-of-calls-in-half-open-state=1
        recloser.lint.silenced.one-probe.a=one worker there
        """);

    assertThat(Lint.check(List.of(file), Workload.unknown()))
        .filteredOn(finding -> finding.rule().equals("one-probe"))
        .extracting(Finding::silenced)
        .containsExactly("one worker there");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "silenced: {one-prob: reason} // one-prob: reason (expected: the id of a rule; the nearest is one-probe)",
        "silenced: {one-probe: } // one-probe: nothing (expected: the reason why it is as it shall be)",
        "silenced: {one-probe: {x: ''}} // one-probe.x: nothing (expected: the reason why it is as it shall be)",
        "silenced.one-probe.api.host: x // one-probe.api: a section (expected: the reason why it is as it shall be; a name with dots stands in brackets: [api.host])",
        "silenced.one-probe.api.example.com: x // one-probe.api: a section (expected: the reason why it is as it shall be; a name with dots stands in brackets: [api.example.com])",
        "silenced: {one-probe: [x]} // one-probe: [x] (expected: the reason why it is as it shall be)",
        "ignore: {one-probe: reason} // lint.ignore: a section (expected: silenced or workload)"
      })
  void what_is_silenced_is_a_rule_with_a_reason(String example) {
    String[] parts = example.split(" // ", -1);

    assertThatThrownBy(
            () ->
                PolicyConfigs.loadYaml(
                    "x.yml",
                    "recloser: {retry.instances.x.maxAttempts: 2, lint: {" + parts[0] + "}}"))
        .message()
        .endsWith(parts[1]);
  }

  @Test
  void what_is_wrong_is_found_too_and_all_of_it() throws IOException {
    assertThat(findings("slidingWindowSize: few\nslidingWindowSise: 3", Workload.unknown()))
        .extracting(Finding::toString)
        .containsExactly(
            folder.resolve("x.yml")
                + ":1: error: slidingWindowSize: this is wrong, so nothing of the file is used: few;"
                + " write a number of calls such as 100, or a duration such as 30s (invalid)",
            folder.resolve("x.yml")
                + ":2: error: slidingWindowSise: this is wrong, so nothing of the file is used: 3;"
                + " write a known key; the nearest is slidingWindowSize (invalid)");
  }

  @Test
  void findings_are_in_the_order_of_files_and_lines() throws IOException {
    Path first =
        Files.writeString(folder.resolve("a.yml"), "permittedNumberOfCallsInHalfOpenState: 1");
    Path second =
        Files.writeString(
            folder.resolve("b.yml"),
            """
            recloser.circuitbreaker.instances.default:
              slowCallDurationThreshold: 1s
              permittedNumberOfCallsInHalfOpenState: 1
            """);

    List<Finding> findings = Lint.check(List.of(second, first), Workload.unknown());

    List<Finding> sorted = new ArrayList<>(findings);
    sorted.sort(
        (a, b) ->
            a.file().equals(b.file())
                ? Integer.compare(a.line(), b.line())
                : a.file().compareTo(b.file()));
    assertThat(findings).hasSizeGreaterThan(4).isEqualTo(sorted);
  }

  @Test
  void the_same_rules_speak_when_an_application_reads_the_file() {
    String text = "recloser.circuitbreaker.instances.x.permittedNumberOfCallsInHalfOpenState: 1";

    assertThat(PolicyConfigs.loadYaml("x.yml", text).findings())
        .extracting(Finding::rule)
        .contains("one-probe");
    assertThat(Breakers.yaml("x.yml", text).findings())
        .extracting(Finding::rule)
        .contains("one-probe");
    String silenced =
        "permittedNumberOfCallsInHalfOpenState: 1\nlint.silenced.one-probe: there is one worker";
    assertThat(Breakers.yaml("x.yml", silenced).findings())
        .filteredOn(finding -> finding.rule().equals("one-probe"))
        .extracting(Finding::silenced)
        .containsExactly("there is one worker");
    assertThat(Breakers.yaml("x.yml", "permittedNumberOfCallsInHalfOpenState: 1").findings())
        .extracting(Finding::rule)
        .contains("one-probe");
  }

  @Test
  void errors_and_warnings_are_logged_once_though_the_file_is_read_again() {
    String text = "recloser.circuitbreaker.instances.x.permittedNumberOfCallsInHalfOpenState: 1";
    try (LogLines log = new LogLines()) {
      PolicyConfigs.loadYaml("logged.yml", text).policies();
      PolicyConfigs.loadYaml("logged.yml", "# a line more\n" + text).policies();
      Breakers.yaml("logged.yml", text).registry();
      PolicyConfigs.loadYaml(
              "silenced.yml", "recloser.lint.silenced.one-probe: one worker\n" + text)
          .policies();

      assertThat(log.lines())
          .filteredOn(line -> line.contains("one-probe"))
          .containsExactlyInAnyOrder(
              "WARNING logged.yml:1: warning:"
                  + " circuitbreaker.instances.x.permittedNumberOfCallsInHalfOpenState: one lucky"
                  + " call closes the breaker, one unlucky call opens it for another full wait; a"
                  + " single answer says little about a dependency that is coming back; write"
                  + " permittedNumberOfCallsInHalfOpenState: 2 to 5 (one-probe)",
              "WARNING logged.yml:1: warning: instances.x.permittedNumberOfCallsInHalfOpenState: one"
                  + " lucky call closes the breaker, one unlucky call opens it for another full"
                  + " wait; a single answer says little about a dependency that is coming back;"
                  + " write permittedNumberOfCallsInHalfOpenState: 2 to 5 (one-probe)");
      assertThat(log.lines()).noneMatch(line -> line.contains(": note: "));
    }
  }

  @Test
  void ids_are_unique_and_in_kebab_case() {
    assertThat(Lint.ids())
        .doesNotHaveDuplicates()
        .allMatch(id -> id.matches("[a-z0-9]+(-[a-z0-9]+)*"));
    assertThat(Lint.rules()).allSatisfy(rule -> assertThat(rule.about()).endsWith("."));
  }

  @Test
  void a_workload_that_cannot_be_is_refused_with_all_that_is_wrong() {
    assertThatThrownBy(
            () ->
                Workload.of(
                    calls ->
                        calls
                            .callsPerSecond(0)
                            .p99(Duration.ZERO)
                            .errorRate(101)
                            .pool(0)
                            .replicas(-1)))
        .hasMessageContainingAll(
            "callsPerSecond: 0.0 (expected: more than 0)",
            "p99: PT0S (expected: more than zero)",
            "errorRate: 101.0 (expected: 0 to 100)",
            "pool: 0 (expected: at least 1)",
            "replicas: -1 (expected: at least 1)");
  }

  private List<Finding> findings(String text, Workload workload) throws IOException {
    Path file = Files.writeString(folder.resolve("x.yml"), text);
    return Lint.check(List.of(file), workload);
  }

  private static Severity severityOf(String rule) {
    return Lint.rules().stream()
        .filter(each -> each.id().equals(rule))
        .findFirst()
        .orElseThrow()
        .severity();
  }

  private static Example example(String rule) {
    return new Example(rule, Workload.unknown(), "", 0, "", "");
  }

  /**
   * A mistake.
   *
   * @param line of the mistake
   * @param effect what is said of it
   */
  record Example(
      String rule, Workload workload, String wrong, int line, String effect, String right) {
    Example when(Consumer<Workload.Builder> known) {
      return new Example(rule, Workload.of(known), wrong, line, effect, right);
    }

    Example wrong(String... lines) {
      return new Example(rule, workload, String.join("\n", lines), line, effect, right);
    }

    Example found(int line, String effect) {
      return new Example(rule, workload, wrong, line, effect, right);
    }

    Example right(String... lines) {
      return new Example(rule, workload, wrong, line, effect, String.join("\n", lines));
    }

    @Override
    public String toString() {
      return rule + " at " + wrong.lines().reduce("", (all, next) -> next).strip();
    }
  }
}

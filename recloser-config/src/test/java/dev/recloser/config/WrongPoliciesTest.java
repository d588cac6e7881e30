package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is wrong with policies and pipelines, and exactly what is said about it. */
final class WrongPoliciesTest {
  private static final String NOTHING =
      " (expected: circuitbreaker, retry, hedge, bulkhead, thread-pool-bulkhead, ratelimiter, timelimiter or pipelines"
          + " under recloser or resilience4j)";

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void yaml(String title, String text, String message) {
    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(() -> PolicyConfigs.loadYaml("orders.yml", text))
        .withMessage(message.strip());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void properties(String title, String text, String message) {
    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(() -> PolicyConfigs.loadProperties("orders.properties", text))
        .withMessage(message.strip());
  }

  static Stream<Arguments> yaml() {
    return Stream.of(
        wrong("an empty text", "", "orders.yml: empty" + NOTHING),
        wrong("a list", "- retry", "orders.yml:1: no keys but a list" + NOTHING),
        wrong("nothing about policies", "spring: {}", "orders.yml: no policy" + NOTHING),
        wrong("a root without policies", "recloser: {}", "orders.yml: no policy" + NOTHING),
        wrong(
            "policies without a root",
            """
            retry:
              instances: {inventory: {maxAttempts: 3}}
            pipelines:
              orders: default
            """,
            """
            orders.yml:1: retry: a section (expected: this key under recloser or resilience4j)
            orders.yml:3: pipelines: a section (expected: this key under recloser or resilience4j)
            """),
        wrong(
            "a bare block",
            """
            maxAttempts: 3
            instances: {}
            """,
            """
            orders.yml:1: maxAttempts: 3 (expected: this key under the kind of policy it is for)
            orders.yml:2: instances: a section (expected: this key under the kind of policy it is for)
            """),
        wrong(
            "a setting beside the root",
            """
            waitDuration: 1s
            recloser.retry.instances.inventory:
            """,
            """
            orders.yml:1: waitDuration: 1s (expected: this key under configs or instances)
            """),
        wrong(
            "misspelled sections",
            """
            recloser:
              retyr: {}
              bulkheads: {}
              ratelimter: {}
              pipeline: {}
              tenants: {}
            """,
            """
            orders.yml:2: recloser.retyr: a section (expected: one of retry, hedge, circuitbreaker, ratelimiter, bulkhead, timelimiter, timeout, thread-pool-bulkhead, pipelines, lint, listeners)
            orders.yml:3: recloser.bulkheads: a section (expected: bulkhead)
            orders.yml:4: recloser.ratelimter: a section (expected: ratelimiter)
            orders.yml:5: recloser.pipeline: a section (expected: pipelines)
            orders.yml:6: recloser.tenants: a section (expected: one of retry, hedge, circuitbreaker, ratelimiter, bulkhead, timelimiter, timeout, thread-pool-bulkhead, pipelines, lint, listeners)
            """),
        wrong(
            "an unknown section beside a known one",
            """
            recloser:
              retry.instances.inventory.maxAttempts: 3
              breaker.instances.inventory.slidingWindowSize: 10
            resilience4j.scheduled.executor: {}
            """,
            """
            orders.yml:3: recloser.breaker: a section (expected: one of retry, hedge, circuitbreaker, ratelimiter, bulkhead, timelimiter, timeout, thread-pool-bulkhead, pipelines, lint, listeners)
            """),
        wrong(
            "settings right under a kind",
            """
            recloser:
              retry:
                maxAttempts: 3
            """,
            """
            orders.yml:3: retry.maxAttempts: 3 (expected: configs or instances)
            """),
        wrong(
            "values in place of sections",
            """
            recloser:
              retry: 3
              bulkhead: {instances: inventory}
              timelimiter: {instances: {inventory: 2s}}
              pipelines: default
            """,
            """
            orders.yml:2: retry: 3 (expected: a section with keys of its own)
            orders.yml:3: bulkhead.instances: inventory (expected: a section with keys of its own)
            orders.yml:4: timelimiter.instances.inventory: 2s (expected: a section with keys of its own)
            orders.yml:5: pipelines: default (expected: a section with keys of its own)
            """),
        wrong(
            "a key of another kind",
            """
            recloser.timelimiter.instances.inventory:
              maxAttempts: 3
            """,
            """
            orders.yml:2: timelimiter.instances.inventory.maxAttempts: 3 (expected: a known key; the nearest is executor)
            """),
        wrong(
            "keys that are misspelled",
            """
            recloser:
              retry.instances.inventory.maxAttemps: 3
              bulkhead.instances.inventory.maxConcurentCalls: 3
              ratelimiter.instances.inventory.limitPerPeriod: 3
            """,
            """
            orders.yml:2: retry.instances.inventory.maxAttemps: 3 (expected: a known key; the nearest is maxAttempts)
            orders.yml:3: bulkhead.instances.inventory.maxConcurentCalls: 3 (expected: a known key; the nearest is maxConcurrentCalls)
            orders.yml:4: ratelimiter.instances.inventory.limitPerPeriod: 3 (expected: a known key; the nearest is limitForPeriod)
            """),
        wrong(
            "two names of one setting",
            """
            recloser.retry.instances.inventory:
              maxWaitDuration: 2s
              exponentialMaxWaitDuration: 3s
            """,
            """
            orders.yml:3: retry.instances.inventory.exponentialMaxWaitDuration: 3s (expected: each key once, and line 2 has it already)
            """),
        wrong(
            "a retry of two names of its section",
            """
            recloser:
              timeout.instances.inventory.timeoutDuration: 2s
              timelimiter.instances.inventory.timeoutDuration: 3s
            """,
            """
            orders.yml:3: timelimiter.instances.inventory: a section (expected: each key once, and line 2 has it already)
            """),
        wrong(
            "a blank name",
            """
            recloser:
              retry.instances: {" ": {maxAttempts: 3}}
              pipelines: {"": default}
            """,
            """
            orders.yml:2: retry.instances."": a section (expected: a name that is not blank)
            orders.yml:3: pipelines."": default (expected: a name that is not blank)
            """),
        wrong(
            "everything that can be wrong with a retry",
            """
            recloser.retry.instances.inventory:
              maxAttempts: 0
              waitDuration: 2s
              exponentialBackoffMultiplier: 0.5
              exponentialMaxWaitDuration: 1s
              randomizedWaitFactor: 1.5
              jitter: SOME
              maxElapsedTime: -1s
              retryExceptions: IOException
              resultPredicate: com.shop.NoSuchPredicate
              retryBudgetPercentage: 120
              retryBudgetMinimumPerSecond: -1
            """,
            """
            orders.yml:2: retry.instances.inventory.maxAttempts: 0 (expected: at least 1)
            orders.yml:4: retry.instances.inventory.exponentialBackoffMultiplier: 0.5 (expected: 1 to 1,000,000)
            orders.yml:5: retry.instances.inventory.exponentialMaxWaitDuration: 1s (expected: at least 2 s, at most 36,500 days)
            orders.yml:6: retry.instances.inventory.randomizedWaitFactor: 1.5 (expected: a number from 0 to 1)
            orders.yml:7: retry.instances.inventory.jitter: SOME (expected: NONE, FULL, EQUAL or DECORRELATED)
            orders.yml:8: retry.instances.inventory.maxElapsedTime: -1s (expected: zero or more, at most 36,500 days)
            orders.yml:9: retry.instances.inventory.retryExceptions[0]: IOException (expected: the full name of an exception class, for example java.io.IOException)
            orders.yml:10: retry.instances.inventory.resultPredicate: com.shop.NoSuchPredicate (expected: the full name of a class that can be loaded)
            orders.yml:11: retry.instances.inventory.retryBudgetPercentage: 120 (expected: a percentage above 0, at most 100, with at most six decimals)
            orders.yml:12: retry.instances.inventory.retryBudgetMinimumPerSecond: -1 (expected: at least 0)
            """),
        wrong(
            "a wait for breakers without a limit",
            """
            recloser.retry.instances.inventory:
              waitForCircuitBreaker: true
            """,
            """
            orders.yml:2: retry.instances.inventory.waitForCircuitBreaker: true (expected: a limit to what is waited for)
            """),
        wrong(
            "everything that can be wrong with a hedge, and one of which nothing is written",
            """
            recloser:
              hedge.instances.inventory: {maxAttempts: 1, delay: -1s, delayPercentile: 100}
              pipelines.orders: hedge
            """,
            """
            orders.yml:2: hedge.instances.inventory.maxAttempts: 1 (expected: 2 to 10)
            orders.yml:2: hedge.instances.inventory.delay: -1s (expected: zero or more, at most 36,500 days)
            orders.yml:2: hedge.instances.inventory.delayPercentile: 100 (expected: zero or more, below 100)
            orders.yml:2: hedge.instances.inventory.idempotent: false (expected: true, for calls that may be made twice at the same time; others must not be hedged)
            orders.yml:3: hedge.instances.orders.idempotent: false (expected: true, for calls that may be made twice at the same time; others must not be hedged)
            """),
        wrong(
            "everything that can be wrong with a bulkhead",
            """
            recloser.bulkhead.instances:
              inventory:
                maxConcurrentCalls: 0
                maxWaitDuration: -1s
                fairCallHandlingEnabled: maybe
              pricing:
                maxQueuedCalls: 3
            """,
            """
            orders.yml:3: bulkhead.instances.inventory.maxConcurrentCalls: 0 (expected: 1 to 1,000,000)
            orders.yml:4: bulkhead.instances.inventory.maxWaitDuration: -1s (expected: zero or more, at most 36,500 days)
            orders.yml:5: bulkhead.instances.inventory.fairCallHandlingEnabled: maybe (expected: true or false)
            orders.yml:7: bulkhead.instances.pricing.maxQueuedCalls: 3 (expected: a time for which calls may wait)
            """),
        wrong(
            "a limit that cannot be found",
            """
            recloser.bulkhead.instances:
              inventory:
                adaptiveLimit: {minLimit: 0, backoffFactor: 2, floor: 3}
              pricing:
                adaptive-limit: {}
            """,
            """
            orders.yml:3: bulkhead.instances.inventory.adaptiveLimit.floor: 3 (expected: a known key; the nearest is adaptiveLimit)
            orders.yml:3: bulkhead.instances.inventory.adaptiveLimit.minLimit: 0 (expected: 1 to 1,000,000)
            orders.yml:3: bulkhead.instances.inventory.adaptiveLimit.backoffFactor: 2 (expected: 0.1 to 0.99)
            orders.yml:5: bulkhead.instances.pricing.adaptive-limit: a section (expected: true or false)
            """),
        wrong(
            "everything that can be wrong with a bulkhead of threads",
            """
            recloser.thread-pool-bulkhead.instances:
              reports: {coreThreadPoolSize: 5, maxThreadPoolSize: 4}
              orders: {maxThreadPoolSize: 0, queueCapacity: -1, keepAliveDuration: -1s}
              pricing: {coreThreadPoolSize: 0}
              stock: {maxWaitDuration: 0, queueCapacity: 3}
              users: {coreThreadPoolSize: 2000000}
            """,
            """
            orders.yml:2: thread-pool-bulkhead.instances.reports.coreThreadPoolSize: 5 (expected: at least 1, at most maxThreadPoolSize)
            orders.yml:3: thread-pool-bulkhead.instances.orders.maxThreadPoolSize: 0 (expected: 1 to 1,000,000)
            orders.yml:3: thread-pool-bulkhead.instances.orders.queueCapacity: -1 (expected: 0 to 1,000,000)
            orders.yml:3: thread-pool-bulkhead.instances.orders.keepAliveDuration: -1s (expected: zero or more, at most 36,500 days)
            orders.yml:4: thread-pool-bulkhead.instances.pricing.coreThreadPoolSize: 0 (expected: at least 1, at most maxThreadPoolSize)
            orders.yml:5: thread-pool-bulkhead.instances.stock.queueCapacity: 3 (expected: a time for which calls may wait)
            orders.yml:6: thread-pool-bulkhead.instances.users.coreThreadPoolSize: 2000000 (expected: at least 1, at most maxThreadPoolSize)
            """),
        wrong(
            "everything that can be wrong with a rate limiter",
            """
            recloser.ratelimiter.instances.inventory:
              limitForPeriod: 0
              limitRefreshPeriod: 0
              maxBurst: 0
              permitsPerCall: 0
              timeoutDuration: -1
            """,
            """
            orders.yml:2: ratelimiter.instances.inventory.limitForPeriod: 0 (expected: at least 1)
            orders.yml:3: ratelimiter.instances.inventory.limitRefreshPeriod: 0 (expected: more than zero, at most 36,500 days)
            orders.yml:4: ratelimiter.instances.inventory.maxBurst: 0 (expected: at least 1)
            orders.yml:5: ratelimiter.instances.inventory.permitsPerCall: 0 (expected: at least 1, at most maxBurst)
            orders.yml:6: ratelimiter.instances.inventory.timeoutDuration: -1 (expected: zero or more, at most 36,500 days)
            """),
        wrong(
            "a timeout of no time",
            """
            recloser.timelimiter.instances.inventory.timeoutDuration: 0
            """,
            """
            orders.yml:1: timelimiter.instances.inventory.timeoutDuration: 0 (expected: more than zero, at most 36,500 days)
            """),
        wrong(
            "a base that is not there",
            """
            recloser:
              retry:
                configs: {shared: {}}
                instances: {inventory: {baseConfig: share}}
              bulkhead.instances.inventory.baseConfig: shared
            """,
            """
            orders.yml:4: retry.instances.inventory.baseConfig: share (expected: a name that is under configs; the nearest is shared)
            orders.yml:5: bulkhead.instances.inventory.baseConfig: shared (expected: a name that is under configs, where there is none)
            """),
        wrong(
            "a setting that does not go with the inherited ones",
            """
            recloser.retry:
              configs:
                default: {maxWaitDuration: 1s}
              instances:
                inventory: {waitDuration: 2s}
            """,
            """
            orders.yml:5: retry.instances.inventory.maxWaitDuration: 1s (expected: at least 2 s, at most 36,500 days; inherited from retry.configs.default.maxWaitDuration in line 3)
            """),
        wrong(
            "a template that is wrong, told once, whoever starts from it",
            """
            recloser:
              retry.configs.default.maxAttempts: 0
              pipelines: {orders: default, reports: [retry]}
            """,
            """
            orders.yml:2: retry.configs.default.maxAttempts: 0 (expected: at least 1)
            """),
        wrong(
            "pipelines of nothing",
            """
            recloser.pipelines:
              orders:
              reports: []
              payments: {}
              prices: {warnings: error}
            """,
            """
            orders.yml:2: pipelines.orders: nothing (expected: default, or a list of policies such as [retry, circuitbreaker: inventory], outermost first)
            orders.yml:3: pipelines.reports: [] (expected: default, or a list of policies such as [retry, circuitbreaker: inventory], outermost first)
            orders.yml:4: pipelines.payments.policies: nothing (expected: default, or a list of policies such as [retry, circuitbreaker: inventory], outermost first)
            orders.yml:5: pipelines.prices.policies: nothing (expected: default, or a list of policies such as [retry, circuitbreaker: inventory], outermost first)
            """),
        wrong(
            "kinds that are none",
            """
            recloser.pipelines:
              orders: defualt
              reports: [retries, fallback, thread-pool]
              payments: {policies: [{retry: a, bulkhead: b}, [retry], "", retry: {}]}
            """,
            """
            orders.yml:2: pipelines.orders[0]: defualt (expected: a kind of policy, or default; the nearest is default)
            orders.yml:3: pipelines.reports[0]: retries (expected: a kind of policy; the nearest is retry)
            orders.yml:3: pipelines.reports[1]: fallback (expected: a kind of policy; a fallback stands beside policies, as fallback: NAME)
            orders.yml:3: pipelines.reports[2]: thread-pool (expected: a kind of policy; the nearest is thread-pool-bulkhead)
            orders.yml:4: pipelines.payments.policies[0]: a section (expected: a kind of policy, or a kind: name)
            orders.yml:4: pipelines.payments.policies[1]: [retry] (expected: a kind of policy, or a kind: name)
            orders.yml:4: pipelines.payments.policies[2]: nothing (expected: a kind of policy, or a kind: name)
            orders.yml:4: pipelines.payments.policies[3].retry: a section (expected: a name)
            """),
        wrong(
            "names that are not there",
            """
            recloser:
              circuitbreaker.instances: {inventory: {}, pricing: {}}
              pipelines:
                orders:
                  - retry: inventory
                  - circuitbreaker: inventroy
                  - circuit-breakers: inventory
            """,
            """
            orders.yml:5: pipelines.orders[0]: retry: inventory (expected: a name that is under retry.instances, where there is none)
            orders.yml:6: pipelines.orders[1]: circuitbreaker: inventroy (expected: a name that is under circuitbreaker.instances; the nearest is inventory)
            orders.yml:7: pipelines.orders[2]: circuit-breakers (expected: a kind of policy; the nearest is circuitbreaker)
            """),
        wrong(
            "a policy twice",
            """
            recloser:
              retry.instances.orders: {}
              pipelines.orders: [retry, circuitbreaker, retry: orders]
            """,
            """
            orders.yml:3: pipelines.orders[2]: retry orders (expected: each policy once)
            """),
        wrong(
            "a pipeline twice",
            """
            recloser.pipelines.orders: default
            resilience4j.pipelines.orders: [retry]
            """,
            """
            orders.yml:2: pipelines.orders: [retry] (expected: each key once, and line 1 has it already)
            """),
        wrong(
            "keys of a pipeline",
            """
            recloser.pipelines.orders:
              policies: [retry]
              Policies: [bulkhead]
              warnings: fatal
              fallback: none
            """,
            """
            orders.yml:3: pipelines.orders.Policies: [bulkhead] (expected: each key once, and line 2 has it already)
            orders.yml:4: pipelines.orders.warnings: fatal (expected: NOTE or ERROR)
            orders.yml:5: pipelines.orders.fallback: none (expected: the full name of a class that can be loaded)
            """),
        wrong(
            "warnings that are errors",
            """
            recloser:
              circuitbreaker.instances.orders.slowCallDurationThreshold: 2s
              timelimiter.instances.orders.timeoutDuration: 200ms
              pipelines:
                orders:
                  policies: default
                  warnings: error
            """,
            """
            orders.yml:5: pipelines.orders: slow-limit-at-timeout: no call can be slower than the slowCallDurationThreshold of orders, 2 s, for the timeout inside ends it after 200 ms (expected: no warning; set the threshold between the usual p99 and the timeout)
            """));
  }

  static Stream<Arguments> properties() {
    return Stream.of(
        wrong("empty", "# nothing yet", "orders.properties: empty" + NOTHING),
        wrong(
            "a gap in a list",
            """
            recloser.pipelines.orders[0]=retry
            recloser.pipelines.orders[2]=bulkhead
            """,
            """
            orders.properties:1: pipelines.orders: a section (expected: a list, numbered from 0 without gaps)
            """),
        wrong(
            "a comma too many",
            """
            recloser.pipelines.orders=retry,
            """,
            """
            orders.properties:1: pipelines.orders[1]: nothing (expected: a kind of policy, or a kind: name)
            """),
        wrong(
            "a name that is not there",
            """
            recloser.pipelines.orders=retry:
            """,
            """
            orders.properties:1: pipelines.orders[0]: retry:  (expected: a name that is under retry.instances, where there is none)
            """),
        wrong(
            "a name with dots",
            """
            recloser.retry.instances.api.example.com.maxAttempts=3
            """,
            """
            orders.properties:1: retry.instances.api.example: a section (expected: a setting; a name with dots stands in brackets: [api.example.com])
            """));
  }

  @Test
  void a_map_has_no_lines() {
    Map<String, Object> settings =
        Map.of(
            "recloser.retry.instances.inventory.maxAttempts",
            0,
            "recloser.pipelines.orders",
            List.of("retry", "retries"));

    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(() -> PolicyConfigs.fromMap(settings))
        .withMessage(
            """
            map: pipelines.orders[1]: retries (expected: a kind of policy; the nearest is retry)
            map: retry.instances.inventory.maxAttempts: 0 (expected: at least 1)""");
  }

  private static Arguments wrong(String title, String text, String message) {
    return arguments(title, text, message);
  }
}

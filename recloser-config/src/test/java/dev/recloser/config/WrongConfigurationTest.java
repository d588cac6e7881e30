package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is wrong, and exactly what is said about it. */
final class WrongConfigurationTest {
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void yaml(String title, String text, String message) {
    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(() -> Breakers.yaml("breakers.yml", text))
        .withMessage(message.strip());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void properties(String title, String text, String message) {
    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(() -> Breakers.properties("breakers.properties", text))
        .withMessage(message.strip());
  }

  static Stream<Arguments> yaml() {
    return Stream.of(
        wrong(
            "an empty text",
            "",
            """
            breakers.yml: empty (expected: the settings of a circuit breaker, or configs and instances under recloser.circuitbreaker or resilience4j.circuitbreaker)
            """),
        wrong(
            "nothing but a comment",
            """
            # nothing yet
            """,
            """
            breakers.yml: empty (expected: the settings of a circuit breaker, or configs and instances under recloser.circuitbreaker or resilience4j.circuitbreaker)
            """),
        wrong(
            "nothing but the mark of a document",
            """
            ---
            """,
            """
            breakers.yml: empty (expected: the settings of a circuit breaker, or configs and instances under recloser.circuitbreaker or resilience4j.circuitbreaker)
            """),
        wrong(
            "a list in place of keys",
            """
            - slidingWindowSize: 20
            """,
            """
            breakers.yml:1: no keys but a list (expected: the settings of a circuit breaker, or configs and instances under recloser.circuitbreaker or resilience4j.circuitbreaker)
            """),
        wrong(
            "a value in place of keys",
            """
            slidingWindowSize 20
            """,
            """
            breakers.yml:1: no keys but a value (expected: the settings of a circuit breaker, or configs and instances under recloser.circuitbreaker or resilience4j.circuitbreaker)
            """),
        wrong(
            "two documents",
            """
            slidingWindowSize: 20
            ---
            slidingWindowSize: 30
            """,
            """
            breakers.yml:3: another document (expected: one document in a file that is the settings of one circuit breaker)
            """),
        wrong(
            "a mapping within a line",
            """
            slidingWindowSize: 20
            failureRateThreshold: 50: 60
            """,
            """
            breakers.yml:2: mapping values are not allowed here (expected: YAML)
            """),
        wrong(
            "a tab for indentation",
            """
            recloser:
            \tcircuitbreaker:
            """,
            """
            breakers.yml:2: found character '\\t(TAB)' that cannot start any token. (Do not use \\t(TAB) for indentation) (expected: YAML)
            """),
        wrong(
            "a list that is not closed",
            """
            recordExceptions: [java.io.IOException
            """,
            """
            breakers.yml:2: expected ',' or ']', but got <stream end> (expected: YAML)
            """),
        wrong(
            "a quote that is not closed",
            """
            slidingWindowType: 'COUNT_BASED
            """,
            """
            breakers.yml:2: found unexpected end of stream (expected: YAML)
            """),
        wrong(
            "an alias of nothing",
            """
            slidingWindowSize: *size
            """,
            """
            breakers.yml:1: found undefined alias size (expected: YAML)
            """),
        wrong(
            "a mapping within itself",
            """
            recloser: &all
              circuitbreaker: *all
            """,
            """
            breakers.yml:1: a mapping within itself (expected: YAML that ends)
            """),
        wrong(
            "a mapping merged into itself",
            """
            recloser.circuitbreaker.instances.inventory: &all
              <<: *all
            """,
            """
            breakers.yml:1: a mapping within itself (expected: YAML that ends)
            """),
        wrong(
            "a merge of a value",
            """
            recloser.circuitbreaker.instances.inventory:
              <<: 20
            """,
            """
            breakers.yml:2: a value under << (expected: a mapping to be merged)
            """),
        wrong(
            "aliases that grow without end",
            """
            a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]
            b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
            c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
            d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
            e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]
            f: [*e, *e, *e, *e, *e, *e, *e, *e, *e]
            """,
            """
            breakers.yml: 100005 values (expected: at most 100000)
            """),
        wrong(
            "a control character",
            """
            slidingWindowSize: \001
            """,
            """
            breakers.yml:1: character 0x01 (expected: characters that can be printed)
            """),
        wrong(
            "a key twice",
            """
            slidingWindowSize: 20
            slidingWindowSize: 30
            """,
            """
            breakers.yml:2: slidingWindowSize: 30 (expected: each key once, and line 1 has it already)
            """),
        wrong(
            "a key in two spellings",
            """
            slidingWindowSize: 20
            sliding-window-size: 30
            """,
            """
            breakers.yml:2: sliding-window-size: 30 (expected: each key once, and line 1 has it already)
            """),
        wrong(
            "an instance twice",
            """
            recloser:
              circuitbreaker:
                instances:
                  inventory:
                    slidingWindowSize: 20
                  inventory:
                    slidingWindowSize: 30
            """,
            """
            breakers.yml:6: instances.inventory: a section (expected: each key once, and line 4 has it already)
            """),
        wrong(
            "an instance in both roots",
            """
            recloser.circuitbreaker.instances.inventory.slidingWindowSize: 20
            resilience4j.circuitbreaker.instances.inventory.slidingWindowSize: 30
            """,
            """
            breakers.yml:2: instances.inventory: a section (expected: each key once, and line 1 has it already)
            """),
        wrong(
            "an unknown key",
            """
            failureRateTreshold: 50
            """,
            """
            breakers.yml:1: failureRateTreshold: 50 (expected: a known key; the nearest is failureRateThreshold)
            """),
        wrong(
            "an unknown key far from any",
            """
            slidingWindowSize: 20
            timeout: 2s
            """,
            """
            breakers.yml:2: timeout: 2s (expected: a known key; the nearest is baseConfig)
            """),
        wrong(
            "a key of another policy",
            """
            recloser.circuitbreaker:
              instances:
                inventory:
                  maxAttempts: 3
            """,
            """
            breakers.yml:4: instances.inventory.maxAttempts: 3 (expected: a known key; the nearest is baseConfig)
            """),
        wrong(
            "an unknown part",
            """
            resilience4j.circuitbreaker:
              instance:
                inventory:
                  slidingWindowSize: 20
            """,
            """
            breakers.yml:2: instance: a section (expected: configs or instances)
            """),
        wrong(
            "a misspelled root",
            """
            resilience4j:
              circuitbraker:
                instances:
                  inventory:
                    slidingWindowSize: 20
            """,
            """
            breakers.yml:2: resilience4j.circuitbraker: a section (expected: circuitbreaker)
            """),
        wrong(
            "nothing about circuit breakers",
            """
            spring:
              application:
                name: orders
            """,
            """
            breakers.yml: no circuit breaker (expected: the settings of a circuit breaker, or configs and instances under recloser.circuitbreaker or resilience4j.circuitbreaker)
            """),
        wrong(
            "a root without circuit breakers",
            """
            resilience4j:
              retry:
                instances:
                  inventory:
                    maxAttempts: 3
            """,
            """
            breakers.yml: no circuit breaker (expected: the settings of a circuit breaker, or configs and instances under recloser.circuitbreaker or resilience4j.circuitbreaker)
            """),
        wrong(
            "neither configs nor instances",
            """
            recloser:
              circuitbreaker:
            """,
            """
            breakers.yml: no circuit breaker (expected: the settings of a circuit breaker, or configs and instances under recloser.circuitbreaker or resilience4j.circuitbreaker)
            """),
        wrong(
            "settings beside the root",
            """
            slidingWindowSize: 20
            recloser:
              circuitbreaker:
                instances:
                  inventory:
            """,
            """
            breakers.yml:1: slidingWindowSize: 20 (expected: this key under configs or instances)
            """),
        wrong(
            "instances without a root",
            """
            instances:
              inventory:
                slidingWindowSize: 20
            """,
            """
            breakers.yml:1: instances: a section (expected: this key under recloser.circuitbreaker or resilience4j.circuitbreaker)
            """),
        wrong(
            "configs and instances beside settings",
            """
            slidingWindowSize: 0
            configs:
            Instances: {inventory: {slidingWindowSize: 20}}
            """,
            """
            breakers.yml:1: slidingWindowSize: 0 (expected: 1 to 10,000,000 calls)
            breakers.yml:2: configs: nothing (expected: this key under recloser.circuitbreaker or resilience4j.circuitbreaker)
            breakers.yml:3: Instances: a section (expected: this key under recloser.circuitbreaker or resilience4j.circuitbreaker)
            """),
        wrong(
            "settings right under the root",
            """
            recloser:
              circuitbreaker:
                slidingWindowSize: 20
            """,
            """
            breakers.yml:3: slidingWindowSize: 20 (expected: configs or instances)
            """),
        wrong(
            "a value in place of instances",
            """
            resilience4j.circuitbreaker:
              instances: inventory
            """,
            """
            breakers.yml:2: instances: inventory (expected: a section with keys of its own)
            """),
        wrong(
            "a list in place of an instance",
            """
            resilience4j.circuitbreaker:
              instances:
                inventory:
                  - slidingWindowSize: 20
            """,
            """
            breakers.yml:3: instances.inventory: [a section] (expected: a section with keys of its own)
            """),
        wrong(
            "an instance within an instance",
            """
            recloser.circuitbreaker:
              instances:
                inventory:
                  pricing:
                    slidingWindowSize: 20
            """,
            """
            breakers.yml:4: instances.inventory.pricing: a section (expected: a setting; a name with dots stands in brackets: [inventory.pricing])
            """),
        wrong(
            "a word for a number of calls",
            """
            minimumNumberOfCalls: ten
            """,
            """
            breakers.yml:1: minimumNumberOfCalls: ten (expected: a whole number up to 2,147,483,647)
            """),
        wrong(
            "a decimal number of calls",
            """
            slidingWindowSize: 20.5
            """,
            """
            breakers.yml:1: slidingWindowSize: 20.5 (expected: a number of calls such as 100, or a duration such as 30s)
            """),
        wrong(
            "a number of calls beyond all bounds",
            """
            minimumNumberOfCalls: 3000000000
            """,
            """
            breakers.yml:1: minimumNumberOfCalls: 3000000000 (expected: a whole number up to 2,147,483,647)
            """),
        wrong(
            "a percent sign",
            """
            failureRateThreshold: 50%
            """,
            """
            breakers.yml:1: failureRateThreshold: 50% (expected: a percentage, as a bare number such as 50)
            """),
        wrong(
            "a threshold that is no number",
            """
            failureRateThreshold: NaN
            """,
            """
            breakers.yml:1: failureRateThreshold: NaN (expected: a percentage, as a bare number such as 50)
            """),
        wrong(
            "a threshold above 100",
            """
            slidingWindowSize: 20
            failureRateThreshold: 120
            """,
            """
            breakers.yml:2: failureRateThreshold: 120 (expected: a percentage above 0, at most 100, with at most six decimals)
            """),
        wrong(
            "a threshold of nothing",
            """
            slow-call-rate-threshold: 0
            """,
            """
            breakers.yml:1: slow-call-rate-threshold: 0 (expected: a percentage above 0, at most 100, with at most six decimals)
            """),
        wrong(
            "a list for a number",
            """
            failureRateThreshold: [50, 60]
            """,
            """
            breakers.yml:1: failureRateThreshold: [50, 60] (expected: a percentage, as a bare number such as 50)
            """),
        wrong(
            "a section for a number",
            """
            failureRateThreshold:
              value: 50
            """,
            """
            breakers.yml:1: failureRateThreshold: a section (expected: a percentage, as a bare number such as 50)
            """),
        wrong(
            "no value",
            """
            failureRateThreshold:
            """,
            """
            breakers.yml:1: failureRateThreshold: nothing (expected: a percentage, as a bare number such as 50)
            """),
        wrong(
            "a placeholder that stands for something wrong",
            """
            failureRateThreshold: ${recloser.test.absent:half}
            """,
            """
            breakers.yml:1: failureRateThreshold: half, from ${recloser.test.absent:half} (expected: a percentage, as a bare number such as 50)
            """),
        wrong(
            "a placeholder that stands for nothing",
            """
            failureRateThreshold: ${recloser.test.absent}
            ignoreExceptions: [a.B, "${recloser.test.absent}"]
            """,
            """
            breakers.yml:1: failureRateThreshold: ${recloser.test.absent} (expected: a system property or an environment variable of this name, or a default as in ${recloser.test.absent:...})
            breakers.yml:2: ignoreExceptions[1]: ${recloser.test.absent} (expected: a system property or an environment variable of this name, or a default as in ${recloser.test.absent:...})
            """),
        wrong(
            "a placeholder without an end",
            """
            failureRateThreshold: ${recloser.test.absent:50
            """,
            """
            breakers.yml:1: failureRateThreshold: ${recloser.test.absent:50 (expected: a placeholder such as ${name} or ${name:default})
            """),
        wrong(
            "an unknown unit",
            """
            waitDurationInOpenState: 30sec
            """,
            """
            breakers.yml:1: waitDurationInOpenState: 30sec (expected: a duration such as 150ms, 30s, 2m, 1h or PT30S; a bare number is milliseconds)
            """),
        wrong(
            "a decimal duration",
            """
            waitDurationInOpenState: 1.5s
            """,
            """
            breakers.yml:1: waitDurationInOpenState: 1.5s (expected: a duration such as 150ms, 30s, 2m, 1h or PT30S; a bare number is milliseconds)
            """),
        wrong(
            "a negative wait",
            """
            waitDurationInOpenState: -30s
            """,
            """
            breakers.yml:1: waitDurationInOpenState: -30s (expected: more than zero, at most 36,500 days)
            """),
        wrong(
            "a duration beyond all bounds",
            """
            waitDurationInOpenState: 99999999999999999999s
            """,
            """
            breakers.yml:1: waitDurationInOpenState: 99999999999999999999s (expected: a duration such as 150ms, 30s, 2m, 1h or PT30S; a bare number is milliseconds)
            """),
        wrong(
            "a duration longer than a century",
            """
            waitDurationInOpenState: 40000d
            """,
            """
            breakers.yml:1: waitDurationInOpenState: 40000d (expected: more than zero, at most 36,500 days)
            """),
        wrong(
            "an unknown type of window",
            """
            slidingWindowType: COUNT
            """,
            """
            breakers.yml:1: slidingWindowType: COUNT (expected: COUNT_BASED or TIME_BASED)
            """),
        wrong(
            "an unknown rule",
            """
            halfOpenRule: MAJORITY
            """,
            """
            breakers.yml:1: halfOpenRule: MAJORITY (expected: RATE or ALL_SUCCEED)
            """),
        wrong(
            "an outcome that cannot be chosen",
            """
            unlistedExceptions: CANCELLED
            """,
            """
            breakers.yml:1: unlistedExceptions: CANCELLED (expected: IGNORED, SUCCESS or FAILURE)
            """),
        wrong(
            "a word for a switch",
            """
            automaticTransitionFromOpenToHalfOpenEnabled: yes
            """,
            """
            breakers.yml:1: automaticTransitionFromOpenToHalfOpenEnabled: yes (expected: true or false)
            """),
        wrong(
            "a duration as the size of a count window",
            """
            slidingWindowType: COUNT_BASED
            slidingWindowSize: 30s
            """,
            """
            breakers.yml:2: slidingWindowSize: 30s (expected: a number of calls, since slidingWindowType is COUNT_BASED)
            """),
        wrong(
            "a time window that is too short",
            """
            slidingWindowSize: 5ms
            """,
            """
            breakers.yml:1: slidingWindowSize: 5ms (expected: at least 10 ms, at most 36,500 days)
            """),
        wrong(
            "more slices than milliseconds",
            """
            slidingWindowSize: 1s
            slidingWindowSlices: 2000
            """,
            """
            breakers.yml:2: slidingWindowSlices: 2000 (expected: 1 to 1,000, each at least 1 ms long)
            """),
        wrong(
            "a minimum that the window cannot hold",
            """
            slidingWindowSize: 20
            minimumNumberOfCalls: 50
            """,
            """
            breakers.yml:2: minimumNumberOfCalls: 50 (expected: at most slidingWindowSize, which is 20, or no rate is ever known)
            """),
        wrong(
            "a window of no calls",
            """
            slidingWindowSize: 0
            """,
            """
            breakers.yml:1: slidingWindowSize: 0 (expected: 1 to 10,000,000 calls)
            """),
        wrong(
            "no probes",
            """
            permittedNumberOfCallsInHalfOpenState: 0
            """,
            """
            breakers.yml:1: permittedNumberOfCallsInHalfOpenState: 0 (expected: at least 1)
            """),
        wrong(
            "a wait that shrinks",
            """
            exponentialBackoffMultiplier: 0.5
            """,
            """
            breakers.yml:1: exponentialBackoffMultiplier: 0.5 (expected: 1 to 1,000,000)
            """),
        wrong(
            "a longest wait below the base wait",
            """
            waitDurationInOpenState: 1m
            exponentialMaxWaitDurationInOpenState: 30s
            """,
            """
            breakers.yml:2: exponentialMaxWaitDurationInOpenState: 30s (expected: at least 1 min, at most 36,500 days)
            """),
        wrong(
            "more jitter than the wait",
            """
            randomizedWaitFactor: 1.5
            """,
            """
            breakers.yml:1: randomizedWaitFactor: 1.5 (expected: 0 to 1)
            """),
        wrong(
            "a lease of no time",
            """
            maxProbeDuration: 0
            """,
            """
            breakers.yml:1: maxProbeDuration: 0 (expected: more than zero, at most 36,500 days)
            """),
        wrong(
            "exceptions that are no class names",
            """
            recordExceptions:
              - java.io.IOException
              - java.io.*
              - {type: java.net.SocketException}
            """,
            """
            breakers.yml:3: recordExceptions[1]: java.io.* (expected: the full name of an exception class)
            breakers.yml:4: recordExceptions[2]: a section (expected: the full name of an exception class)
            """),
        wrong(
            "exceptions without their package",
            """
            recordExceptions: IOException, TimeoutException, HttpTimeoutException
            ignoreExceptions: [SkuException, NullPointerException]
            """,
            """
            breakers.yml:1: recordExceptions[0]: IOException (expected: the full name of an exception class, for example java.io.IOException)
            breakers.yml:1: recordExceptions[1]: TimeoutException (expected: the full name of an exception class, for example java.util.concurrent.TimeoutException)
            breakers.yml:1: recordExceptions[2]: HttpTimeoutException (expected: the full name of an exception class, for example java.net.http.HttpTimeoutException)
            breakers.yml:2: ignoreExceptions[0]: SkuException (expected: the full name of an exception class)
            breakers.yml:2: ignoreExceptions[1]: NullPointerException (expected: the full name of an exception class, for example java.lang.NullPointerException)
            """),
        wrong(
            "exceptions that Java does not have",
            """
            recordExceptions:
              - java.io.IOExeption
              - java.net.IOException
              - java.oi.IOException
              - javax.net.SSLException
            """,
            """
            breakers.yml:2: recordExceptions[0]: java.io.IOExeption (expected: the full name of an exception class; there is no such class in Java N)
            breakers.yml:3: recordExceptions[1]: java.net.IOException (expected: the full name of an exception class; there is no such class in Java N)
            breakers.yml:4: recordExceptions[2]: java.oi.IOException (expected: the full name of an exception class; there is no such class in Java N)
            breakers.yml:5: recordExceptions[3]: javax.net.SSLException (expected: the full name of an exception class; there is no such class in Java N)
            """
                .replace("Java N", "Java " + Runtime.version().feature())),
        wrong(
            "a value on several lines",
            """
            failureRateThreshold: |
              50
              60
            """,
            """
            breakers.yml:1: failureRateThreshold: 50 60 (expected: a percentage, as a bare number such as 50)
            """),
        wrong(
            "exceptions with a comma too many",
            """
            ignoreExceptions: java.io.IOException,
            """,
            """
            breakers.yml:1: ignoreExceptions[1]: nothing (expected: the full name of an exception class)
            """),
        wrong(
            "a predicate that is not there",
            """
            recordFailurePredicate: com.shop.NoSuchPredicate
            """,
            """
            breakers.yml:1: recordFailurePredicate: com.shop.NoSuchPredicate (expected: the full name of a class that can be loaded)
            """),
        wrong(
            "a predicate that is none",
            """
            recordResultPredicate: java.lang.Object
            """,
            """
            breakers.yml:1: recordResultPredicate: java.lang.Object (expected: a class that is a java.util.function.Predicate)
            """),
        wrong(
            "a predicate that cannot be made",
            """
            ignoreExceptionPredicate: dev.recloser.config.Predicates$Closed
            """,
            """
            breakers.yml:1: ignoreExceptionPredicate: dev.recloser.config.Predicates$Closed (expected: a public class with a public constructor without parameters)
            """),
        wrong(
            "a predicate whose constructor throws",
            """
            recordExceptionPredicate: dev.recloser.config.Predicates$Throwing
            """,
            """
            breakers.yml:1: recordExceptionPredicate: dev.recloser.config.Predicates$Throwing (expected: a class whose constructor does not throw; this one threw java.lang.IllegalStateException: not ready)
            """),
        wrong(
            "a base that is not there",
            """
            resilience4j.circuitbreaker:
              configs:
                shared:
                  slidingWindowSize: 20
              instances:
                inventory:
                  baseConfig: share
            """,
            """
            breakers.yml:7: instances.inventory.baseConfig: share (expected: a name that is under configs; the nearest is shared)
            """),
        wrong(
            "a base where there is none",
            """
            slidingWindowSize: 20
            baseConfig: shared
            """,
            """
            breakers.yml:2: baseConfig: shared (expected: a name that is under configs, where there is none)
            """),
        wrong(
            "templates in a circle",
            """
            resilience4j.circuitbreaker:
              configs:
                fast:
                  baseConfig: slow
                slow:
                  baseConfig: fast
            """,
            """
            breakers.yml:4: configs.fast.baseConfig: slow (expected: a chain of templates that ends; this one is fast -> slow -> fast)
            """),
        wrong(
            "a template of itself",
            """
            resilience4j.circuitbreaker:
              configs:
                default:
                  baseConfig: default
            """,
            """
            breakers.yml:4: configs.default.baseConfig: default (expected: a chain of templates that ends; this one is default -> default)
            """),
        wrong(
            "a setting that does not go with the inherited ones",
            """
            resilience4j.circuitbreaker:
              configs:
                default:
                  slidingWindowSize: 100
                  minimumNumberOfCalls: 50
              instances:
                inventory:
                  slidingWindowSize: 20
            """,
            """
            breakers.yml:7: instances.inventory.minimumNumberOfCalls: 50 (expected: at most slidingWindowSize, which is 20, or no rate is ever known; inherited from configs.default.minimumNumberOfCalls in line 5)
            """),
        wrong(
            "a setting that does not go with those inherited from further up",
            """
            resilience4j.circuitbreaker:
              configs:
                shared:
                  baseConfig: patient
                patient:
                  exponential-max-wait-duration-in-open-state: 30s
                  waitDurationInOpenState: 10s
              instances:
                inventory:
                  baseConfig: shared
                  waitDurationInOpenState: 1m
            """,
            """
            breakers.yml:9: instances.inventory.exponentialMaxWaitDurationInOpenState: 30s (expected: at least 1 min, at most 36,500 days; inherited from configs.patient.exponential-max-wait-duration-in-open-state in line 6)
            """),
        wrong(
            "a fault that shows once the instance gives what the template gives wrongly",
            """
            resilience4j.circuitbreaker:
              configs:
                default:
                  slidingWindowSize: many
                  minimumNumberOfCalls: 50
              instances:
                inventory:
                  slidingWindowSize: 20
            """,
            """
            breakers.yml:4: configs.default.slidingWindowSize: many (expected: a number of calls such as 100, or a duration such as 30s)
            breakers.yml:7: instances.inventory.minimumNumberOfCalls: 50 (expected: at most slidingWindowSize, which is 20, or no rate is ever known; inherited from configs.default.minimumNumberOfCalls in line 5)
            """),
        wrong(
            "a fault of the template, told once",
            """
            resilience4j.circuitbreaker:
              configs:
                default:
                  failureRateThreshold: 120
              instances:
                inventory:
                  slidingWindowSize: 20
                pricing:
            """,
            """
            breakers.yml:4: configs.default.failureRateThreshold: 120 (expected: a percentage above 0, at most 100, with at most six decimals)
            """),
        wrong(
            "a fault of the template and one of the instance",
            """
            resilience4j.circuitbreaker:
              configs:
                default:
                  failureRateThreshold: 120
              instances:
                inventory:
                  failure-rate-threshold: 0
                  waitDurationInOpenState: 0s
            """,
            """
            breakers.yml:4: configs.default.failureRateThreshold: 120 (expected: a percentage above 0, at most 100, with at most six decimals)
            breakers.yml:7: instances.inventory.failure-rate-threshold: 0 (expected: a percentage above 0, at most 100, with at most six decimals)
            breakers.yml:8: instances.inventory.waitDurationInOpenState: 0s (expected: more than zero, at most 36,500 days)
            """),
        wrong(
            "no consequences of what was not read",
            """
            slidingWindowSize: 2O0
            minimumNumberOfCalls: 200
            waitDurationInOpenState: 5 seconds
            exponentialMaxWaitDurationInOpenState: 30s
            """,
            """
            breakers.yml:1: slidingWindowSize: 2O0 (expected: a number of calls such as 100, or a duration such as 30s)
            breakers.yml:3: waitDurationInOpenState: 5 seconds (expected: a duration such as 150ms, 30s, 2m, 1h or PT30S; a bare number is milliseconds)
            """),
        wrong(
            "everything at once",
            """
            slidingWindowType: COUNT_BASED
            slidingWindowSize: 20
            minimumNumberOfCalls: 30
            failureRateThreshold: 120
            waitDuration: 30s
            permittedNumberOfCallsInHalfOpenState: two
            """,
            """
            breakers.yml:3: minimumNumberOfCalls: 30 (expected: at most slidingWindowSize, which is 20, or no rate is ever known)
            breakers.yml:4: failureRateThreshold: 120 (expected: a percentage above 0, at most 100, with at most six decimals)
            breakers.yml:5: waitDuration: 30s (expected: a known key; the nearest is waitDurationInOpenState)
            breakers.yml:6: permittedNumberOfCallsInHalfOpenState: two (expected: a whole number up to 2,147,483,647)
            """));
  }

  static Stream<Arguments> properties() {
    return Stream.of(
        wrong(
            "empty",
            """
            # nothing yet
            """,
            """
            breakers.properties: empty (expected: the settings of a circuit breaker, or configs and instances under recloser.circuitbreaker or resilience4j.circuitbreaker)
            """),
        wrong(
            "a key twice",
            """
            slidingWindowSize=20
            slidingWindowSize=30
            """,
            """
            breakers.properties:2: slidingWindowSize: 30 (expected: each key once, and line 1 has it already)
            """),
        wrong(
            "a value and a section",
            """
            slidingWindowSize=20
            slidingWindowSize.calls=30
            """,
            """
            breakers.properties:2: slidingWindowSize: 30 (expected: each key once, and line 1 has it already)
            """),
        wrong(
            "an unknown key after a continued line",
            """
            ! the inventory
            recordExceptions=java.io.IOException,\\
                java.net.SocketException

            failureRateTreshold: 50
            """,
            """
            breakers.properties:5: failureRateTreshold: 50 (expected: a known key; the nearest is failureRateThreshold)
            """),
        wrong(
            "a broken escape",
            """
            slidingWindowSize=20
            failureRateThreshold=\\u00zz
            """,
            """
            breakers.properties:2: failureRateThreshold=\\u00zz (expected: \\uXXXX with four hexadecimal digits)
            """),
        wrong(
            "a gap in a list",
            """
            recordExceptions[0]=java.io.IOException
            recordExceptions[2]=java.net.SocketException
            """,
            """
            breakers.properties:1: recordExceptions: a section (expected: a list, numbered from 0 without gaps)
            """),
        wrong(
            "a name with dots",
            """
            recloser.circuitbreaker.instances.api.example.com.slidingWindowSize=20
            """,
            """
            breakers.properties:1: instances.api.example: a section (expected: a setting; a name with dots stands in brackets: [api.example.com])
            """),
        wrong(
            "an unknown key of an instance",
            """
            recloser.circuit-breaker.instances.inventory.wait-duration=20s
            """,
            """
            breakers.properties:1: instances.inventory.wait-duration: 20s (expected: a known key; the nearest is waitDurationInOpenState)
            """),
        wrong(
            "nothing about circuit breakers",
            """
            spring.application.name=orders
            """,
            """
            breakers.properties: no circuit breaker (expected: the settings of a circuit breaker, or configs and instances under recloser.circuitbreaker or resilience4j.circuitbreaker)
            """));
  }

  private static Arguments wrong(String title, String text, String message) {
    return arguments(title, text, message);
  }
}

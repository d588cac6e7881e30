package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recloser.InvalidConfigurationException.Fault;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Wrong settings fail when built, all of them at once (S23). */
final class ConfigurationFaultsTest extends Scenario {
  private static final Duration CENTURIES = Duration.ofDays(36_501);

  private static Arguments fault(Consumer<CircuitBreakerConfig.Builder> settings, String message) {
    return Arguments.of(settings, message);
  }

  static List<Arguments> faults() {
    String percentage = " (expected: a percentage above 0, at most 100, with at most six decimals)";
    String zeroOrMore = " (expected: zero or more, at most 36,500 days)";
    String positive = " (expected: more than zero, at most 36,500 days)";
    return List.of(
        fault(
            s -> s.slidingWindowSize(0), "slidingWindowSize: 0 (expected: 1 to 10,000,000 calls)"),
        fault(
            s -> s.slidingWindowSize(-1),
            "slidingWindowSize: -1 (expected: 1 to 10,000,000 calls)"),
        fault(
            s -> s.slidingWindowSize(10_000_001),
            "slidingWindowSize: 10000001 (expected: 1 to 10,000,000 calls)"),
        fault(
            s -> s.slidingWindowType(SlidingWindowType.COUNT_BASED).slidingWindowSize(seconds(30)),
            "slidingWindowSize: 30 s (expected: a number of calls, since slidingWindowType is"
                + " COUNT_BASED)"),
        fault(
            s -> s.slidingWindowSize(millis(9)).slidingWindowSlices(1),
            "slidingWindowSize: 9 ms (expected: at least 10 ms, at most 36,500 days)"),
        fault(
            s -> s.slidingWindowSize(CENTURIES),
            "slidingWindowSize: 36501 d (expected: at least 10 ms, at most 36,500 days)"),
        fault(
            s -> s.slidingWindowSize(seconds(10)).slidingWindowSlices(0),
            "slidingWindowSlices: 0 (expected: 1 to 1,000, each at least 1 ms long)"),
        fault(
            s -> s.slidingWindowSize(seconds(10)).slidingWindowSlices(1_001),
            "slidingWindowSlices: 1001 (expected: 1 to 1,000, each at least 1 ms long)"),
        fault(
            s -> s.slidingWindowSize(millis(10)).slidingWindowSlices(11),
            "slidingWindowSlices: 11 (expected: 1 to 1,000, each at least 1 ms long)"),
        fault(s -> s.minimumNumberOfCalls(0), "minimumNumberOfCalls: 0 (expected: at least 1)"),
        fault(
            s -> s.slidingWindowSize(5).minimumNumberOfCalls(50),
            "minimumNumberOfCalls: 50 (expected: at most slidingWindowSize, which is 5, or no rate"
                + " is ever known)"),
        fault(
            s -> s.slidingWindowSize(seconds(5)).minimumNumberOfCalls(-3),
            "minimumNumberOfCalls: -3 (expected: at least 1)"),
        fault(s -> s.failureRateThreshold(0), "failureRateThreshold: 0.0" + percentage),
        fault(s -> s.failureRateThreshold(-50), "failureRateThreshold: -50.0" + percentage),
        fault(s -> s.failureRateThreshold(120), "failureRateThreshold: 120.0" + percentage),
        fault(s -> s.failureRateThreshold(Double.NaN), "failureRateThreshold: NaN" + percentage),
        fault(
            s -> s.failureRateThreshold(Double.POSITIVE_INFINITY),
            "failureRateThreshold: Infinity" + percentage),
        fault(
            s -> s.failureRateThreshold(33.3333333),
            "failureRateThreshold: 33.3333333" + percentage),
        fault(s -> s.slowCallRateThreshold(100.1), "slowCallRateThreshold: 100.1" + percentage),
        fault(
            s -> s.slowCallDurationThreshold(millis(-1)),
            "slowCallDurationThreshold: -1 ms" + zeroOrMore),
        fault(
            s -> s.slowCallDurationThreshold(CENTURIES),
            "slowCallDurationThreshold: 36501 d" + zeroOrMore),
        fault(
            s -> s.waitDurationInOpenState(Duration.ZERO),
            "waitDurationInOpenState: 0 s" + positive),
        fault(
            s -> s.waitDurationInOpenState(seconds(-30)),
            "waitDurationInOpenState: -30 s" + positive),
        fault(
            s -> s.exponentialBackoffMultiplier(0.5),
            "exponentialBackoffMultiplier: 0.5 (expected: 1 to 1,000,000)"),
        fault(
            s -> s.exponentialBackoffMultiplier(Double.NaN),
            "exponentialBackoffMultiplier: NaN (expected: 1 to 1,000,000)"),
        fault(
            s ->
                s.exponentialBackoffMultiplier(2)
                    .waitIntervalFunctionInOpenState(opening -> seconds(1)),
            "waitIntervalFunctionInOpenState: set together with exponentialBackoffMultiplier 2.0"
                + " (expected: one of the two)"),
        fault(
            s -> s.exponentialMaxWaitDurationInOpenState(seconds(59)),
            "exponentialMaxWaitDurationInOpenState: 59 s (expected: at least 1 min, at most 36,500"
                + " days)"),
        fault(s -> s.randomizedWaitFactor(-0.1), "randomizedWaitFactor: -0.1 (expected: 0 to 1)"),
        fault(s -> s.randomizedWaitFactor(1.1), "randomizedWaitFactor: 1.1 (expected: 0 to 1)"),
        fault(
            s -> s.randomizedWaitFactor(Double.NaN),
            "randomizedWaitFactor: NaN (expected: 0 to 1)"),
        fault(
            s -> s.permittedNumberOfCallsInHalfOpenState(0),
            "permittedNumberOfCallsInHalfOpenState: 0 (expected: at least 1)"),
        fault(
            s -> s.maxWaitDurationInHalfOpenState(seconds(-1)),
            "maxWaitDurationInHalfOpenState: -1 s" + zeroOrMore),
        fault(s -> s.maxProbeDuration(Duration.ZERO), "maxProbeDuration: 0 s" + positive),
        fault(
            s -> s.probeSlowCallDurationThreshold(millis(-1)),
            "probeSlowCallDurationThreshold: -1 ms" + zeroOrMore),
        fault(s -> s.rampUpDuration(seconds(-1)), "rampUpDuration: -1 s" + zeroOrMore),
        fault(
            s -> s.rampUpInitialPercentage(0),
            "rampUpInitialPercentage: 0.0 (expected: a percentage above 0, at most 100)"),
        fault(
            s -> s.unlistedExceptions(Outcome.CANCELLED),
            "unlistedExceptions: CANCELLED (expected: IGNORED, SUCCESS or FAILURE)"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void each_wrong_setting_is_named_with_its_value_and_what_was_expected(
      Consumer<CircuitBreakerConfig.Builder> settings, String message) {
    assertThatThrownBy(() -> CircuitBreakerConfig.of(settings))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage("A circuit breaker cannot be configured like this:\n  - " + message);
  }

  @Test
  void all_faults_are_listed_at_once() {
    InvalidConfigurationException thrown =
        catchThrowableOfType(
            InvalidConfigurationException.class,
            () ->
                CircuitBreakerConfig.of(
                    s ->
                        s.slidingWindowSize(0)
                            .failureRateThreshold(0)
                            .slowCallRateThreshold(0)
                            .waitDurationInOpenState(Duration.ZERO)
                            .randomizedWaitFactor(2)
                            .permittedNumberOfCallsInHalfOpenState(0)
                            .rampUpInitialPercentage(0)
                            .unlistedExceptions(Outcome.CANCELLED)));

    assertThat(thrown.faults())
        .extracting(Fault::setting)
        .containsExactly(
            "slidingWindowSize",
            "failureRateThreshold",
            "slowCallRateThreshold",
            "rampUpInitialPercentage",
            "unlistedExceptions",
            "waitDurationInOpenState",
            "randomizedWaitFactor",
            "permittedNumberOfCallsInHalfOpenState");
    assertThat(thrown.getMessage().lines()).hasSize(9);
  }

  @Test
  void durations_beyond_all_arithmetic_are_faults_like_any_other() {
    Duration least = Duration.ofSeconds(Long.MIN_VALUE);
    Duration most = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    for (Duration absurd : List.of(least, most)) {
      InvalidConfigurationException thrown =
          catchThrowableOfType(
              InvalidConfigurationException.class,
              () ->
                  CircuitBreakerConfig.of(
                      s ->
                          s.slidingWindowSize(absurd)
                              .slowCallDurationThreshold(absurd)
                              .waitDurationInOpenState(absurd)
                              .maxWaitDurationInHalfOpenState(absurd)
                              .maxProbeDuration(absurd)
                              .probeSlowCallDurationThreshold(absurd)
                              .rampUpDuration(absurd)));

      assertThat(thrown.faults())
          .extracting(Fault::setting)
          .contains(
              "slidingWindowSize",
              "slowCallDurationThreshold",
              "waitDurationInOpenState",
              "maxWaitDurationInHalfOpenState",
              "maxProbeDuration",
              "probeSlowCallDurationThreshold",
              "rampUpDuration");
    }
  }

  static List<Consumer<CircuitBreakerConfig.Builder>> extremesThatAreRight() {
    Duration longest = Duration.ofDays(36_500);
    return List.of(
        s -> s.slidingWindowSize(1),
        s -> s.slidingWindowSize(10_000_000),
        s -> s.slidingWindowSize(millis(10)),
        s -> s.slidingWindowSize(millis(10)).slidingWindowSlices(1),
        s -> s.slidingWindowSize(longest).slidingWindowSlices(1_000),
        s -> s.minimumNumberOfCalls(1),
        s -> s.slidingWindowSize(millis(10)).minimumNumberOfCalls(Integer.MAX_VALUE),
        s -> s.failureRateThreshold(0.000001),
        s -> s.failureRateThreshold(100),
        s -> s.slowCallDurationThreshold(Duration.ZERO),
        s -> s.slowCallDurationThreshold(longest),
        s -> s.waitDurationInOpenState(TICK),
        s -> s.waitDurationInOpenState(longest),
        s -> s.waitDurationInOpenState(longest).exponentialMaxWaitDurationInOpenState(longest),
        s -> s.randomizedWaitFactor(1),
        s -> s.permittedNumberOfCallsInHalfOpenState(1),
        s -> s.maxProbeDuration(TICK),
        s -> s.rampUpDuration(longest).rampUpInitialPercentage(100));
  }

  @ParameterizedTest
  @MethodSource("extremesThatAreRight")
  void extremes_that_are_right_work(Consumer<CircuitBreakerConfig.Builder> settings) {
    CircuitBreaker breaker = breaker(settings);
    fail(breaker, 1);
    time.advance(millis(1));
    assertThat(breaker.explain()).startsWith("inventory is ");
  }

  @Test
  void nothing_is_clamped() {
    CircuitBreakerConfig config =
        CircuitBreakerConfig.of(
            s -> s.slidingWindowSize(7).minimumNumberOfCalls(3).failureRateThreshold(12.345678));

    assertThat(config.slidingWindowCalls()).isEqualTo(7);
    assertThat(config.minimumNumberOfCalls()).isEqualTo(3);
    assertThat(config.failureRateThreshold()).isEqualTo(12.345678);
  }

  @Test
  void null_is_an_error_at_once() {
    CircuitBreakerConfig.of(
        settings -> {
          assertThatNullPointerException()
              .isThrownBy(() -> settings.waitDurationInOpenState(null))
              .withMessage("waitDurationInOpenState");
          assertThatNullPointerException()
              .isThrownBy(() -> settings.halfOpenRule(null))
              .withMessage("halfOpenRule");
          assertThatNullPointerException()
              .isThrownBy(() -> settings.ticker(null))
              .withMessage("ticker");
        });
  }

  @Test
  void a_blank_name_is_an_error() {
    assertThatThrownBy(() -> CircuitBreaker.create("  "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("name: \"  \" (expected: not blank)");
  }

  @Test
  void faults_of_a_changed_configuration_change_nothing() {
    CircuitBreaker breaker = small(1);
    CircuitBreakerConfig before = breaker.config();

    assertThatThrownBy(() -> breaker.reconfigure(s -> s.slidingWindowSize(1)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("minimumNumberOfCalls: 2");

    assertThat(breaker.config()).isSameAs(before);
  }

  @Test
  void faults_of_a_registry_are_listed_at_once() {
    assertThatThrownBy(() -> CircuitBreakerRegistry.create(r -> r.maxSize(0).idleTime(seconds(-1))))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            "A circuit breaker registry cannot be configured like this:"
                + "\n  - maxSize: 0 (expected: at least 1)"
                + "\n  - idleTime: -1 s (expected: zero or more, at most 36,500 days)");
    assertThatThrownBy(
            () ->
                CircuitBreakerRegistry.create(r -> r.idleTime(Duration.ofSeconds(Long.MIN_VALUE))))
        .isInstanceOf(InvalidConfigurationException.class);
  }
}

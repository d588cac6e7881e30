package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.HalfOpenRule;
import dev.recloser.Outcome;
import dev.recloser.SlidingWindowType;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class KeysTest {
  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource
  void each_key_sets_what_it_says_in_every_spelling(
      String key, String value, Consumer<CircuitBreakerConfig.Builder> same) {
    CircuitBreakerConfig expected = CircuitBreakerConfig.of(same);

    assertThat(only(key + ": " + value)).isEqualTo(expected);
    assertThat(only(kebab(key) + ": " + value)).isEqualTo(expected);
    assertThat(Breakers.properties("breakers.properties", key + "=" + value).only())
        .isEqualTo(expected);
    assertThat(expected).isNotEqualTo(CircuitBreakerConfig.defaults());
  }

  static Stream<Arguments> each_key_sets_what_it_says_in_every_spelling() {
    return Stream.of(
        sets(
            "slidingWindowType",
            "TIME_BASED",
            c -> c.slidingWindowType(SlidingWindowType.TIME_BASED)),
        sets(
            "slidingWindowType",
            "time-based",
            c -> c.slidingWindowType(SlidingWindowType.TIME_BASED)),
        sets("slidingWindowSize", "20", c -> c.slidingWindowSize(20)),
        sets("slidingWindowSize", "20s", c -> c.slidingWindowSize(Duration.ofSeconds(20))),
        sets("ringBufferSizeInClosedState", "20", c -> c.slidingWindowSize(20)),
        sets("ringBufferSizeInHalfOpenState", "3", c -> c.permittedNumberOfCallsInHalfOpenState(3)),
        sets("minimumNumberOfCalls", "20", c -> c.minimumNumberOfCalls(20)),
        sets("failureRateThreshold", "12.5", c -> c.failureRateThreshold(12.5)),
        sets("slowCallRateThreshold", "80", c -> c.slowCallRateThreshold(80)),
        sets(
            "slowCallDurationThreshold",
            "2s",
            c -> c.slowCallDurationThreshold(Duration.ofSeconds(2))),
        sets("countSlowCallsInFlight", "false", c -> c.countSlowCallsInFlight(false)),
        sets(
            "waitDurationInOpenState",
            "5000",
            c -> c.waitDurationInOpenState(Duration.ofSeconds(5))),
        sets("exponentialBackoffMultiplier", "2", c -> c.exponentialBackoffMultiplier(2)),
        sets("enableExponentialBackoff", "true", c -> c.exponentialBackoffMultiplier(1.5)),
        sets(
            "exponentialMaxWaitDurationInOpenState",
            "5m",
            c -> c.exponentialMaxWaitDurationInOpenState(Duration.ofMinutes(5))),
        sets("randomizedWaitFactor", "0.2", c -> c.randomizedWaitFactor(0.2)),
        sets("enableRandomizedWait", "true", c -> c.randomizedWaitFactor(0.5)),
        sets(
            "automaticTransitionFromOpenToHalfOpenEnabled",
            "true",
            c -> c.automaticTransitionFromOpenToHalfOpenEnabled(true)),
        sets(
            "permittedNumberOfCallsInHalfOpenState",
            "3",
            c -> c.permittedNumberOfCallsInHalfOpenState(3)),
        sets("halfOpenRule", "ALL_SUCCEED", c -> c.halfOpenRule(HalfOpenRule.ALL_SUCCEED)),
        sets(
            "maxWaitDurationInHalfOpenState",
            "1m",
            c -> c.maxWaitDurationInHalfOpenState(Duration.ofMinutes(1))),
        sets("maxProbeDuration", "PT5S", c -> c.maxProbeDuration(Duration.ofSeconds(5))),
        sets(
            "probeSlowCallDurationThreshold",
            "5s",
            c -> c.probeSlowCallDurationThreshold(Duration.ofSeconds(5))),
        sets("rampUpDuration", "1m", c -> c.rampUpDuration(Duration.ofMinutes(1))),
        sets("rampUpInitialPercentage", "25", c -> c.rampUpInitialPercentage(25)),
        sets("recordExceptions", "a.B", c -> c.recordExceptions(List.of("a.B"))),
        sets("ignoreExceptions", "a.B", c -> c.ignoreExceptions(List.of("a.B"))),
        sets("unlistedExceptions", "SUCCESS", c -> c.unlistedExceptions(Outcome.SUCCESS)),
        sets("writableStackTraceEnabled", "true", c -> c.writableStackTraceEnabled(true)));
  }

  @Test
  void slices_are_those_of_a_time_window() {
    assertThat(only("slidingWindowSize: 1m\nslidingWindowSlices: 6"))
        .isEqualTo(
            CircuitBreakerConfig.of(
                c -> c.slidingWindowSize(Duration.ofMinutes(1)).slidingWindowSlices(6)));
  }

  @Test
  void a_bare_number_is_seconds_for_a_time_window() {
    assertThat(only("slidingWindowSize: 30\nslidingWindowType: TIME_BASED").slidingWindowDuration())
        .isEqualTo(Duration.ofSeconds(30));
    assertThat(only("slidingWindowSize: 30").slidingWindowCalls()).isEqualTo(30);
  }

  @ParameterizedTest
  @ValueSource(strings = {"recordFailurePredicate", "recordExceptionPredicate"})
  void a_predicate_adds_to_the_recorded_exceptions(String key) {
    CircuitBreakerConfig config =
        only(
            "recordExceptions: java.io.IOException\n"
                + key
                + ": "
                + Predicates.Teapot.class.getName());

    assertThat(config.classifier().classify(null, new IllegalStateException("teapot")))
        .isEqualTo(Outcome.FAILURE);
    assertThat(config.classifier().classify(null, new IllegalStateException("pot")))
        .isEqualTo(Outcome.IGNORED);
  }

  @Test
  void a_predicate_adds_to_the_ignored_exceptions() {
    CircuitBreakerConfig config =
        only("ignoreExceptionPredicate: " + Predicates.Teapot.class.getName());

    assertThat(config.classifier().classify(null, new IllegalStateException("teapot")))
        .isEqualTo(Outcome.IGNORED);
    assertThat(config.classifier().classify(null, new IllegalStateException("pot")))
        .isEqualTo(Outcome.FAILURE);
  }

  @Test
  void a_predicate_makes_results_failures() {
    CircuitBreakerConfig config =
        only("recordResultPredicate: " + Predicates.Teapot.class.getName());

    assertThat(config.classifier().classify("teapot", null)).isEqualTo(Outcome.FAILURE);
    assertThat(config.classifier().classify("pot", null)).isEqualTo(Outcome.SUCCESS);
  }

  @Test
  void exceptions_of_others_need_not_be_there_and_those_of_java_may_be_of_any_module() {
    CircuitBreakerConfig config =
        only(
            """
            recordExceptions:
              - com.shop.PriceUnknownException
              - com.shop.Prices$Unknown
              - javax.persistence.PersistenceException
              - javax.transaction.RollbackException
              - javax.net.ssl.SSLException
              - java.sql.SQLException
              - java.rmi.RemoteException
            """);

    assertThat(config.recordExceptions()).hasSize(7);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "allowHealthIndicatorToFail",
        "eventConsumerBufferSize",
        "ignoreClassBindingExceptions",
        "ignoreExceptionsPrecedenceEnabled",
        "initialState",
        "registerHealthIndicator",
        "slidingWindowSynchronizationStrategy",
        "subscribeForEvents",
        "tags",
        "transitionToStateAfterWaitDuration"
      })
  void a_key_without_a_meaning_here_is_noted(String key) {
    BreakerConfigs configs =
        Breakers.yaml("breakers.yml", "slidingWindowSize: 7\n" + kebab(key) + ": 1");

    assertThat(configs.only()).isEqualTo(CircuitBreakerConfig.of(c -> c.slidingWindowSize(7)));
    assertThat(configs.notes())
        .singleElement()
        .satisfies(
            note -> {
              assertThat(note.file()).isEqualTo("breakers.yml");
              assertThat(note.line()).isEqualTo(2);
              assertThat(note.key()).isEqualTo(kebab(key));
              assertThat(note.advice()).startsWith("not ").contains("; ");
            });
  }

  @Test
  void notes_say_where_and_what_to_do() {
    BreakerConfigs configs =
        Breakers.yaml(
            "application.yml",
            """
            resilience4j.circuitbreaker:
              metrics.enabled: true
              instances:
                inventory:
                  ignoreExceptionsPrecedenceEnabled: true
            """);

    assertThat(configs.notes())
        .map(BreakerConfigs.Note::toString)
        .containsExactly(
            "application.yml:2: metrics: not set from here; what makes the meters decides which",
            "application.yml:5: instances.inventory.ignoreExceptionsPrecedenceEnabled: not needed;"
                + " ignoreExceptions always wins");
  }

  @Test
  void every_name_that_a_key_refers_to_is_that_of_a_key() {
    for (Key<?> key : BreakerKeys.ALL.all()) {
      assertThat(key.description()).isNotBlank();
      if (key instanceof Key.Setting<?, ?> setting) {
        Stream.concat(setting.context().stream(), Stream.ofNullable(setting.switchName()))
            .forEach(name -> assertThat(BreakerKeys.ALL.find(name)).as(name).isNotNull());
      }
    }
  }

  private static CircuitBreakerConfig only(String yaml) {
    return Breakers.yaml("breakers.yml", yaml).only();
  }

  private static String kebab(String camel) {
    return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private static Arguments sets(
      String key, String value, Consumer<CircuitBreakerConfig.Builder> same) {
    return arguments(key, value, same);
  }
}

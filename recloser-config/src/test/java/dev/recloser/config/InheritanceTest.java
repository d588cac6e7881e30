package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.recloser.CircuitBreakerConfig;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class InheritanceTest {
  @Test
  void an_instance_starts_from_the_template_it_names() {
    CircuitBreakerConfig inventory =
        load("""
                configs:
                  default: {failureRateThreshold: 10}
                  shared: {slidingWindowSize: 7, slowCallRateThreshold: 30}
                instances:
                  inventory: {baseConfig: shared, slidingWindowSize: 8}
                """)
            .config("inventory");

    assertThat(inventory)
        .isEqualTo(CircuitBreakerConfig.of(c -> c.slidingWindowSize(8).slowCallRateThreshold(30)));
  }

  @Test
  void an_instance_that_names_none_starts_from_that_of_its_own_name_else_from_the_default() {
    BreakerConfigs configs =
        load(
            """
            configs:
              default: {slidingWindowSize: 7}
              pricing: {slidingWindowSize: 8}
            instances:
              inventory: {}
              pricing: {}
            """);

    assertThat(configs.config("inventory").slidingWindowCalls()).isEqualTo(7);
    assertThat(configs.config("pricing").slidingWindowCalls()).isEqualTo(8);
  }

  @Test
  void templates_start_from_templates_in_any_order() {
    BreakerConfigs configs =
        load(
            """
            configs:
              slowest: {baseConfig: slow, waitDurationInOpenState: 2m}
              slow: {baseConfig: default, slowCallDurationThreshold: 5s}
              default: {slidingWindowSize: 7}
            instances:
              reports: {baseConfig: slowest}
            """);

    CircuitBreakerConfig slowest =
        CircuitBreakerConfig.of(
            c ->
                c.slidingWindowSize(7)
                    .slowCallDurationThreshold(Duration.ofSeconds(5))
                    .waitDurationInOpenState(Duration.ofMinutes(2)));
    assertThat(configs.config("reports")).isEqualTo(slowest);
    assertThat(configs.templates()).containsEntry("slowest", slowest);
    assertThat(configs.templates().keySet()).containsExactly("slowest", "slow", "default");
  }

  @Test
  void a_list_replaces_a_list_even_with_nothing() {
    BreakerConfigs configs =
        load(
            """
            configs:
              default:
                recordExceptions: [a.A, a.B]
                ignoreExceptions: [a.C]
            instances:
              inventory:
                recordExceptions: [a.D]
                ignoreExceptions: []
              pricing:
                ignoreExceptions:
            """);

    assertThat(configs.config("inventory").recordExceptions()).containsExactly("a.D");
    assertThat(configs.config("inventory").ignoreExceptions()).isEmpty();
    assertThat(configs.config("pricing").recordExceptions()).containsExactly("a.A", "a.B");
    assertThat(configs.config("pricing").ignoreExceptions()).isEmpty();
  }

  @Test
  void what_is_not_set_follows_what_is() {
    BreakerConfigs configs =
        load(
            """
            configs:
              default: {slidingWindowType: TIME_BASED, slidingWindowSize: 10}
              counting: {slidingWindowSize: 200}
            instances:
              inventory: {slidingWindowSize: 20}
              pricing: {baseConfig: counting, slidingWindowSize: 5}
            """);

    assertThat(configs.config("inventory").slidingWindowDuration())
        .isEqualTo(Duration.ofSeconds(20));
    assertThat(configs.config("pricing").minimumNumberOfCalls()).isEqualTo(5);
  }

  @Test
  void a_minimum_is_inherited_where_the_window_can_hold_it() {
    BreakerConfigs configs =
        load(
            """
            configs:
              default: {slidingWindowSize: 500, minimumNumberOfCalls: 200}
            instances:
              inventory: {slidingWindowSize: 300}
            """);

    assertThat(configs.config("inventory").minimumNumberOfCalls()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # of the template,                                                of the instance, wanted
          exponentialBackoffMultiplier: 2,                                  ,                2
          'exponentialBackoffMultiplier: 2, enableExponentialBackoff: true', ,               2
          'exponentialBackoffMultiplier: 2, enableExponentialBackoff: false', ,              1
          exponentialBackoffMultiplier: 2,                                  enableExponentialBackoff: false, 1
          enableExponentialBackoff: true,                                   ,                1.5
          enableExponentialBackoff: true,                                   exponentialBackoffMultiplier: 3, 3
          enableExponentialBackoff: false,                                  exponentialBackoffMultiplier: 3, 1
          enableExponentialBackoff: true,                                   enableExponentialBackoff: false, 1
          'exponentialBackoffMultiplier: 2, enableExponentialBackoff: false', enableExponentialBackoff: true, 2
          """)
  void the_switch_of_the_backoff_decides_and_is_on_when_there_is_a_multiplier(
      String template, String instance, double multiplier) {
    assertThat(inventory(template, instance).exponentialBackoffMultiplier()).isEqualTo(multiplier);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          randomizedWaitFactor: 0.2,                              ,                            0.2
          randomizedWaitFactor: 0.2,                              enableRandomizedWait: false, 0
          enableRandomizedWait: true,                             ,                            0.5
          'enableRandomizedWait: true, randomizedWaitFactor: 0.2', ,                           0.2
          """)
  void the_switch_of_the_jitter_decides_and_is_on_when_there_is_a_factor(
      String template, String instance, double factor) {
    assertThat(inventory(template, instance).randomizedWaitFactor()).isEqualTo(factor);
  }

  @Test
  void the_base_holds_where_nothing_is_written() {
    BreakerConfigs configs =
        Breakers.yaml(
            "breakers.yml",
            """
            recloser.circuitbreaker.instances:
              inventory: {slidingWindowSize: 7}
              pricing: {failureRateThreshold: 40, enableExponentialBackoff: false}
            """,
            base ->
                base.slidingWindowSize(9).failureRateThreshold(30).exponentialBackoffMultiplier(2));

    assertThat(configs.config("inventory"))
        .isEqualTo(
            CircuitBreakerConfig.of(
                c ->
                    c.slidingWindowSize(7)
                        .failureRateThreshold(30)
                        .exponentialBackoffMultiplier(2)));
    assertThat(configs.config("pricing"))
        .isEqualTo(CircuitBreakerConfig.of(c -> c.slidingWindowSize(9).failureRateThreshold(40)));
  }

  @Test
  void a_fault_of_the_inherited_has_no_line_where_there_are_no_lines() {
    Map<String, ?> settings =
        Map.of(
            "recloser.circuitbreaker.configs.default.minimumNumberOfCalls", 50,
            "recloser.circuitbreaker.instances.inventory.slidingWindowSize", 20);

    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(() -> Breakers.map(settings))
        .withMessageEndingWith("; inherited from configs.default.minimumNumberOfCalls)");
  }

  @Test
  void a_fault_of_the_base_is_told_at_the_block() {
    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(
            () ->
                Breakers.yaml(
                    "bare.yml", "slidingWindowSize: 20", base -> base.minimumNumberOfCalls(50)))
        .withMessage(
            "bare.yml: minimumNumberOfCalls: 50 (expected: at most slidingWindowSize, which is 20,"
                + " or no rate is ever known)");
  }

  private static CircuitBreakerConfig inventory(String template, String instance) {
    String own = instance == null ? "" : instance;
    return load("configs: {default: {" + template + "}}\ninstances: {inventory: {" + own + "}}")
        .config("inventory");
  }

  private static BreakerConfigs load(String yaml) {
    return Breakers.yaml("breakers.yml", "recloser.circuitbreaker:\n" + yaml.indent(2));
  }
}

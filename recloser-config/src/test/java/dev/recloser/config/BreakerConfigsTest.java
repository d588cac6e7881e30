package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.config.InvalidConfigurationFileException.Problem;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BreakerConfigsTest {
  private static final String TWO =
      """
      recloser.circuitbreaker:
        configs:
          default: {failureRateThreshold: 40}
          slow: {slowCallDurationThreshold: 5s}
        instances:
          inventory: {slidingWindowSize: 7}
          pricing: {slidingWindowSize: 8}
      """;

  private final FakeTime time = FakeTime.create();

  @Test
  void instances_are_named_in_the_order_of_the_file() {
    assertThat(Breakers.yaml("two.yml", TWO).names()).containsExactly("inventory", "pricing");
  }

  @Test
  void an_instance_that_is_not_there_is_refused_with_those_that_are() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Breakers.yaml("two.yml", TWO).config("orders"))
        .withMessage("instance: \"orders\" (expected: one of [inventory, pricing])");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bare("slidingWindowSize: 7").config("orders"))
        .withMessage("instance: \"orders\" (expected: none, there are no instances)");
  }

  @Test
  void there_is_no_only_one_of_two() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Breakers.yaml("two.yml", TWO).only())
        .withMessage(
            "instances: [inventory, pricing] (expected: a single one, or to be asked by name)");
  }

  @Test
  void templates_alone_are_no_configuration() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                Breakers.yaml(
                        "templates.yml",
                        "recloser.circuitbreaker.configs.default.slidingWindowSize: 3")
                    .only())
        .withMessage("no instance (expected: one under instances)");
  }

  @Test
  void a_registry_knows_instances_templates_and_the_default() {
    CircuitBreakerRegistry registry = Breakers.yaml("two.yml", TWO).registry();

    assertThat(registry.all()).isEmpty();
    assertThat(registry.circuitBreaker("pricing").config().slidingWindowCalls()).isEqualTo(8);
    assertThat(registry.circuitBreaker("reports", "slow").config().slowCallDurationThreshold())
        .isEqualTo(Duration.ofSeconds(5));
    assertThat(registry.circuitBreaker("orders").config().failureRateThreshold()).isEqualTo(40);
  }

  @Test
  void a_bare_block_is_the_default_of_its_registry() {
    CircuitBreakerRegistry registry = bare("slidingWindowSize: 7").registry();

    assertThat(registry.circuitBreaker("orders").config().slidingWindowCalls()).isEqualTo(7);
  }

  @Test
  void without_a_default_template_the_base_is_the_default_of_the_registry() {
    CircuitBreakerRegistry registry =
        Breakers.yaml(
                "one.yml",
                "recloser.circuitbreaker.instances.inventory.slidingWindowSize: 7",
                base -> base.ticker(time))
            .registry();

    assertThat(registry.circuitBreaker("orders").config())
        .isEqualTo(CircuitBreakerConfig.of(config -> config.ticker(time)));
  }

  @Test
  void a_registry_takes_further_settings() {
    CircuitBreakerRegistry registry =
        Breakers.yaml("two.yml", TWO).registry(settings -> settings.maxSize(1));
    registry.circuitBreaker("inventory");

    assertThatIllegalStateException().isThrownBy(() -> registry.circuitBreaker("pricing"));
  }

  @Test
  void the_base_hands_in_what_cannot_be_written() {
    CircuitBreakerConfig config =
        Breakers.yaml("bare.yml", "slidingWindowSize: 7", base -> base.ticker(time).scheduler(time))
            .only();

    assertThat(config.ticker()).isSameAs(time);
    assertThat(config.scheduler()).isSameAs(time);
  }

  @Test
  void an_instance_that_is_misspelled_is_refused_with_the_one_that_was_meant() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Breakers.yaml("two.yml", TWO).config("inventroy"))
        .withMessage(
            "instance: \"inventroy\" (expected: one of [inventory, pricing], perhaps inventory)");
  }

  @Test
  void living_breakers_take_new_settings_and_stay_as_they_are() {
    CircuitBreakerRegistry registry = Breakers.yaml("two.yml", TWO).registry();
    CircuitBreaker inventory = registry.circuitBreaker("inventory");
    CircuitBreaker orders = registry.circuitBreaker("orders");
    inventory.transitionTo(CircuitBreaker.State.FORCED_OPEN);

    List<String> changed =
        Breakers.yaml("two.yml", TWO.replace("Size: 7", "Size: 70")).applyTo(registry);

    assertThat(changed).containsExactly("inventory");
    assertThat(inventory.config().slidingWindowCalls()).isEqualTo(70);
    assertThat(inventory.state()).isEqualTo(CircuitBreaker.State.FORCED_OPEN);
    assertThat(registry.circuitBreaker("inventory")).isSameAs(inventory);
    assertThat(orders.config().slidingWindowCalls()).isEqualTo(100);
    assertThat(registry.find("pricing")).isEmpty();
  }

  @Test
  void breakers_made_after_an_update_have_the_new_settings() {
    CircuitBreakerRegistry registry = Breakers.yaml("two.yml", TWO).registry();

    Breakers.yaml("two.yml", TWO.replace("Size: 7", "Size: 70")).applyTo(registry);

    assertThat(registry.circuitBreaker("inventory").config().slidingWindowCalls()).isEqualTo(70);
  }

  @Test
  void a_breaker_that_cannot_be_changed_keeps_the_others_from_it() {
    CircuitBreakerRegistry registry = Breakers.yaml("two.yml", TWO).registry();
    CircuitBreaker inventory = registry.circuitBreaker("inventory");
    BreakerConfigs otherTicker =
        Breakers.yaml("two.yml", TWO.replace("Size: 7", "Size: 70"), base -> base.ticker(time));

    assertThatExceptionOfType(InvalidConfigurationException.class)
        .isThrownBy(() -> otherTicker.applyTo(registry))
        .withMessageContaining(
            "ticker of inventory: another one (expected: the one it was made with)");
    assertThat(inventory.config().slidingWindowCalls()).isEqualTo(7);
  }

  @Test
  void a_change_of_the_default_template_reaches_the_breakers_made_from_it() {
    String before = "resilience4j.circuitbreaker.configs.default.slidingWindowSize: 20";
    CircuitBreakerRegistry registry = Breakers.yaml("one.yml", before).registry();
    CircuitBreaker inventory = registry.circuitBreaker("inventory");

    List<String> changed = Breakers.yaml("one.yml", before.replace("20", "50")).applyTo(registry);

    assertThat(changed).containsExactly("inventory");
    assertThat(inventory.config().slidingWindowCalls()).isEqualTo(50);
    assertThat(registry.circuitBreaker("new").config().slidingWindowCalls()).isEqualTo(50);
  }

  @Test
  void problems_are_data() {
    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(
            () ->
                Breakers.yaml(
                    "two.yml", TWO.replace("40", "140").replace("Size: 8", "Size: eight")))
        .extracting(InvalidConfigurationFileException::problems)
        .isEqualTo(
            List.of(
                new Problem(
                    "two.yml",
                    3,
                    "configs.default.failureRateThreshold",
                    "140",
                    "a percentage above 0, at most 100, with at most six decimals"),
                new Problem(
                    "two.yml",
                    7,
                    "instances.pricing.slidingWindowSize",
                    "eight",
                    "a number of calls such as 100, or a duration such as 30s")));
  }

  @Test
  void problems_of_a_map_have_no_line() {
    Map<String, Object> instances = new LinkedHashMap<>();
    instances.put("inventory", Map.of("slidingWindowSize", 0, "sliding-window-slice", 1));
    instances.put("pricing", null);
    instances.put("orders", List.of());

    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(() -> Breakers.map(Map.of("recloser.circuitbreaker.instances", instances)))
        .withMessage(
            """
            map: instances.inventory.sliding-window-slice: 1 (expected: a known key; the nearest is\
             slidingWindowSlices)
            map: instances.orders: [] (expected: a section with keys of its own)
            map: instances.inventory.slidingWindowSize: 0 (expected: 1 to 10,000,000 calls)""");
  }

  @Test
  void nothing_is_read_from_an_empty_map() {
    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(() -> Breakers.map(Map.of()))
        .withMessageStartingWith("map: empty (expected: the settings of a circuit breaker");
  }

  private static BreakerConfigs bare(String yaml) {
    return Breakers.yaml("bare.yml", yaml);
  }

  @Test
  void what_a_file_no_longer_has_is_gone() {
    String before = TWO;
    CircuitBreakerRegistry registry = Breakers.yaml("two.yml", before).registry();
    CircuitBreaker inventory = registry.circuitBreaker("inventory");

    List<String> changed =
        Breakers.yaml("two.yml", "recloser.circuitbreaker.instances.other.slidingWindowSize: 9")
            .applyTo(registry);

    assertThat(changed).containsExactly("inventory");
    assertThat(inventory.config().slidingWindowCalls()).isEqualTo(100);
  }
}

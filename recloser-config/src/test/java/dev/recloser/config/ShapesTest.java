package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.SlidingWindowType;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShapesTest {
  @Test
  void a_bare_block_is_the_only_configuration() throws Exception {
    BreakerConfigs configs = BreakerConfigs.load(resource("inventory.yml"));

    assertThat(configs.only())
        .isEqualTo(
            CircuitBreakerConfig.of(
                config ->
                    config
                        .slidingWindowType(SlidingWindowType.COUNT_BASED)
                        .slidingWindowSize(20)
                        .minimumNumberOfCalls(20)
                        .failureRateThreshold(50)
                        .slowCallDurationThreshold(Duration.ofMillis(150))
                        .slowCallRateThreshold(80)
                        .waitDurationInOpenState(Duration.ofSeconds(30))
                        .permittedNumberOfCallsInHalfOpenState(2)
                        .automaticTransitionFromOpenToHalfOpenEnabled(true)
                        .recordExceptions(IOException.class, TimeoutException.class)
                        .ignoreExceptions(List.of("com.shop.InvalidRequestException"))));
    assertThat(configs.names()).isEmpty();
    assertThat(configs.templates()).isEmpty();
    assertThat(configs.notes()).isEmpty();
  }

  @Test
  void an_instance_of_resilience4j_is_known_by_its_name() throws Exception {
    BreakerConfigs configs = BreakerConfigs.load(resource("application.yml"));

    assertThat(configs.names()).containsExactly("inventory");
    assertThat(configs.config("inventory"))
        .isEqualTo(
            CircuitBreakerConfig.of(
                config ->
                    config
                        .slidingWindowType(SlidingWindowType.COUNT_BASED)
                        .slidingWindowSize(20)
                        .minimumNumberOfCalls(10)
                        .failureRateThreshold(50)
                        .slowCallDurationThreshold(Duration.ofSeconds(2))
                        .slowCallRateThreshold(80)
                        .waitDurationInOpenState(Duration.ofSeconds(30))
                        .permittedNumberOfCallsInHalfOpenState(3)
                        .ignoreExceptions(List.of("com.example.inventory.InvalidSkuException"))))
        .isEqualTo(configs.only());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "resilience4j.circuitbreaker",
        "recloser.circuitbreaker",
        "recloser.circuit-breaker",
        "recloser.circuitBreaker"
      })
  void the_root_may_be_either_in_any_spelling(String root) {
    String nested =
        root.replace(".", ":\n  ") + ":\n    instances: {inventory: {slidingWindowSize: 7}}";
    String dotted = root + ".instances.inventory:\n  slidingWindowSize: 7";

    assertThat(windowOf(Breakers.yaml("nested.yml", nested))).isEqualTo(7);
    assertThat(windowOf(Breakers.yaml("dotted.yml", dotted))).isEqualTo(7);
    assertThat(
            windowOf(
                Breakers.properties(
                    "flat.properties", root + ".instances.inventory.slidingWindowSize=7")))
        .isEqualTo(7);
  }

  @Test
  void both_roots_may_stand_in_one_file() {
    BreakerConfigs configs =
        Breakers.yaml(
            "breakers.yml",
            """
            resilience4j.circuitbreaker:
              configs.shared.slidingWindowSize: 7
            recloser.circuitbreaker:
              instances.inventory.baseConfig: shared
            """);

    assertThat(windowOf(configs)).isEqualTo(7);
  }

  @Test
  void what_belongs_to_others_is_left_alone_whatever_it_is() {
    BreakerConfigs configs =
        Breakers.yaml(
            "application.yml",
            """
            spring.application.name: orders
            server: {port: 9080, port: 9081}
            management:
              - anything
            resilience4j:
              retry.instances.inventory.maxAttempts: three
              circuitbreaker.instances.inventory.slidingWindowSize: 7
              bulkhead:
            """);

    assertThat(windowOf(configs)).isEqualTo(7);
  }

  @Test
  void other_policies_under_our_root_are_left_alone_too_and_nothing_else_is() {
    String text =
        """
        recloser:
          retry.instances.inventory.maxAttempts: three
          pipelines: [anything]
          circuitbreaker.instances.inventory.slidingWindowSize: 7
        """;

    assertThat(windowOf(Breakers.yaml("application.yml", text))).isEqualTo(7);
    assertThatThrownBy(() -> Breakers.yaml("application.yml", text + "  breaker: {}\n"))
        .hasMessage(
            "application.yml:5: recloser.breaker: a section (expected: one of circuitbreaker,"
                + " lint)");
  }

  @Test
  void comments_and_blank_lines_mean_nothing_and_comments_are_not_continued() {
    assertThat(
            Breakers.properties(
                    "breakers.properties", "\n# one\n  ! two\\\n\nslidingWindowSize = 7\n")
                .only()
                .slidingWindowCalls())
        .isEqualTo(7);
  }

  @Test
  void properties_hold_lists_with_numbers_or_commas() {
    BreakerConfigs configs =
        Breakers.properties(
            "breakers.properties",
            """
            resilience4j.circuitbreaker.instances.inventory.recordExceptions[0]=java.io.IOException
            resilience4j.circuitbreaker.instances.inventory.recordExceptions[1]=a.B$C
            resilience4j.circuitbreaker.instances.inventory.ignore-exceptions=a.D, \\
                a.E
            """);

    assertThat(configs.only().recordExceptions()).containsExactly("java.io.IOException", "a.B$C");
    assertThat(configs.only().ignoreExceptions()).containsExactly("a.D", "a.E");
  }

  @Test
  void names_keep_their_spelling() {
    String text =
        """
        recloser.circuitbreaker.instances:
          Inventory-Service_2: {}
          api.example.com:
          "[api.example.org]":
            slidingWindowSize: 7
        """;

    assertThat(Breakers.yaml("breakers.yml", text).names())
        .containsExactly("Inventory-Service_2", "api.example.com", "api.example.org");
  }

  @Test
  void a_name_with_dots_stands_in_brackets_in_properties() {
    BreakerConfigs configs =
        Breakers.properties(
            "breakers.properties",
            "recloser.circuitbreaker.instances[api.example.com].sliding-window-size=7");

    assertThat(configs.names()).containsExactly("api.example.com");
    assertThat(windowOf(configs)).isEqualTo(7);
  }

  @Test
  void a_map_may_be_nested_or_flat_and_have_values_of_their_types() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("slidingWindowType", SlidingWindowType.TIME_BASED);
    settings.put("slidingWindowSize", Duration.ofSeconds(7));
    settings.put("failureRateThreshold", 12.5);
    settings.put("countSlowCallsInFlight", false);
    settings.put("recordExceptions", List.of(IOException.class, "a.B"));
    CircuitBreakerConfig expected =
        CircuitBreakerConfig.of(
            config ->
                config
                    .slidingWindowSize(Duration.ofSeconds(7))
                    .failureRateThreshold(12.5)
                    .countSlowCallsInFlight(false)
                    .recordExceptions(List.of("java.io.IOException", "a.B")));

    assertThat(Breakers.map(settings).only()).isEqualTo(expected);
    assertThat(
            Breakers.map(
                    Map.of("recloser.circuitbreaker", Map.of("instances", Map.of("a.b", settings))))
                .config("a.b"))
        .isEqualTo(expected);
    assertThat(
            Breakers.map(Map.of("recloser.circuitbreaker.instances.x.maxProbeDuration", 7))
                .config("x")
                .maxProbeDuration())
        .isEqualTo(Duration.ofMillis(7));
  }

  @Test
  void anchors_and_merges_of_yaml_work() {
    BreakerConfigs configs =
        Breakers.yaml(
            "breakers.yml",
            """
            recloser.circuitbreaker.instances:
              inventory: &shared
                slidingWindowSize: 7
                failureRateThreshold: 30
              pricing:
                <<: *shared
                slidingWindowSize: 8
              stock: *shared
            """);

    assertThat(configs.config("pricing").slidingWindowCalls()).isEqualTo(8);
    assertThat(configs.config("pricing").failureRateThreshold()).isEqualTo(30);
    assertThat(configs.config("stock")).isEqualTo(configs.config("inventory"));
  }

  @Test
  void json_is_yaml() {
    assertThat(
            Breakers.yaml("breakers.json", "{\"slidingWindowSize\": 7}")
                .only()
                .slidingWindowCalls())
        .isEqualTo(7);
  }

  private static int windowOf(BreakerConfigs configs) {
    return configs.only().slidingWindowCalls();
  }

  static Path resource(String name) throws URISyntaxException {
    URL url = Objects.requireNonNull(ShapesTest.class.getResource(name), name);
    return Path.of(url.toURI());
  }
}

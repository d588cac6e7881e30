package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GarbledTextTest {
  private static final int ROUNDS = 3_000;
  private static final String LETTERS = " \n\t:.,[]{}-&*<>|#'\"\\=!0159abmsPT$\u0001\u00E9?%@~";

  private static final List<String> TEXTS =
      List.of(
          """
          slidingWindowSize: 20
          slowCallDurationThreshold: 150ms
          recordExceptions: [java.io.IOException, a.B]
          """,
          """
          recloser.circuitbreaker:
            configs:
              default: &all {slidingWindowSize: 7, baseConfig: shared}
              shared: {<<: *all}
            instances:
              inventory: {baseConfig: shared}
          """,
          """
          resilience4j.circuitbreaker.instances.inventory.recordExceptions[0]=java.io.IOException
          resilience4j.circuitbreaker.instances[a.b].ignore-exceptions=a.D, \\
            a.E
          """,
          """
          recloser:
            retry: {configs: {default: {maxAttempts: 3, jitter: FULL, retryBudgetPercentage: 20}}}
            circuitbreaker.instances.inventory.slidingWindowSize: 7
            pipelines:
              orders: {policies: [retry, circuitbreaker: inventory, timeout], warnings: error}
              reports: default
          """,
          """
          recloser.pipelines.orders=retry, circuitbreaker: inventory, timelimiter
          recloser.pipelines[a.b].policies[0]=bulkhead
          recloser.circuitbreaker.instances.inventory.slidingWindowSize=7
          """);

  @Test
  void any_yaml_is_read_or_refused_with_a_reason() {
    readOrRefuse(Breakers::yaml);
    readOrRefuse(PolicyConfigs::loadYaml);
  }

  @Test
  void any_properties_are_read_or_refused_with_a_reason() {
    readOrRefuse(Breakers::properties);
    readOrRefuse(PolicyConfigs::loadProperties);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{a: ", "- "})
  void nesting_without_end_is_refused(String opening) {
    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(() -> Breakers.yaml("deep.yml", opening.repeat(20_000)))
        .withMessage(
            "deep.yml: collections within collections without end (expected: fewer levels)");
  }

  private static void readOrRefuse(BiFunction<String, String, ?> reader) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      String text = garbled(TEXTS.get(random.nextInt(TEXTS.size())), random);
      try {
        assertThat(reader.apply("garbled", text)).isNotNull();
      } catch (InvalidConfigurationFileException e) {
        assertThat(e.problems()).as("seed %s: %s", seed, text).isNotEmpty();
      } catch (RuntimeException e) {
        fail("seed " + seed + ": " + text, e);
      }
    }
  }

  private static String garbled(String text, Random random) {
    StringBuilder garbled = new StringBuilder(text);
    for (int edits = 1 + random.nextInt(5); edits > 0; edits--) {
      int at = random.nextInt(garbled.length());
      char letter = LETTERS.charAt(random.nextInt(LETTERS.length()));
      switch (random.nextInt(4)) {
        case 0 -> garbled.deleteCharAt(at);
        case 1 -> garbled.insert(at, letter);
        case 2 -> garbled.setCharAt(at, letter);
        default ->
            garbled.insert(
                at, garbled.substring(at, Math.min(garbled.length(), at + random.nextInt(30))));
      }
    }
    return garbled.toString();
  }
}

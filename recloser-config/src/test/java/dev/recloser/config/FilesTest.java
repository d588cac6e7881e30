package dev.recloser.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.InvalidConfigurationFileException.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FilesTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "breakers.yml, slidingWindowSize: 7",
    "breakers.yaml, slidingWindowSize: 7",
    "breakers.conf, slidingWindowSize: 7",
    "breakers.properties, slidingWindowSize=7",
    "BREAKERS.PROPERTIES, slidingWindowSize=7"
  })
  void the_name_tells_properties_from_yaml(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);

    assertThat(BreakerConfigs.load(file).only().slidingWindowCalls()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"breakers.yml", "breakers.properties"})
  void a_byte_order_mark_means_nothing(String name) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "\uFEFFslidingWindowSize: 7\r\n");

    assertThat(BreakerConfigs.load(file).only().slidingWindowCalls()).isEqualTo(7);
  }

  @Test
  void a_file_that_is_not_there_is_named() {
    Path file = folder.resolve("breakers.yml");

    assertMessage(file, file + ": no such file (expected: a file of YAML or properties)");
  }

  @Test
  void a_directory_is_no_file() {
    assertMessage(folder, folder + ": a directory (expected: a file of YAML or properties)");
  }

  @Test
  void a_file_without_an_end_is_not_read_to_it() throws IOException {
    Path file = folder.resolve("breakers.yml");
    Files.write(file, new byte[10_000_001]);

    assertMessage(file, file + ": more than 10 MB (expected: a file of YAML or properties)");
  }

  @Test
  void an_empty_file_has_no_circuit_breaker() throws IOException {
    Path file = Files.createFile(folder.resolve("breakers.yml"));

    assertMessage(file, file + ": empty (expected: " + Layout.EXPECTED + ")");
  }

  @Test
  void a_file_in_another_charset_is_refused_with_the_line() throws IOException {
    Path file = folder.resolve("breakers.properties");
    Files.write(file, "slidingWindowSize=7\n# für das Lager\n".getBytes(ISO_8859_1));

    assertMessage(file, file + ":2: byte 0xFC (expected: UTF-8)");
  }

  @Test
  void a_file_that_ends_within_a_character_is_refused() throws IOException {
    Path file = folder.resolve("breakers.yml");
    Files.write(file, new byte[] {'#', (byte) 0xC3});

    assertMessage(file, file + ":1: byte 0xC3 (expected: UTF-8)");
  }

  @Test
  void predicates_are_left_out_and_noted_where_there_are_no_classes() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("application.yml"),
            """
            resilience4j.circuitbreaker:
              configs:
                default:
                  recordFailurePredicate: com.shop.IsFailure
              instances:
                pricing:
                  slidingWindowSize: 7
                  ignoreExceptions: com.shop.SkuException
                  ignore-exception-predicate: dev.recloser.config.Predicates$Throwing
            """);

    BreakerConfigs configs =
        BreakerConfigs.loadWithoutClasses(file, base -> base.failureRateThreshold(40));

    assertThat(configs.only())
        .isEqualTo(
            CircuitBreakerConfig.of(
                c ->
                    c.slidingWindowSize(7)
                        .failureRateThreshold(40)
                        .ignoreExceptions(List.of("com.shop.SkuException"))));
    assertThat(configs.notes())
        .map(BreakerConfigs.Note::toString)
        .containsExactly(
            file
                + ":4: configs.default.recordFailurePredicate: left out; com.shop.IsFailure is not"
                + " loaded here, calls are judged without it",
            file
                + ":9: instances.pricing.ignore-exception-predicate: left out;"
                + " dev.recloser.config.Predicates$Throwing is not loaded here, calls are judged"
                + " without it");
  }

  @Test
  void what_is_wrong_is_wrong_without_classes_too() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("breakers.properties"),
            "recordExceptions=IOExeption\nrecordResultPredicate=\n");

    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(() -> BreakerConfigs.loadWithoutClasses(file, base -> {}))
        .satisfies(e -> assertThat(e.problems()).extracting(Problem::line).containsExactly(1, 2));
  }

  private static void assertMessage(Path file, String message) {
    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(() -> BreakerConfigs.load(file))
        .withMessage(message);
  }
}

package dev.recloser.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private static void assertMessage(Path file, String message) {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> BreakerConfigs.load(file))
        .withMessage(message);
  }
}

package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreakerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SeveralFilesTest {
  @TempDir private Path folder;

  @Test
  void a_later_file_adds_to_a_policy_and_replaces_its_settings() throws IOException {
    Path first =
        write(
            "first.yml",
            """
            resilience4j.circuitbreaker:
              instances:
                inventory:
                  slidingWindowSize: 20
                  waitDurationInOpenState: 30s
                  ignoreExceptions: [a.B, a.C]
            """);
    Path later =
        write(
            "later.properties",
            """
            recloser.circuitbreaker.instances.inventory.wait-duration-in-open-state=5s
            recloser.circuitbreaker.instances.inventory.ignore-exceptions=a.D
            """);

    CircuitBreakerConfig merged = load(first, later).circuitBreakers().config("inventory");

    assertThat(merged)
        .isEqualTo(
            CircuitBreakerConfig.of(
                config ->
                    config
                        .slidingWindowSize(20)
                        .waitDurationInOpenState(Duration.ofSeconds(5))
                        .ignoreExceptions(List.of("a.D"))));
  }

  @Test
  void a_later_file_changes_a_template_of_an_earlier_one() throws IOException {
    Path first =
        write(
            "first.yml",
            """
            recloser.retry:
              configs.default.maxAttempts: 3
              instances.inventory.waitDuration: 1s
            """);
    Path later = write("later.yml", "recloser.retry.configs.default.maxAttempts: 2");

    assertThat(load(first, later).retries().get("inventory").maxAttempts()).isEqualTo(2);
  }

  @Test
  void a_pipeline_is_that_of_the_later_file() throws IOException {
    Path first = write("first.yml", "recloser.pipelines.orders: [retry, timelimiter]");
    Path later = write("later.yml", "recloser.pipelines.orders: [timelimiter]");

    assertThat(load(first, later).policies().pipeline("orders").policies()).hasSize(1);
  }

  @Test
  void problems_name_their_files() throws IOException {
    Path first = write("first.yml", "recloser.retry.instances.inventory.maxAttempts: 0");
    Path later = write("later.yml", "\nrecloser.retry.instances.inventory.waitDuration: soon");

    assertThatThrownBy(() -> load(first, later))
        .hasMessageContainingAll(
            "first.yml:1: retry.instances.inventory.maxAttempts: 0",
            "later.yml:2: retry.instances.inventory.waitDuration: soon");
  }

  @Test
  void problems_and_notes_are_in_the_order_of_the_files() throws IOException {
    Path first =
        write(
            "z.yml",
            """
            recloser:
              retry.instances.a.waitDuration: 1s
              circuitbreaker.instances.a.registerHealthIndicator: true
              bulkhead.instances.a.tags: {}
            """);
    Path later =
        write("a.yml", "recloser.circuitbreaker.instances.b.registerHealthIndicator: true");
    Path wrong = write("b.yml", "\n\n\n\nrecloser.retry.instances.c.maxAttempts: 0");
    Path last = write("c.yml", "recloser.retry.instances.d.waitDuration: soon");

    assertThat(load(first, later).notes())
        .extracting(note -> Path.of(note.file()).getFileName() + ":" + note.line())
        .containsExactly("z.yml:3", "z.yml:4", "a.yml:1");
    assertThatExceptionOfType(InvalidConfigurationFileException.class)
        .isThrownBy(() -> load(first, wrong, last))
        .satisfies(
            thrown ->
                assertThat(thrown.problems())
                    .extracting(problem -> Path.of(problem.file()).getFileName().toString())
                    .containsExactly("b.yml", "c.yml"));
  }

  @Test
  void a_wrong_setting_of_an_earlier_file_is_a_problem_though_a_later_one_replaces_it()
      throws IOException {
    Path first = write("first.yml", "recloser.retry.instances.inventory.waitDuration: soon");
    Path later = write("later.yml", "recloser.retry.instances.inventory.waitDuration: 1s");

    assertThatThrownBy(() -> load(first, later)).hasMessageContaining("first.yml:1: ");
  }

  @Test
  void a_key_is_given_once_in_each_file() throws IOException {
    Path first = write("first.yml", "recloser.retry.instances.inventory.waitDuration: 1s");
    Path later =
        write(
            "later.yml",
            """
            recloser.retry.instances.inventory.waitDuration: 1s
            resilience4j.retry.instances.inventory.waitDuration: 2s
            """);

    assertThatThrownBy(() -> load(first, later))
        .hasMessage(
            later
                + ":2: retry.instances.inventory: a section (expected: each key once, and line 1"
                + " has it already)");
  }

  @Test
  void there_is_a_file_and_each_once() throws IOException {
    Path first = write("first.yml", "recloser.retry.instances.inventory.waitDuration: 1s");
    Path same = folder.resolve(".").resolve("first.yml");

    assertThatThrownBy(() -> load()).hasMessage("files: none (expected: at least one)");
    assertThatThrownBy(() -> load(first, same))
        .hasMessage(same + ": given twice (expected: each file once)");
  }

  @Test
  void one_of_them_may_be_about_something_else() throws IOException {
    Path first = write("first.yml", "recloser: {}");
    Path later = write("later.yml", "recloser.retry.instances.inventory.maxAttempts: 2");

    assertThat(load(first, later).retries()).containsOnlyKeys("inventory");
    assertThatThrownBy(() -> load(first)).hasMessageContaining("first.yml: no policy");
  }

  private static PolicyConfigs load(Path... files) {
    return PolicyConfigs.load(List.of(files), base -> {});
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}

package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PlaceholdersTest {
  private static final Map<String, String> VARIABLES =
      Map.of("wait", "30s", "blank", "", "unit", "ms", "other", "${wait}");

  @ParameterizedTest
  @CsvSource({
    "30s, 30s",
    "${wait}, 30s",
    "${ wait }, 30s",
    "${wait:5s}, 30s",
    "${absent:5s}, 5s",
    "${absent:${wait}}, 30s",
    "${absent:${missing:7s}}, 7s",
    "15${unit}, 15ms",
    "${absent:1}${absent:5}${unit}, 15ms",
    "a${blank}b, ab",
    "${absent:}x, x",
    "${absent:a:b}, a:b",
    "${other}, ${wait}",
    "$wait, $wait"
  })
  void a_placeholder_stands_for_a_variable_or_its_default(String written, String resolved) {
    assertThat(resolve(written).text()).isEqualTo(resolved);
  }

  @ParameterizedTest
  @CsvSource({
    "${absent}",
    "${}",
    "${:x}",
    "${:}x${absent}",
    "${wait",
    "${absent:${missing}}",
    "${wait}${"
  })
  void a_placeholder_without_value_and_default_stands_for_nothing(String written) {
    Value.Scalar resolved = resolve(written);

    assertThat(resolved.isUnresolved()).isTrue();
    assertThat(resolved.shown()).isEqualTo(written);
  }

  @ParameterizedTest
  @CsvSource({
    "both.of.them, property",
    "only.environment, environment",
    "ONLY_ENVIRONMENT, environment",
    "only.environ-ment, environment",
    "list[0].of-them, in a list",
    "exact.name, exact"
  })
  void a_system_property_comes_before_an_environment_variable(String name, String value) {
    Properties properties = new Properties();
    properties.setProperty("both.of.them", "property");
    Map<String, String> environment =
        Map.of(
            "BOTH_OF_THEM", "environment",
            "ONLY_ENVIRONMENT", "environment",
            "LIST_0_OFTHEM", "in a list",
            "exact.name", "exact",
            "EXACT_NAME", "as shells write it");

    assertThat(Placeholders.of(name, properties, environment)).isEqualTo(value);
  }

  @Test
  void settings_lists_and_pipelines_have_placeholders() {
    PolicyConfigs configs =
        PolicyConfigs.loadYaml(
            "x.yml",
            """
            other: ${is.none.of.our.business}
            recloser:
              retry.instances.x:
                waitDuration: ${wait}
                ignoreExceptions: [a.B, "${exception:a.C}"]
              pipelines:
                x: ["${kind:retry}: ${name:x}"]
            """,
            base -> base.placeholders(VARIABLES::get));

    assertThat(configs.retries().get("x").waitDuration()).isEqualTo(Duration.ofSeconds(30));
    assertThat(configs.retries().get("x").settings().get("ignoreExceptions"))
        .asString()
        .contains("a.B", "a.C");
    assertThat(configs.policies().pipeline("x").describe()).contains("retry x");
  }

  @Test
  void what_stands_for_nothing_is_a_problem_with_its_place() {
    assertThatThrownBy(
            () ->
                PolicyConfigs.loadYaml(
                    "x.yml",
                    """
                    recloser:
                      retry.instances.x:
                        waitDuration: ${WAIT}
                      pipelines:
                        x: ["${KIND}"]
                    """,
                    base -> base.placeholders(VARIABLES::get)))
        .hasMessage(
            """
            x.yml:3: retry.instances.x.waitDuration: ${WAIT} (expected: a system property or an\
             environment variable of this name, or a default as in ${WAIT:...})
            x.yml:5: pipelines.x[0]: ${KIND} (expected: a system property or an environment\
             variable of this name, or a default as in ${KIND:...})""");
  }

  @Test
  void the_one_of_several_that_stands_for_nothing_is_named() {
    assertThatThrownBy(
            () ->
                PolicyConfigs.loadYaml(
                    "x.yml",
                    "recloser.retry.instances.x.waitDuration: \"${wait}${first:${second}}${third}\"",
                    base -> base.placeholders(VARIABLES::get)))
        .hasMessageEndingWith("or a default as in ${second:...})");
  }

  @Test
  void there_is_an_end_to_defaults_of_defaults() {
    String deep = "${a:".repeat(100_000) + "}".repeat(100_000);

    assertThat(resolve("${a:".repeat(19) + "x" + "}".repeat(19)).text()).isEqualTo("x");
    assertThatThrownBy(
            () -> PolicyConfigs.fromMap(Map.of("recloser.retry.instances.x.waitDuration", deep)))
        .hasMessageEndingWith("(expected: a placeholder such as ${name} or ${name:default})");
  }

  @Test
  void a_tool_leaves_out_what_stands_for_nothing(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("x.yml");
    Files.writeString(
        file, "recloser.retry.instances.x: {maxAttempts: 2, waitDuration: \"${WAIT}\"}");

    PolicyConfigs configs =
        PolicyConfigs.loadWithoutClasses(file, base -> base.placeholders(VARIABLES::get));

    assertThat(configs.retries().get("x").maxAttempts()).isEqualTo(2);
    assertThat(configs.notes())
        .singleElement()
        .satisfies(
            note ->
                assertThat(note.advice())
                    .isEqualTo("left out; what ${WAIT} stands for is not known here"));
  }

  @Test
  void a_key_of_the_file_itself_may_be_named() {
    String text =
        """
        shop:
          time-out: ${base}00ms
          base: 3
        base: 2
        recloser:
          timelimiter.instances.x.timeoutDuration: ${shop.timeOut}
          retry.instances.x: {maxAttempts: "${shop.base}", waitDuration: "${wait}"}
        wait: never
        """;

    PolicyConfigs configs =
        PolicyConfigs.loadYaml("x.yml", text, base -> base.placeholders(Map.of("wait", "7")::get));

    assertThat(configs.timeouts().get("x").timeoutDuration()).isEqualTo(Duration.ofMillis(200));
    assertThat(configs.retries().get("x").maxAttempts()).isEqualTo(3);
    assertThat(configs.retries().get("x").waitDuration())
        .as("what the base says goes before the file")
        .isEqualTo(Duration.ofMillis(7));
  }

  @Test
  void the_key_of_a_later_document_goes_before_that_of_an_earlier_one() {
    String text =
        """
        attempts: 2
        recloser.retry.instances.x.maxAttempts: ${attempts}
        ---
        attempts: 5
        """;

    assertThat(PolicyConfigs.loadYaml("x.yml", text).retries().get("x").maxAttempts()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: ${a}",
        "a: ${b}\nb: ${a}",
        "a: ${b}${b}${b}\nb: ${c}${c}${c}\nc: ${d}${d}${d}\nd: ${e}${e}${e}\ne: ${f}${f}${f}\n"
            + "f: ${g}${g}${g}\ng: ${h}${h}${h}\nh: x",
        "a: [1, 2]",
        "a: {b: c}",
        "a:"
      })
  void keys_that_have_no_end_or_no_value_stand_for_nothing(String keys) {
    assertThatThrownBy(
            () ->
                PolicyConfigs.loadYaml(
                    "x.yml", keys + "\nrecloser.retry.instances.x.maxAttempts: ${a}"))
        .isInstanceOf(InvalidConfigurationFileException.class)
        .hasMessageContaining(".maxAttempts: ${a} (expected: ");
  }

  private static Value.Scalar resolve(String text) {
    return new Placeholders(VARIABLES::get, /* elsewhere= */ false)
        .resolve(new Value.Scalar(new Place("x", 1), text));
  }
}

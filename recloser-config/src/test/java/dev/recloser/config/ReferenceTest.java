package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.json.JsonMapper;

/**
 * The reference page and the schema say what files are read by. Both are written anew by running
 * this test with {@code -Dreference.write=true}.
 */
final class ReferenceTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Path PAGE = DOCS.resolve("configuration.md");
  private static final Path SCHEMA =
      Path.of("src/main/resources/dev/recloser/config/recloser.schema.json");

  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  private final Schema schema =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(PolicyConfigs.jsonSchema(), InputFormat.JSON);

  @Test
  void the_page_lists_the_keys_and_the_rules() throws IOException {
    String page = Files.readString(PAGE).replace("\r\n", "\n");
    String written = with(page, "keys", ReferenceDocument.keys());
    written = with(written, "rules", ReferenceDocument.rules());
    if (Boolean.getBoolean("reference.write")) {
      Files.writeString(PAGE, written);
      page = written;
    }

    assertThat(page).as("written anew with -Dreference.write=true").isEqualTo(written);
  }

  @Test
  void the_schema_in_the_jar_is_that_of_the_keys() throws IOException {
    String json = SchemaDocument.json();
    if (Boolean.getBoolean("reference.write")) {
      Files.writeString(SCHEMA, json);
    }

    assertThat(SCHEMA)
        .as("written anew with -Dreference.write=true")
        .content()
        .isEqualToNormalizingNewlines(json);
  }

  @Test
  void every_key_has_a_default_but_the_promise_that_a_call_may_be_made_twice() {
    List<String> without = new ArrayList<>();
    for (PolicyKind<?, ?> kind : PolicyKind.ALL) {
      KeyDefaults defaults = KeyDefaults.of(kind);
      for (Key<?> key : kind.keys().all()) {
        if (key instanceof Key.Setting<?, ?> setting && defaults.of(setting) == null) {
          without.add(kind + "." + key.name());
        }
      }
    }

    assertThat(without).containsExactly("hedge.idempotent");
  }

  @TestFactory
  Stream<DynamicTest> the_schema_accepts_the_files_of_the_documents() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (String name : List.of("pipeline.md", "how-to.md", "configuration.md")) {
      Matcher example = YAML.matcher(Files.readString(DOCS.resolve(name)));
      while (example.find()) {
        String text = example.group(1);
        tests.add(DynamicTest.dynamicTest(name, () -> assertThat(errors(text)).isEmpty()));
      }
    }
    for (String file : List.of("orders.yml", "application.yml")) {
      String text =
          Files.readString(Path.of("src/test/resources/dev/recloser/config").resolve(file));
      tests.add(DynamicTest.dynamicTest(file, () -> assertThat(errors(text)).isEmpty()));
    }
    assertThat(tests).hasSizeGreaterThan(6);
    return tests.stream();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "waitDurationInOpenState: 30s",
        "waitDurationInOpenState: 30 S",
        "waitDurationInOpenState: 30000",
        "waitDurationInOpenState: PT30S",
        "wait-duration-in-open-state: 30s",
        "waitDurationInOpenState: ${WAIT:30s}",
        "slidingWindowType: time-based",
        "slidingWindowType: COUNT_BASED",
        "slidingWindowSize: 30s",
        "failureRateThreshold: 12.5",
        "recordExceptions: java.io.IOException, a.B",
        "recordExceptions: [java.io.IOException]",
        "registerHealthIndicator: true"
      })
  void the_schema_accepts_what_is_read(String setting) {
    String text = "recloser: {circuitbreaker: {instances: {x: {" + quoted(setting) + "}}}}";

    assertThat(PolicyConfigs.loadYaml("x.yml", text).circuitBreakers().names())
        .containsExactly("x");
    assertThat(errors(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "waitDurationInOpenState: 30sec",
        "waitDurationInOpenState: soon",
        "waitDurationInOpnState: 30s",
        "slidingWindowType: COUNT",
        "failureRateThreshold: 120",
        "failureRateThreshold: 50%",
        "recordExceptions: [IOException]",
        "automaticTransitionFromOpenToHalfOpenEnabled: 2",
        "permittedNumberOfCallsInHalfOpenState: -1",
        "permittedNumberOfCallsInHalfOpenState: 2.5",
        "randomizedWaitFactor: -1"
      })
  void the_schema_refuses_what_is_wrong(String setting) {
    assertThat(errors("recloser: {circuitbreaker: {instances: {x: {" + quoted(setting) + "}}}}"))
        .isNotEmpty();
  }

  private static String quoted(String setting) {
    return setting.replaceAll(": ([$].*)", ": \"$1\"").replaceAll(": (j.*, .*)", ": \"$1\"");
  }

  /** The page with this text between the two comments of a name. */
  private static String with(String page, String name, String text) {
    String begin = "<!-- " + name + ", written by ReferenceTest -->\n";
    String end = "<!-- end of " + name + " -->";
    assertThat(page).contains(begin, end);
    int start = page.indexOf(begin) + begin.length();
    return page.substring(0, start) + text + page.substring(page.indexOf(end));
  }

  private List<Error> errors(String yaml) {
    Object file = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    return schema.validate(JsonMapper.shared().valueToTree(file));
  }
}

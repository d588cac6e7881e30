package dev.recloser.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.recloser.config.Finding;
import dev.recloser.config.Finding.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the linter writes as SARIF is valid by the schema that OASIS has published with it. */
final class LintSarifTest {
  private final Schema schema = schema();

  @ParameterizedTest
  @MethodSource
  void findings_are_valid(List<Finding> findings) {
    assertThat(errors(sarif(findings))).isEmpty();
  }

  static Stream<List<Finding>> findings_are_valid() {
    Finding plain = finding("recloser.yml", 3, "retry.instances.x.maxAttempts", Severity.WARNING);
    return Stream.of(
        List.of(),
        List.of(plain),
        List.of(
            silenced(),
            finding("config/r\u00e9serve \u20ac 100%.yml", 1, "", Severity.ERROR),
            finding("/etc/shop/recloser.yml", 0, "x", Severity.NOTE),
            finding("C:\\shop\\recloser.yml", 7, "\"quoted\"\n", Severity.NOTE)));
  }

  @Test
  void the_log_of_a_file_with_many_mistakes_is_valid() {
    StringWriter out = new StringWriter();
    Main.commandLine()
        .setOut(new PrintWriter(out))
        .execute(
            "lint",
            "../docs/replay/orders-to-inventory.yml",
            "--format=sarif",
            "--calls-per-second=5",
            "--p99=50",
            "--error-rate=1",
            "--pool=20",
            "--replicas=3");

    assertThat(out.toString()).contains("\"ruleId\":\"no-jitter\"");
    assertThat(errors(out.toString())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"version\":\"2.1.0\" \"version\":\"2.0.0\"",
        "\"driver\" \"pilot\"",
        "\"level\":\"warning\" \"level\":\"WARNING\"",
        "\"startLine\":3 \"startLine\":0",
        "\"kind\":\"inSource\" \"kind\":\"source\"",
        "\"text\" \"txt\""
      })
  void the_schema_finds_what_is_wrong(String change) {
    String[] parts = change.split(" ", -1);
    String sarif = sarif(List.of(silenced()));

    assertThat(sarif).contains(parts[0]);
    assertThat(errors(sarif.replace(parts[0], parts[1]))).isNotEmpty();
  }

  private static Finding finding(String file, int line, String key, Severity severity) {
    return new Finding(
        "one-probe", severity, file, line, key, "effect", "reason", "advice", /* silenced= */ null);
  }

  private static Finding silenced() {
    return new Finding(
        "one-probe",
        Severity.WARNING,
        "recloser.yml",
        3,
        "x",
        "effect",
        "",
        "advice",
        "they are few");
  }

  private static String sarif(List<Finding> findings) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    LintSarif.write(out, findings);
    out.flush();
    return text.toString();
  }

  private List<Error> errors(String json) {
    return schema.validate(json, InputFormat.JSON);
  }

  private static Schema schema() {
    @Nullable InputStream found =
        LintSarifTest.class.getClassLoader().getResourceAsStream("schema/sarif-schema-2.1.0.json");
    try (InputStream in = Objects.requireNonNull(found, "schema")) {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
          .getSchema(new String(in.readAllBytes(), UTF_8), InputFormat.JSON);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}

package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.config.PolicyConfigs;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class SchemaCommandTest {
  @Test
  void the_schema_is_printed_as_it_is_in_the_jar() {
    StringWriter out = new StringWriter();

    int exitCode = Main.commandLine().setOut(new PrintWriter(out)).execute("schema");

    assertThat(exitCode).isZero();
    assertThat(out.toString())
        .isEqualTo(PolicyConfigs.jsonSchema())
        .startsWith("{\n  \"$schema\" : \"https://json-schema.org/draft/2020-12/schema\",");
  }
}

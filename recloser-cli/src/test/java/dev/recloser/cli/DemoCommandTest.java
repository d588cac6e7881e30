package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class DemoCommandTest {
  @ParameterizedTest
  @CsvSource({
    "7, --seconds: 7 (expected: 8 to 300)",
    "301, --seconds: 301 (expected: 8 to 300)",
    "-1, --seconds: -1 (expected: 8 to 300)"
  })
  void refuses_lengths_that_it_cannot_keep(String seconds, String message) {
    var errors = new StringWriter();
    CommandLine command = new CommandLine(new DemoCommand()).setErr(new PrintWriter(errors));

    int exitCode = command.execute("--seconds", seconds);

    assertThat(exitCode).isEqualTo(2);
    assertThat(errors.toString().lines()).first().isEqualTo(message);
  }
}

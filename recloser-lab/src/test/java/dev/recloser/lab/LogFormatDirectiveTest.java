package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A format of nginx may be copied from its configuration as it stands there. */
final class LogFormatDirectiveTest {
  @ParameterizedTest
  @MethodSource
  void pieces_are_joined(String written, String format) {
    assertThat(LogFormatDirective.joined(written)).isEqualTo(format);
  }

  static Stream<Arguments> pieces_are_joined() {
    return Stream.of(
        arguments("'$msec $status'", "$msec $status"),
        arguments("'$msec '\n    '\"$request\" '\n\t'$status'", "$msec \"$request\" $status"),
        arguments("log_format own '$msec ' \"$status\";", "$msec $status"),
        arguments("log_format own '$msec '\n  '$status'", "$msec $status"),
        arguments(
            "  log_format j escape=json '{\"t\":$msec,' '\"s\":$status}';\n",
            "{\"t\":$msec,\"s\":$status}"),
        arguments("log_format own \"\\\"$request\\\" $msec\"", "\"$request\" $msec"),
        arguments("log_format own 'it\\'s $msec'", "it's $msec"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$msec $status",
        "\"$request\" \"$status\"",
        "'$msec' $status",
        "$msec '$status'",
        "'$msec",
        "log_formats '$msec'"
      })
  void what_is_no_directive_is_a_format(String written) {
    assertThat(LogFormatDirective.joined(written)).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "log_format own $msec $status;",
        "log_format own 'a' $msec",
        "log_format own '$msec"
      })
  void a_directive_without_quotes_is_told(String written) {
    assertThatThrownBy(() -> LogFormatDirective.joined(written))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(" (expected: log_format NAME, then the format in quotes)");
  }

  @Test
  void a_log_is_read_by_the_directive_that_it_was_written_by() throws IOException {
    String directive =
        """
        log_format timed '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent '
            '"$http_referer" "$http_user_agent" $request_time $upstream_response_time $upstream_status';
        """;

    assertThat(GoldenLogs.calls(GoldenLogs.golden("nginx-timed").format("nginx:" + directive)))
        .extracting(GoldenLogs::line)
        .isEqualTo(
            GoldenLogs.calls(GoldenLogs.golden("nginx-timed")).stream()
                .map(GoldenLogs::line)
                .toList());
  }
}

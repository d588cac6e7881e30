package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each wrong log, format and key is told. */
final class WrongLogTest {
  private static final String STATUS = " (expected: an HTTP status from 100 to 599)";
  private static final String TIME =
      " (expected: a time such as 31/Jan/2026:12:00:00 +0100 or 2026-01-31T12:00:00.5Z)";
  private static final String SECONDS = " (expected: seconds with decimals)";
  private static final String FORMATS =
      " (expected: csv, nginx, haproxy, envoy, alb, traefik, tomcat, tomcat9, apache or jsonl;"
          + " nginx, haproxy, envoy, tomcat, tomcat9 and apache with a colon and a format string, if"
          + " it is not the usual one; jsonl with a colon and the names of fields)";
  private static final String MAPPING =
      " (expected: at=FIELD or end=FIELD, duration=FIELD and outcome=FIELD, separated by commas; the"
          + " first two with _s, _ms, _us or _ns for a unit other than milliseconds)";
  private static final String CLF = "::1 - - [30/Nov/2026:03:17:36 +0000] \"GET / HTTP/1.1\" 200 5";

  /** Lines of a format that is named: they are all that the log has. */
  static Stream<Arguments> wrongLines() {
    String nginx = "nginx:$msec $status $request_time";
    String json = "jsonl:end_s=time,duration_s=took,outcome=status";
    return Stream.of(
        arguments(nginx, "12.5 200", "status: not found (expected: a field, then \" \")"),
        arguments(nginx, "noon 200 0.5", "msec: noon" + TIME),
        arguments(nginx, "-1 200 0.5", "msec: -1" + TIME),
        arguments(nginx, "12.5 2000 0.5", "status: 2000" + STATUS),
        arguments(nginx, "12.5 - 0.5", "status: -" + STATUS),
        arguments(nginx, "12.5 200 500", "request_time: 500" + SECONDS),
        arguments(
            nginx,
            "12.5 200 -0.5",
            "request_time: -0.5 (expected: seconds, zero or more and at most 36,500 days)"),
        arguments(nginx, "4000000000.5 200 0.5", "msec: 4000000000.5" + TIME),
        arguments("nginx:\"$msec\" $status $request_time", "x", "the line does not begin with \""),
        arguments(
            "nginx:$msec $upstream_status $upstream_response_time",
            "12.5 200, 20 0.5, 0.5",
            "upstream_status: 20" + STATUS),
        arguments(
            "haproxy:%tr %Ta %ST",
            "30/Nov/2026:03:17:31.5 -1 200",
            "Ta: -1 (expected: milliseconds, zero or more and at most 36,500 days)"),
        arguments(
            "haproxy:%tr %Ta %ST",
            "30/Nox/2026:03:17:31.5 1 200", "tr: 30/Nox/2026:03:17:31.5" + TIME),
        arguments(
            "tomcat:%t %s %D",
            "[30/Nov/2026:03:17:36 +0000] 200 0.5", "D: 0.5 (expected: a whole number)"),
        arguments(
            "tomcat9:%t %s %T",
            "[30/Nov/2026:03:17:36 +0000] 200 5", "T: 5 (expected: seconds with decimals)"),
        arguments(
            "envoy:%START_TIME% %RESPONSE_CODE% %DURATION%",
            "2026-11-30T03:17:27.996Z 200 -",
            "DURATION: not there (expected: milliseconds, zero or more and at most 36,500 days)"),
        arguments(json, "plain text", "wrong JSON: "),
        arguments(json, "{\"time\":1", "wrong JSON: Unexpected end-of-input"),
        arguments(json, "[1]", "no JSON object"),
        arguments(json, "{} {}", "a JSON object with something behind it"),
        arguments(json, "{\"took\":1,\"status\":200}", "time: not there" + TIME),
        arguments(
            json,
            "{\"time\":1,\"took\":\"1s\",\"status\":200}",
            "took: 1s (expected: seconds, zero or more and at most 36,500 days)"),
        arguments(
            json,
            "{\"time\":1,\"took\":1,\"status\":\"fine\"}",
            "status: fine (expected: ok, timeout, cancelled, an HTTP status from 100 to 599, or the"
                + " class name of an exception)"),
        arguments(
            json,
            "{\"time\":100000,\"took\":900000,\"status\":200}",
            "the call began before 1970 or after 2069"));
  }

  @ParameterizedTest
  @MethodSource("wrongLines")
  void a_line_that_cannot_be_read_is_told_why(String format, String line, String problem)
      throws IOException {
    try (Trace trace = GoldenLogs.text("", line).format(format).open()) {
      assertThatThrownBy(trace::next)
          .isInstanceOf(InvalidTraceException.class)
          .hasMessageStartingWith("access.log:2: no line can be read as ")
          .hasMessageContaining("; the first: " + problem)
          .hasMessageEndingWith(" in " + line);
      assertThat(trace.notes().unreadable()).isEqualTo(1);
    }
  }

  static Stream<Arguments> wrongFiles() {
    return Stream.of(
        arguments(null, "\n \n", "2: nothing (expected: a header with at, duration and outcome)"),
        arguments("nginx", "\n \n", "1: nothing (expected: the lines of a log)"),
        arguments(
            null,
            "once upon a time",
            "1: the first line is not of a known format (expected: one of alb, envoy,"
                + " haproxy, jsonl, nginx, tomcat, tomcat9, traefik, or CSV with the columns at,"
                + " duration and outcome) in once upon a time"),
        arguments(
            "envoy",
            CLF,
            "1: the first line is not envoy (JSON) or envoy (Istio's format) or envoy (the default"
                + " format) (expected: one of them, or another format string behind the name and a"
                + " colon) in "
                + CLF),
        arguments(
            null,
            CLF,
            "1: the common or combined log format, without how long a request took, or with it in"
                + " an unusual place (expected: $request_time or %D at the end of the line, or the"
                + " format named with its format string) in "
                + CLF),
        arguments(
            null,
            CLF + " 5",
            "1: the number at the end of the lines is small for the microseconds of %D (expected: to"
                + " be told what it is, as in tomcat9, where %D is milliseconds, or tomcat: and a"
                + " pattern with %D, %T or %F) in "
                + CLF
                + " 5"),
        arguments(
            null,
            "{\"ts\":1,\"took\":5,\"http\":{\"status\":200}}",
            "1: JSON lines with the fields http.status, took, ts (expected: to be told which of them"
                + " to read, as in jsonl:end=time,duration_s=took,outcome=status) in"
                + " {\"ts\":1,\"took\":5,\"http\":{\"status\":200}}"),
        arguments(
            "csv",
            CLF,
            "1: columns: ::1 - - [30/nov/2026:03:17:36 +0000] \"get / http/1.1\" 200 5"
                + " (expected: one at, in a header with at, duration and outcome, separated by"
                + " commas)"));
  }

  @ParameterizedTest
  @MethodSource("wrongFiles")
  void a_file_of_no_known_format_is_told_what_it_looks_like(
      @Nullable String format, String text, String message) {
    TraceSource source = GoldenLogs.text(text);
    InvalidTraceException e =
        catchThrowableOfType(
            InvalidTraceException.class,
            () -> (format == null ? source : source.format(format)).open());
    assertThat(e).hasMessage("access.log:" + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nginxx        | nginxx" + FORMATS,
        "''            | nothing" + FORMATS,
        "alb:$x        | alb:$x" + FORMATS,
        "nginx:        | no fields in \"\" (expected: some, such as $status)",
        "nginx:%t %s   | no fields in \"%t %s\" (expected: some, such as $status)",
        "nginx:$msec$status $request_time | msec and status with nothing in between (expected: text that tells where one ends)",
        "nginx:$msec   | fields msec (expected: also one of $request_time, $upstream_response_time;"
            + " one of $status, $upstream_status)",
        "nginx:$host   | fields host (expected: also one of $msec, $time_iso8601, $time_local; one of"
            + " $request_time, $upstream_response_time; one of $status, $upstream_status)",
        "haproxy:%tr %ST | fields ST, tr (expected: also one of %Ta, %Tt)",
        "tomcat:%h %s  | fields h, s (expected: also %t; one of %D, %F, %T)",
        "apache:%t %D  | fields D, t (expected: also %s)",
        "envoy:%START_TIME% %DURATION% | fields DURATION, START_TIME (expected: also %RESPONSE_CODE%)",
        "jsonl:        | nothing" + MAPPING,
        "jsonl:at      | at" + MAPPING,
        "jsonl:at=a,duration=b | at=a,duration=b" + MAPPING,
        "jsonl:at=a,end=b,duration=c,outcome=d | at=a,end=b,duration=c,outcome=d" + MAPPING,
        "jsonl:at=a,at_s=b,duration=c,outcome=d | at=a,at_s=b,duration=c,outcome=d" + MAPPING,
        "jsonl:at=a,duration_h=c,outcome=d | at=a,duration_h=c,outcome=d" + MAPPING,
        "jsonl:at=a,duration=c,outcome=d,key=e | at=a,duration=c,outcome=d,key=e" + MAPPING,
        "jsonl:at=,duration=c,outcome=d | at=,duration=c,outcome=d" + MAPPING
      })
  void a_wrong_format_is_told_at_once(String format, String message) {
    TraceSource source = GoldenLogs.text("");
    assertThatThrownBy(() -> source.format(format))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tomcat-common-D | upstream | key: upstream (expected: route, or one of the fields D, b, h, l,"
            + " r, s, t, u)",
        "alb             | zone     | key: zone (expected: host, route, upstream, or one of the fields",
        "haproxy         | host     | key: host (expected: a field that has a value, none of the first"
            + " 19 calls of",
        "envoy-json      | zone     | key: zone (expected: a field that has a value, none of the first"
            + " 10 calls of"
      })
  void a_wrong_key_is_told_which_there_are(String name, String key, String message) {
    TraceSource source = GoldenLogs.golden(name).key(key);
    assertThatThrownBy(source::open)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void csv_is_told_its_columns() {
    TraceSource source = GoldenLogs.text("at,host,duration,outcome").key("zone");
    assertThatThrownBy(source::open)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("key: zone (expected: one of the columns at, host, duration, outcome)");
  }

  @ParameterizedTest
  @CsvSource({"28b52ffd, zstd", "425a6839, bzip2", "fd377a58, xz, ", "504b0304, zip"})
  void other_compression_than_gzip_is_named(String magic, String name) {
    byte[] bytes = java.util.HexFormat.of().parseHex(magic + "00000000");
    assertThatThrownBy(() -> GoldenLogs.bytes(bytes).open())
        .isInstanceOf(InvalidTraceException.class)
        .hasMessage("access.log:1: compressed with " + name + " (expected: plain text or gzip)");
  }

  @Test
  void gzip_that_breaks_off_is_an_error() throws IOException {
    byte[] whole = gzip(Files.readAllBytes(GoldenLogs.file("haproxy")));
    byte[] half = Arrays.copyOf(whole, whole.length / 2);
    assertThatThrownBy(() -> GoldenLogs.calls(GoldenLogs.bytes(half)))
        .isInstanceOf(IOException.class)
        .hasMessage("the gzip data breaks off");
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 9})
  void gzip_that_breaks_off_within_its_header_is_an_error(int length) throws IOException {
    byte[] whole = gzip(Files.readAllBytes(GoldenLogs.file("haproxy")));

    assertThatThrownBy(() -> GoldenLogs.bytes(Arrays.copyOf(whole, length)).open())
        .isInstanceOf(IOException.class)
        .hasMessage("the gzip data breaks off");
  }

  @Test
  void gzip_of_which_the_header_is_damaged_is_an_error() throws IOException {
    byte[] damaged = gzip(Files.readAllBytes(GoldenLogs.file("haproxy")));
    damaged[2] = 7; // The method: there is only 8.

    assertThatThrownBy(() -> GoldenLogs.bytes(damaged).open())
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the gzip data is damaged: ");
  }

  @Test
  void gzip_that_is_damaged_is_an_error() throws IOException {
    byte[] damaged = gzip(Files.readAllBytes(GoldenLogs.file("haproxy")));
    Arrays.fill(damaged, 20, 60, (byte) 0x55);
    assertThatThrownBy(() -> GoldenLogs.calls(GoldenLogs.bytes(damaged)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the gzip data is damaged: ");
  }

  @Test
  void lines_that_cannot_be_read_among_others_are_counted_and_the_first_few_shown()
      throws IOException {
    String[] lines = new String[30];
    for (int i = 0; i < lines.length; i++) {
      lines[i] = i % 3 == 0 ? "starting worker " + i : CLF + " " + (1_000 * i + 50_000);
    }
    try (Trace trace = GoldenLogs.text(lines).open()) {
      assertThat(GoldenLogs.calls(trace)).hasSize(20);
      TraceNotes notes = trace.notes();
      assertThat(notes.unreadable()).isEqualTo(10);
      assertThat(notes.firstUnreadable())
          .hasSize(TraceNotes.MAX_UNREADABLE)
          .startsWith(
              "access.log:1: u: not found (expected: a field, then \" [\") in starting worker 0");
    }
  }

  @Test
  void a_call_hours_before_the_others_is_out_of_order() throws IOException {
    String json = "jsonl:end_s=t,duration=d,outcome=o";
    TraceSource log =
        GoldenLogs.text(
            "{\"t\":10000,\"d\":5,\"o\":200}",
            "{\"t\":20000,\"d\":5,\"o\":200}",
            "{\"t\":20000,\"d\":5,\"o\":200}",
            "{\"t\":9000,\"d\":5,\"o\":200}");
    try (Trace trace = log.format(json).open()) {
      assertThat(GoldenLogs.calls(trace)).hasSize(3);
      assertThat(trace.notes().firstUnreadable())
          .singleElement()
          .asString()
          .startsWith("access.log:4: the call was over before those of earlier lines began");
    }
  }

  @Test
  void control_characters_do_not_reach_the_terminal() throws IOException {
    try (Trace trace =
        GoldenLogs.text("\u001b[31m 200 0.5").format("nginx:$msec $status $request_time").open()) {
      assertThatThrownBy(trace::next).hasMessageContaining("msec: ?[31m");
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(bytes);
    }
    return compressed.toByteArray();
  }
}

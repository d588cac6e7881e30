package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreakerConfig;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What single lines mean. */
final class LogFormatsTest {
  private static final String NGINX =
      "nginx:$msec $status $request_time [$upstream_status] [$upstream_response_time]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200 0.500 [200] [0.400]                        | 400 SUCCESS",
        "503 0.500 [200] [0.400]                        | 400 SUCCESS",
        "200 0.500 [502, 200] [0.100, 0.300]            | 100 FAILURE, 300 SUCCESS",
        "200 0.500 [502, 504 : 200] [0.1, 0.2 : 0.1]    | 100 FAILURE, 200 FAILURE, 100 SUCCESS",
        "499 0.500 [-] [0.500]                          | 500 CANCELLED",
        "499 0.500 [502, -] [0.1, 0.4]                  | 100 FAILURE, 400 CANCELLED",
        "502 0.500 [502] [-]                            | 0 FAILURE",
        "404 0.500 [-] [-]                              |"
      })
  void nginx_counts_what_the_upstreams_did(String line, String calls) throws IOException {
    assertThat(calls(NGINX, "1796008644.838 " + line)).isEqualTo(calls == null ? "" : calls);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "$msec $status $upstream_response_time | 1796008644.838 200 0.1, 0.2 | 100 FAILURE, 200 SUCCESS",
        "$msec $request_time $upstream_status  | 1796008644.838 0.500 502    | 500 FAILURE",
        "$time_iso8601 $status $request_time   | 2026-11-30T04:17:24+01:00 429 0.500 | 500 FAILURE"
      })
  void nginx_need_not_write_everything(String format, String line, String calls)
      throws IOException {
    assertThat(calls("nginx:" + format, line)).isEqualTo(calls);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0/0/1/10/11 200 ----      | 11 SUCCESS",
        "5/20/1/10/46 200 ----     | 41 SUCCESS",
        "0/0/1/10/+11 200 ----     | 11 SUCCESS",
        "0/0/-1/-1/1504 503 SC--   | 1504 FAILURE",
        "0/0/1/-1/1001 504 sH--    | 1001 FAILURE",
        "0/0/1/10/2000 200 SD--    | 2000 FAILURE",
        "0/0/1/-1/201 -1 CH--      | 201 CANCELLED",
        "0/0/1/10/900 200 cD--     | 900 CANCELLED",
        "0/500/-1/-1/500 503 sQ--  | 500 FAILURE",
        "0/0/1/10/11 403 ----      | 11 IGNORED"
      })
  void the_termination_state_of_haproxy_goes_before_the_status(String fields, String calls)
      throws IOException {
    String format = "haproxy:[%tr] %s %TR/%Tw/%Tc/%Tr/%Ta %ST %tsc";
    assertThat(calls(format, "[30/Nov/2026:03:17:31.539] inventory-1 " + fields)).isEqualTo(calls);
  }

  @ParameterizedTest
  @CsvSource({"PR--, 403", "CR--, 400", "cR--, 408", "LR--, 301"})
  void a_request_that_haproxy_did_not_send_is_no_call(String state, String status)
      throws IOException {
    String line = "[30/Nov/2026:03:17:31.539] <NOSRV> -1/-1/-1/-1/0 " + status + " " + state;
    assertThat(calls("haproxy:[%tr] %s %TR/%Tw/%Tc/%Tr/%Ta %ST %tsc", line)).isEmpty();
  }

  @Test
  void a_call_through_haproxy_begins_when_its_request_is_complete() throws IOException {
    List<RecordedCall> calls =
        GoldenLogs.calls(
            GoldenLogs.text(
                    "30/Nov/2026:03:17:31.500 0/100 200 \"a\"",
                    "30/Nov/2026:03:17:31.500 70/100 200 \"b\"")
                .format("haproxy:%tr %TR/%Ta %ST %{+Q}r"));
    assertThat(calls).extracting(RecordedCall::atNanos).containsExactly(0L, 70_000_000L);
    assertThat(calls)
        .extracting(RecordedCall::durationNanos)
        .containsExactly(100_000_000L, 30_000_000L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-11-30T03:17:27.996Z 200 - 12   | 12 SUCCESS",
        "1796008647.996 200 - 12             | 12 SUCCESS",
        "1796008647996 503 - 12              | 12 FAILURE",
        "1796008647 0 DC 12                  | 12 CANCELLED",
        "1796008647 0 - 12                   | 12 CANCELLED",
        "1796008647 200 UC 12                | 12 FAILURE",
        "1796008647 503 UO 12                |",
        "1796008647 429 RL 12                |",
        "1796008647 404 NR 12                |"
      })
  void the_flags_of_envoy_go_before_the_status(String line, String calls) throws IOException {
    String format = "envoy:%START_TIME(%s.%3f)% %RESPONSE_CODE% %RESPONSE_FLAGS% %DURATION%";
    assertThat(calls(format, line)).isEqualTo(calls == null ? "" : calls);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tomcat:%t %s %D                       | [30/Nov/2026:03:17:36 +0000] 200 12345   | 12.345 SUCCESS",
        "tomcat9:%t %s %D                      | [30/Nov/2026:03:17:36 +0000] 200 12345   | 12345 SUCCESS",
        "tomcat:%t %s %T                       | [30/Nov/2026:03:17:36 +0000] 200 3       | 3000 SUCCESS",
        "tomcat9:%t %s %T                      | [30/Nov/2026:03:17:36 +0000] 200 0.012   | 12 SUCCESS",
        "tomcat:%t %s %F                       | [30/Nov/2026:03:17:36 +0000] 200 7       | 7 SUCCESS",
        "tomcat:%t %s %F %T                    | [30/Nov/2026:03:17:36 +0000] 200 7 3     | 3000 SUCCESS",
        "tomcat:%t %s %T %D                    | [30/Nov/2026:03:17:36 +0000] 200 3 3012345 | 3012.345 SUCCESS",
        "tomcat:%t %s %{ns}T                   | [30/Nov/2026:03:17:36 +0000] 200 12      | 0.000012 SUCCESS",
        "tomcat:%t %s %{fracsec}T              | [30/Nov/2026:03:17:36 +0000] 200 1.5     | 1500 SUCCESS",
        "tomcat:%{msec}t %s %D                 | 1796008656324 200 12345                  | 12.345 SUCCESS",
        "tomcat:%{yyyy-MM-dd'T'HH:mm:ssX}t %s %D | 2026-11-30T03:17:36Z 200 12345         | 12.345 SUCCESS",
        "apache:%h %l %u %t \"%r\" %>s %b %D   | ::1 - - [30/Nov/2026:03:17:36 +0000] \"GET / HTTP/1.1\" 503 - 12345 | 12.345 FAILURE"
      })
  void tomcat_has_many_units(String format, String line, String calls) throws IOException {
    assertThat(calls(format, line)).isEqualTo(calls);
  }

  @Test
  void the_time_of_a_line_is_the_end_in_tomcat_and_the_beginning_in_apache() throws IOException {
    String[] lines = {
      "[30/Nov/2026:03:17:36 +0000] 200 5000000", "[30/Nov/2026:03:17:37 +0000] 200 1000000"
    };
    assertThat(GoldenLogs.calls(GoldenLogs.text(lines).format("tomcat:%t %s %D")))
        .extracting(RecordedCall::atNanos)
        .containsExactly(0L, 5_000_000_000L);
    assertThat(GoldenLogs.calls(GoldenLogs.text(lines).format("apache:%t %s %D")))
        .extracting(RecordedCall::atNanos)
        .containsExactly(0L, 1_000_000_000L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "at=at,duration=duration,outcome=outcome | {\"at\":0,\"duration\":12.5,\"outcome\":\"ok\"}",
        "at=t,duration_s=d,outcome=o | {\"t\":\"2026-11-30T03:17:36Z\",\"d\":0.0125,\"o\":200}",
        "end_s=t,duration_us=d,outcome=o | {\"t\":1796008644.8,\"d\":12500,\"o\":\"200\"}",
        "end=log.t,duration_ns=log.d,outcome=o | {\"log\":{\"t\":1,\"d\":12500000},\"x\":[{}],\"o\":200}",
        "end_us = t , duration_ms = d , outcome = o | {\"t\":\"31/Jan/2026:12:00:00 +0100\",\"d\":\"12.5\",\"o\":200}"
      })
  void json_lines_say_it_in_fields_of_any_name(String mapping, String line) throws IOException {
    assertThat(calls("jsonl:" + mapping, line)).isEqualTo("12.5 SUCCESS");
  }

  @Test
  void json_lines_with_the_names_of_the_columns_of_csv_are_recognised() throws IOException {
    String one = "{\"at\":5,\"duration\":1,\"outcome\":\"timeout\",\"host\":\"a\"}";
    String two = "{\"at\":7.5,\"duration\":1,\"outcome\":\"java.io.IOException\"}";
    List<RecordedCall> calls = GoldenLogs.calls(GoldenLogs.text(one, two).key("host"));
    assertThat(calls).extracting(RecordedCall::atNanos).containsExactly(0L, 2_500_000L);
    assertThat(calls).extracting(RecordedCall::key).containsExactly("a", "-");
    assertThat(GoldenLogs.outcomes(calls)).isEqualTo("2 FAILURE");
  }

  @Test
  void tabs_and_the_end_of_a_line_are_written_as_in_configuration_files() throws IOException {
    assertThat(calls("nginx:$msec\\t$status\\t$request_time", "12.5\t200\t0.5"))
        .isEqualTo("500 SUCCESS");
    assertThat(
            calls(
                "envoy:%START_TIME% %RESPONSE_CODE% %DURATION%\\n",
                "2026-11-30T03:17:27.996Z 200 12"))
        .isEqualTo("12 SUCCESS");
  }

  @Test
  void a_quote_in_a_field_is_behind_a_backslash() throws IOException {
    String line = "12.5 \"GET /a\\\" 500 \\\\\" 200 0.5";
    assertThat(calls("nginx:$msec \"$request\" $status $request_time", line))
        .isEqualTo("500 SUCCESS");
  }

  @Test
  void a_log_whose_first_line_speaks_of_durations_is_no_csv() throws IOException {
    String line =
        "::1 - - [30/Nov/2026:03:17:36 +0000] \"GET /duration,outcome HTTP/1.1\" 200 5 \"-\""
            + " \"Mozilla/5.0 (KHTML, like Gecko)\" 0.500";
    assertThat(GoldenLogs.calls(GoldenLogs.text(line))).hasSize(1);
  }

  @Test
  void a_long_first_line_is_tried_as_far_as_it_was_read() throws IOException {
    String agent = "x".repeat(200_000);
    String line =
        "::1 - - [30/Nov/2026:03:17:36 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \""
            + agent
            + "\" 0.500";
    assertThat(GoldenLogs.calls(GoldenLogs.text(line, line, line))).hasSize(3);
  }

  @Test
  void csv_has_keys_in_a_column() throws IOException {
    TraceSource csv =
        GoldenLogs.text("at,Host,duration,outcome", "0,a,1,ok", "1,,1,ok").key("HOST");
    assertThat(GoldenLogs.calls(csv)).extracting(RecordedCall::key).containsExactly("a", "-");
  }

  private static String calls(String format, String line) throws IOException {
    return GoldenLogs.calls(GoldenLogs.text(line).format(format)).stream()
        .map(
            call ->
                Milliseconds.ofNanos(call.durationNanos()).toPlainString()
                    + " "
                    + call.outcome().under(CircuitBreakerConfig.defaults()))
        .collect(Collectors.joining(", "));
  }
}

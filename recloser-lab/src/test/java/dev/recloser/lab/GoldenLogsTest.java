package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs of real programs where they can be had; src/test/logs/README.md says which. */
final class GoldenLogsTest {
  private static final String NGINX_OWN =
      "nginx:$msec $host $upstream_addr [$upstream_status] $upstream_response_time \"$request\"";
  private static final String TOMCAT_OWN =
      "tomcat:%{begin:msec}t %v %F %D %{ms}T %s %m %U \"%{X-Request-Id}i\"";
  private static final String APACHE_OWN =
      "apache:%{msec}t %{end:msec}t %v %{us}T %{ms}T %>s %m %U \"%{User-Agent}i\"";
  private static final String JSON = "jsonl:end=time,duration_s=took,outcome=status";

  static Stream<Arguments> recognised() {
    return Stream.of(
        arguments(
            "nginx-timed",
            "nginx (combined with $request_time, $upstream_response_time and $upstream_status),"
                + " which 21 of its first 21 lines fit",
            "12 SUCCESS, 15 FAILURE, 1 IGNORED, 1 CANCELLED",
            2),
        arguments(
            "nginx-request-time",
            "nginx (combined with $request_time), which 21 of its first 21 lines fit; they fit"
                + " tomcat9 (combined with %T in seconds with decimals) as well",
            "13 SUCCESS, 5 FAILURE, 2 IGNORED, 1 CANCELLED",
            0),
        arguments(
            "haproxy",
            "haproxy (HTTP log), which 20 of its first 20 lines fit",
            "11 SUCCESS, 6 FAILURE, 1 IGNORED, 1 CANCELLED",
            1),
        arguments(
            "haproxy-captured",
            "haproxy (HTTP log), which 19 of its first 19 lines fit",
            "11 SUCCESS, 5 FAILURE, 1 IGNORED, 1 CANCELLED",
            1),
        arguments(
            "tomcat-common-D",
            "tomcat (common with %D in microseconds), which 20 of its first 20 lines fit",
            "12 SUCCESS, 6 FAILURE, 2 IGNORED",
            0),
        arguments(
            "tomcat-combined-D",
            "tomcat (combined with %D in microseconds), which 20 of its first 20 lines fit",
            "12 SUCCESS, 6 FAILURE, 2 IGNORED",
            0),
        arguments(
            "tomcat9-common-T",
            "tomcat9 (common with %T in seconds with decimals), which 20 of its first 20 lines fit",
            "12 SUCCESS, 6 FAILURE, 2 IGNORED",
            0),
        arguments(
            "envoy",
            "envoy (the default format), which 12 of its first 12 lines fit",
            "5 SUCCESS, 4 FAILURE, 1 CANCELLED",
            2),
        arguments(
            "envoy-istio",
            "envoy (Istio's format), which 12 of its first 12 lines fit",
            "5 SUCCESS, 4 FAILURE, 1 CANCELLED",
            2),
        arguments(
            "envoy-json",
            "envoy (JSON), which 12 of its first 12 lines fit",
            "5 SUCCESS, 4 FAILURE, 1 CANCELLED",
            2),
        arguments(
            "alb",
            "alb (access log), which 11 of its first 11 lines fit",
            "5 SUCCESS, 4 FAILURE, 1 CANCELLED",
            1),
        arguments(
            "traefik",
            "traefik (common log format), which 11 of its first 11 lines fit",
            "5 SUCCESS, 3 FAILURE, 1 IGNORED, 1 CANCELLED",
            1),
        arguments(
            "traefik-json",
            "traefik (JSON), which 11 of its first 11 lines fit",
            "5 SUCCESS, 3 FAILURE, 1 IGNORED, 1 CANCELLED",
            1));
  }

  @ParameterizedTest
  @MethodSource("recognised")
  void a_log_is_recognised_and_read_whole(
      String name, String format, String outcomes, long notPassedOn) throws IOException {
    try (Trace trace = GoldenLogs.golden(name).open()) {
      List<RecordedCall> calls = GoldenLogs.calls(trace);
      assertThat(GoldenLogs.outcomes(calls)).isEqualTo(outcomes);
      assertThat(calls).isSortedAccordingTo((a, b) -> Long.compare(a.atNanos(), b.atNanos()));
      assertThat(calls.get(0).atNanos()).isZero();
      long lines = Files.readAllLines(GoldenLogs.file(name)).size();
      assertThat(trace.notes())
          .isEqualTo(new TraceNotes(format, lines, 0, List.of(), notPassedOn, 0));
    }
  }

  @ParameterizedTest
  @MethodSource("recognised")
  void a_log_can_be_named_too(String name, String format, String outcomes) throws IOException {
    String program = format.substring(0, format.indexOf(' '));
    List<RecordedCall> named = GoldenLogs.calls(GoldenLogs.golden(name).format(program));
    assertThat(named.stream().map(GoldenLogs::line).toList())
        .isEqualTo(
            GoldenLogs.calls(GoldenLogs.golden(name)).stream().map(GoldenLogs::line).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nginx-own        | " + NGINX_OWN + " | 12 SUCCESS, 15 FAILURE, 1 IGNORED, 1 CANCELLED",
        "nginx-json       | " + JSON + "      | 13 SUCCESS, 5 FAILURE, 3 IGNORED",
        "tomcat-own       | " + TOMCAT_OWN + "| 12 SUCCESS, 6 FAILURE, 2 IGNORED",
        "tomcat9-common-D | tomcat9           | 12 SUCCESS, 6 FAILURE, 2 IGNORED",
        "apache-common-D   | apache           | 11 SUCCESS, 7 FAILURE, 2 IGNORED",
        "apache-combined-D | apache           | 11 SUCCESS, 7 FAILURE, 2 IGNORED",
        "apache-own        | " + APACHE_OWN + "| 11 SUCCESS, 7 FAILURE, 2 IGNORED",
        "apache-common-T   | apache:%h %l %u %t \"%r\" %>s %b %T | 11 SUCCESS, 7 FAILURE, 2 IGNORED",
        "tomcat-common-T  | tomcat:%h %l %u %t \"%r\" %s %b %T | 12 SUCCESS, 6 FAILURE, 2 IGNORED"
      })
  void a_format_of_ones_own_is_described(String name, String format, String outcomes)
      throws IOException {
    try (Trace trace = GoldenLogs.golden(name).format(format).open()) {
      assertThat(GoldenLogs.outcomes(GoldenLogs.calls(trace))).isEqualTo(outcomes);
      assertThat(trace.notes().unreadable()).isZero();
    }
  }

  /** The call to /slow took 400 ms, the one to /hang a second; whatever the unit in the log. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nginx-timed        |",
        "nginx-own          | " + NGINX_OWN,
        "nginx-json         | " + JSON,
        "haproxy            |",
        "tomcat-common-D    |",
        "tomcat-own         | " + TOMCAT_OWN,
        "tomcat9-common-D   | tomcat9",
        "tomcat9-common-T   |",
        "apache-common-D    | apache",
        "apache-own         | " + APACHE_OWN,
        "envoy              |",
        "envoy-json         |",
        "traefik            |",
        "traefik-json       |"
      })
  void durations_are_in_the_unit_of_the_program(String name, String format) throws IOException {
    TraceSource source = GoldenLogs.golden(name);
    TraceSource described = format == null ? source : source.format(format);
    List<Long> millis =
        GoldenLogs.calls(described).stream()
            .map(call -> call.durationNanos() / 1_000_000)
            .sorted()
            .toList();
    assertThat(millis).filteredOn(length -> length >= 400 && length < 500).hasSize(1);
    assertThat(millis).filteredOn(length -> length >= 1_000 && length < 1_100).isNotEmpty();
    assertThat(millis).filteredOn(length -> length >= 5 && length < 20).hasSizeGreaterThan(3);
  }

  @ParameterizedTest
  @CsvSource({
    "nginx-timed, route, GET /stock/*",
    "haproxy, upstream, gone",
    "haproxy, %s, gone-1",
    "haproxy-captured, host, 127.0.0.1:18084",
    "tomcat-common-D, route, GET /slow/*",
    "envoy, host, inventory.shop",
    "envoy, upstream, 10.0.0.8:8080",
    "envoy, route, GET /slow/*",
    "envoy-istio, route, default",
    "envoy-istio, upstream, outbound|8080||inventory.shop.svc.cluster.local",
    "envoy-istio, %UPSTREAM_HOST%, 10.0.0.9:8080",
    "envoy-json, response_code_details, response_timeout",
    "alb, host, inventory.shop",
    "alb, target, 10.0.0.7:80",
    "alb, route, GET /slow/*",
    "traefik, upstream, http://10.0.0.7:8080",
    "traefik-json, upstream, inventory@docker",
    "traefik-json, route, inventory@docker",
    "traefik-json, entryPointName, web"
  })
  void a_key_tells_the_dependencies_apart(String name, String key, String one) throws IOException {
    assertThat(GoldenLogs.calls(GoldenLogs.golden(name).key(key)))
        .extracting(RecordedCall::key)
        .contains(one);
  }

  @Test
  void a_request_that_nginx_passed_to_two_upstreams_is_two_calls() throws IOException {
    TraceSource own = GoldenLogs.golden("nginx-own").format(NGINX_OWN).key("upstream");
    List<RecordedCall> calls =
        GoldenLogs.calls(own).stream().filter(call -> call.row() == 16).toList();
    assertThat(calls)
        .extracting(call -> call.outcome() + " of " + call.key())
        .containsExactly("504 of 127.0.0.1:18081", "502 of 127.0.0.1:18089");
    assertThat(calls.get(0).durationNanos()).isBetween(1_000_000_000L, 1_100_000_000L);
    assertThat(calls.get(1).atNanos())
        .isEqualTo(calls.get(0).atNanos() + calls.get(0).durationNanos());
  }

  /** One that the client gave up was written last, and had begun before three others. */
  @Test
  void apache_httpd_writes_when_a_request_began() throws IOException {
    String format = "apache:%{msec}t %{end:msec}t %v %{us}T %{ms}T %>s %m %U \"%{User-Agent}i\"";
    String withoutEnd = format.replace("%{end:msec}t", "%{X-End}i");
    for (String each : List.of(format, withoutEnd)) {
      List<RecordedCall> calls = GoldenLogs.calls(GoldenLogs.golden("apache-own").format(each));

      assertThat(calls.get(15).row()).isEqualTo(20);
      assertThat(calls.get(15).atNanos()).isBetween(2_188_000_000L, 2_191_000_000L);
    }
  }

  @Test
  void a_log_may_be_compressed() throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    for (String part : List.of("haproxy", "haproxy-captured")) {
      try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
        out.write(Files.readAllBytes(GoldenLogs.file(part)));
      }
    }
    assertThat(GoldenLogs.calls(GoldenLogs.bytes(compressed.toByteArray()))).hasSize(19 + 18);
  }

  @Test
  void what_a_system_log_puts_before_a_line_of_haproxy_is_left_out() throws IOException {
    String line = Files.readAllLines(GoldenLogs.file("haproxy")).get(9);
    assertThat(
            GoldenLogs.calls(
                GoldenLogs.text(
                    "Nov 30 03:17:28 lb haproxy[14389]: " + line,
                    "<134>1 2026-11-30T03:17:28Z lb haproxy 14389 - [x@1 a=\"b\"] " + line)))
        .hasSize(2)
        .allMatch(call -> call.outcome().text().equals("200"));
  }
}

package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logs of servers on the command line. */
final class ReplayLogsTest {
  private static final Path LOGS =
      Path.of("..", "recloser-lab", "src", "test", "resources", "logs");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;
  private Path config;

  @BeforeEach
  void writeConfiguration() throws IOException {
    config =
        Files.writeString(
            folder.resolve("breaker.yml"), "slidingWindowSize: 4\nfailureRateThreshold: 75\n");
  }

  @Test
  void a_log_is_recognised_and_said_to_be() {
    Path log = LOGS.resolve("haproxy.log");
    assertThat(replay(log)).isZero();
    assertThat(err.toString().lines())
        .containsExactly(
            log + ": read as haproxy (HTTP log), which 20 of its first 20 lines fit",
            log + ": 1 of 20 lines tell of requests that were not passed on and are left out");
    assertThat(out.toString())
        .contains("  OPEN          3 of the last 4 calls failed (75 % >= 75 %), last with 503;")
        .contains("calls                                19");
  }

  @Test
  void a_key_gives_a_breaker_each() {
    assertThat(replay(LOGS.resolve("nginx-timed.log"), "--key", "route")).isZero();
    assertThat(out.toString())
        .contains("dependency                              calls   failed    refused")
        .containsPattern("GET /stock/\\* +14   28.6 %")
        .containsPattern("GET /broken/\\* +3  100.0 %");
  }

  @Test
  void each_key_has_the_settings_of_the_instance_of_its_name() throws IOException {
    config =
        Files.writeString(
            folder.resolve("breakers.yml"),
            """
            recloser.circuitbreaker:
              configs.default: {slidingWindowSize: 4, failureRateThreshold: 75}
              instances:
                inventory: {slidingWindowSize: 100}
                pricing: {slidingWindowSize: 50}
            """);

    assertThat(replay(LOGS.resolve("haproxy.log"), "--key", "upstream")).isZero();

    assertThat(out.toString()).doesNotContain("OPEN").containsPattern("inventory +18 ");
    assertThat(err.toString())
        .contains(config + ": no instance for gone; the template default was taken\n");
  }

  @Test
  void one_instance_may_be_named_for_all_keys() throws IOException {
    config =
        Files.writeString(
            folder.resolve("breakers.yml"),
            """
            recloser.circuitbreaker.instances:
              inventory: {slidingWindowSize: 100}
              pricing: {slidingWindowSize: 4, failureRateThreshold: 75}
            """);

    assertThat(replay(LOGS.resolve("haproxy.log"), "--key", "upstream", "--instance", "pricing"))
        .isZero();

    assertThat(out.toString()).contains("OPEN          inventory: 3 of the last 4 calls failed");
    assertThat(err.toString()).doesNotContain("no instance");
  }

  @Test
  void templates_alone_will_do_for_keys() throws IOException {
    config =
        Files.writeString(
            folder.resolve("templates.yml"),
            "recloser.circuitbreaker.configs.default: {slidingWindowSize: 4}");

    assertThat(replay(LOGS.resolve("haproxy.log"), "--key", "upstream")).isZero();
    assertThat(out.toString()).contains("of the last 4 calls failed");
  }

  @Test
  void keys_are_in_the_json() {
    assertThat(replay(LOGS.resolve("haproxy.log"), "--key", "upstream", "--format", "json"))
        .isZero();
    assertThat(out.toString())
        .contains("{\"type\":\"summary\",\"key\":\"inventory\",\"calls\":18,")
        .contains("{\"type\":\"summary\",\"key\":\"gone\",\"calls\":1,");
  }

  @Test
  void a_compressed_log_comes_through_standard_input() throws IOException {
    Path compressed = folder.resolve("access.log.gz");
    try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(compressed))) {
      Files.copy(LOGS.resolve("nginx-own.log"), gzip);
    }
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(Files.readAllBytes(compressed)));
    try {
      String format =
          "nginx:$msec $host $upstream_addr [$upstream_status] $upstream_response_time"
              + " \"$request\"";
      assertThat(run("--trace", "-", "--trace-format", format)).isZero();
    } finally {
      System.setIn(before);
    }
    assertThat(err.toString())
        .startsWith("standard input: read as nginx (as described), as named\n");
    assertThat(out.toString()).contains("calls                                29");
  }

  @Test
  void lines_that_cannot_be_read_are_shown_but_do_no_harm() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(LOGS.resolve("envoy.log")));
    for (int i = 0; i < 7; i++) {
      lines.add(2 * i, "[warning][main] message " + i);
    }
    Path log = Files.write(folder.resolve("envoy.log"), lines);
    assertThat(replay(log)).isZero();
    assertThat(err.toString().lines())
        .contains(
            log + ": read as envoy (the default format), which 12 of its first 19 lines fit",
            log + ": 7 of 19 lines cannot be read and are left out; the first:",
            "  "
                + log
                + ":1: START_TIME: not found (expected: a field, then \"] \"\") in"
                + " [warning][main] message 0")
        .filteredOn(line -> line.startsWith("  "))
        .hasSize(5);
    assertThat(out.toString()).contains("calls                                10");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--trace-format=nginxx | --trace-format: nginxx (expected: csv, nginx, haproxy, ",
        "--trace-format=nginx:$msec | --trace-format: fields msec (expected: also one of $request_time",
        "--trace-format=jsonl:at=x | --trace-format: at=x (expected: at=FIELD or end=FIELD, ",
        "--trace-format=csv | LOG:1: columns: ",
        "--trace-format=haproxy | LOG:1: no line can be read as haproxy (HTTP log); the first: ",
        "--trace-format=envoy | LOG:1: none of the first 20 lines is envoy (JSON) or ",
        "--key=upstream | --key: upstream (expected: route, or one of the fields D, b, h, ",
        "--key=zone | --key: zone (expected: route, or one of the fields D, b, h, "
      })
  void a_wrong_option_or_log_is_told_what_is_wrong(String option, String message) {
    Path log = LOGS.resolve("tomcat-common-D.log");
    assertThat(replay(log, option)).isEqualTo(2);
    assertThat(err.toString().replace(log.toString(), "LOG").lines().reduce((a, b) -> b).get())
        .startsWith(message);
  }

  @Test
  void too_many_keys_are_refused() throws IOException {
    List<String> lines = new ArrayList<>(List.of("at,duration,outcome,id"));
    for (int i = 0; i <= 1_000; i++) {
      lines.add(i + ",1,ok,id-" + i);
    }
    assertThat(replay(Files.write(folder.resolve("calls.csv"), lines), "--key=id")).isEqualTo(2);
    assertThat(err.toString()).startsWith("--key: more than 1000 dependencies, the last id-1000 ");
  }

  @Test
  void a_damaged_archive_is_told_to_be() throws IOException {
    Path file = folder.resolve("access.log.gz");
    try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(file))) {
      Files.copy(LOGS.resolve("haproxy.log"), gzip);
    }
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 20));
    assertThat(replay(file)).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(file + ": cannot be read: the gzip data breaks off\n");
  }

  private int replay(Path log, String... more) {
    List<String> args = new ArrayList<>(List.of("--trace", log.toString()));
    args.addAll(List.of(more));
    return run(args.toArray(String[]::new));
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("replay", "--config", config.toString()));
    all.addAll(List.of(args));
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }
}

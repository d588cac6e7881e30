package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What people give by mistake, and the message that each gets. */
final class BadInputsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;

  private static final Path PAGE = Path.of("..", "docs", "bad-inputs.md");

  private static final String POLICIES =
      "circuitbreaker, retry, hedge, bulkhead, thread-pool-bulkhead, ratelimiter, timelimiter or"
          + " pipelines under recloser or resilience4j";

  private static final String CONFIGURATIONS =
      """
      recloser.circuitbreaker.instances:
        one: {slidingWindowSize: 20}
        other: {slidingWindowSize: 30}
      """;

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void a_file_that_is_wrong(String title, String name, String text, String message)
      throws IOException {
    Path file = folder.resolve(name);
    Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1)); // As it is, byte by byte.

    // Without a key it is about the file as a whole, in which nothing can be looked at then.
    int expected = message.contains(": error: invalid this is wrong") ? 2 : 1;
    assertThat(run("lint", file.toString())).isEqualTo(expected);

    assertThat(withoutSummary(onOneLine(out).replace(folder + "/", ""))).isEqualTo(message);
    assertThat(err.toString()).isEmpty();
  }

  static Stream<Arguments> a_file_that_is_wrong() {
    return Stream.of(
        wrong("nothing", "", invalid("", "empty", POLICIES)),
        wrong("remarks only", "# to do\n", invalid("", "empty", POLICIES)),
        wrong("a list", "- a\n- b\n", invalid(":1", "no keys but a list", POLICIES)),
        wrong(
            "a page",
            "<html>502 Bad Gateway</html>",
            invalid(":1", "no keys but a value", POLICIES)),
        wrong("no policy", "recloser: {}\n", invalid("", "no policy", POLICIES)),
        wrong(
            "another program's file", "server: {port: 8080}\n", invalid("", "no policy", POLICIES)),
        wrong(
            "no YAML",
            "recloser: a: b\n",
            invalid(":1", "mapping values are not allowed here", "YAML")),
        wrong(
            "brackets that do not close",
            "recloser.retry.instances.x: {maxAttempts: 3\n",
            invalid(":2", "expected ',' or '}', but got <stream end>", "YAML")),
        wrong(
            "two documents",
            "slidingWindowSize: 20\n---\nslidingWindowSize: 30\n",
            invalid(
                ":3",
                "another document",
                "one document in a file that is the settings of one circuit breaker")),
        wrong(
            "a key twice",
            "slidingWindowSize: 20\nsliding-window-size: 30\n",
            invalid(":2", "sliding-window-size", "30", "each key once, and line 1 has it already")),
        wrong("no text", "slidingWindowSize: \377\n", invalid(":1", "byte 0xFF", "UTF-8")),
        wrong(
            "a control character",
            "slidingWindowSize: \1\n",
            invalid(":1", "character 0x01", "characters that can be printed")),
        wrong(
            "itself within itself",
            "recloser: &a\n  retry: *a\n",
            invalid(":1", "a mapping within itself", "YAML that ends")),
        wrong(
            "an unknown unit",
            "waitDurationInOpenState: 30 seconds\n",
            invalid(
                ":1",
                "waitDurationInOpenState",
                "30 seconds",
                "a duration such as 150ms, 30s, 2m, 1h or PT30S; a bare number is milliseconds")),
        wrong(
            "a percent sign",
            "failureRateThreshold: 50%\n",
            invalid(
                ":1", "failureRateThreshold", "50%", "a percentage, as a bare number such as 50")),
        wrong(
            "more than all",
            "failureRateThreshold: 120\n",
            invalid(
                ":1",
                "failureRateThreshold",
                "120",
                "a percentage above 0, at most 100, with at most six decimals")),
        wrong(
            "an exception without its package",
            "recordExceptions: [IOException]\n",
            invalid(
                ":1",
                "recordExceptions[0]",
                "IOException",
                "the full name of an exception class, for example java.io.IOException")),
        wrong(
            "an exception that Java does not have",
            "recordExceptions: [java.io.TimeoutException]\n",
            invalid(
                ":1",
                "recordExceptions[0]",
                "java.io.TimeoutException",
                "the full name of an exception class; there is no such class in Java "
                    + Runtime.version().feature())),
        wrong(
            "a placeholder without an end",
            "slidingWindowSize: ${SIZE\n",
            invalid(
                ":1",
                "slidingWindowSize",
                "${SIZE",
                "a placeholder such as ${name} or ${name:default}")),
        wrong(
            "a placeholder without a name",
            "slidingWindowSize: \"${}\"\n",
            invalid(
                ":1",
                "slidingWindowSize",
                "${}",
                "a placeholder such as ${name} or ${name:default}")),
        wrong(
            "a misspelled key",
            "recloser.retry.instances.x.maxAttemps: 3\n",
            invalid(
                ":1",
                "retry.instances.x.maxAttemps",
                "3",
                "a known key; the nearest is maxAttempts")),
        wrong(
            "a misspelled kind",
            "recloser.bulkheads.instances.x.maxConcurrentCalls: 3\n",
            invalid(":1", "recloser.bulkheads", "a section", "bulkhead")),
        wrong(
            "a kind without its root",
            "retry.instances.x.maxAttempts: 3\n",
            invalid(":1", "retry", "a section", "this key under recloser or resilience4j")),
        wrong(
            "a template that is not there",
            "recloser.retry.instances.x.baseConfig: slow\n",
            invalid(
                ":1",
                "retry.instances.x.baseConfig",
                "slow",
                "a name that is under configs, where there is none")),
        wrong(
            "templates without end",
            "recloser.retry:\n  configs.a.baseConfig: b\n  configs.b.baseConfig: a\n",
            invalid(
                ":2",
                "retry.configs.a.baseConfig",
                "b",
                "a chain of templates that ends; this one is a -> b -> a")),
        wrong(
            "a kind of policy that is not there",
            "recloser.pipelines.x: [retry, breaker]\n",
            invalid(
                ":1",
                "pipelines.x[1]",
                "breaker",
                "a kind of policy; the nearest is circuitbreaker")),
        wrong(
            "a policy that is not there",
            "recloser.pipelines.x: [\"circuitbreaker: inventory\"]\n",
            invalid(
                ":1",
                "pipelines.x[0]",
                "circuitbreaker: inventory",
                "a name that is under circuitbreaker.instances, where there is none")),
        wrong(
            "a function",
            "recloser.pipelines.x: [fallback, retry]\n",
            invalid(
                ":1",
                "pipelines.x[0]",
                "fallback",
                "a kind of policy; a fallback stands beside policies, as fallback: NAME")),
        wrong(
            "a rule that is not there",
            "slidingWindowSize: 20\nlint: {silenced: {no-jiter: one replica}}\n",
            invalid(
                ":2",
                "lint.silenced.no-jiter",
                "one replica",
                "the id of a rule; the nearest is no-jitter")),
        wrong(
            "silenced without a reason",
            "slidingWindowSize: 20\nlint: {silenced: {no-jitter: }}\n",
            invalid(
                ":2", "lint.silenced.no-jitter", "nothing", "the reason why it is as it shall be")),
        arguments(
            "an escape without its digits",
            "x.properties",
            "recloser.retry.instances.x.max-attempts=\\u12\n",
            "x.properties"
                + invalid(
                    ":1",
                    "recloser.retry.instances.x.max-attempts=\\u12",
                    "\\uXXXX with four hexadecimal digits")),
        arguments(
            "a list with a gap",
            "x.properties",
            "recloser.retry.instances.x.ignore-exceptions[1]=a.B\n",
            "x.properties"
                + invalid(
                    ":1",
                    "retry.instances.x.ignore-exceptions",
                    "a section",
                    "a list, numbered from 0 without gaps")));
  }

  @ParameterizedTest
  @MethodSource
  void arguments_that_are_wrong(String given, String message) throws IOException {
    Path file = Files.writeString(folder.resolve("x.yml"), "slidingWindowSize: 20");
    String[] args = given.replace("FILE", file.toString()).split(" ", -1);

    assertThat(run(args)).isEqualTo(2);

    assertThat(onOneLine(err))
        .isEqualTo("recloser %s: %s (see recloser %1$s --help)".formatted(args[0], message));
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void recorded_calls_that_are_wrong(String title, String options, String text, String message)
      throws IOException {
    Path config = Files.writeString(folder.resolve("x.yml"), CONFIGURATIONS);
    Path trace = folder.resolve("calls");
    Files.write(trace, text.getBytes(StandardCharsets.ISO_8859_1));
    List<String> args =
        new ArrayList<>(
            List.of("replay", "--config", config.toString(), "--trace", trace.toString()));
    Collections.addAll(args, options.split("[|]", -1));
    args.removeIf(String::isEmpty);

    assertThat(run(args.toArray(String[]::new))).isEqualTo(2);

    assertThat(onOneLine(err).replace(folder + "/", "")).isEqualTo(message);
    assertThat(out.toString()).isEmpty();
  }

  static Stream<Arguments> recorded_calls_that_are_wrong() {
    String csv = "at,duration,outcome\n";
    String one = "--instance=one";
    String nginx = one + "|--trace-format=nginx:$msec $status $request_time";
    return Stream.of(
        arguments("no instance", "", csv, "--instance: not given (expected: one of one, other)"),
        arguments(
            "an unknown instance",
            "--instance=two",
            csv,
            "--instance: \"two\" (expected: one of [one, other])"),
        arguments(
            "nothing",
            one,
            "",
            "calls:1: nothing (expected: a header with at, duration and outcome)"),
        arguments(
            "a header without a column",
            one,
            "at,outcome\n",
            "calls:1: columns: at, outcome (expected: one duration, in a header with at,"
                + " duration and outcome, separated by commas)"),
        arguments(
            "a header that is data",
            one,
            "0,10,ok\n",
            "calls:1: the first line is not of a known format (expected: one of alb, envoy,"
                + " haproxy, jsonl, nginx, tomcat, tomcat9, traefik, or CSV with the columns at,"
                + " duration and outcome) in 0,10,ok"),
        arguments(
            "a header with a column twice",
            one,
            "at,at,duration,outcome\n",
            "calls:1: columns: at, at, duration, outcome (expected: one at, in a header with"
                + " at, duration and outcome, separated by commas)"),
        arguments(
            "a time that is none",
            one,
            csv + "soon,10,ok\n",
            "calls:2: at: soon (expected: milliseconds from the start, zero or more and at"
                + " most 36,500 days, or an ISO-8601 instant such as 2026-01-31T12:00:00.5Z)"),
        arguments(
            "a duration with a unit",
            one,
            csv + "0,10ms,ok\n",
            "calls:2: duration: 10ms (expected: milliseconds, zero or more and at most"
                + " 36,500 days)"),
        arguments(
            "an outcome that is none",
            one,
            csv + "0,10,fine\n",
            "calls:2: outcome: fine (expected: ok, timeout, cancelled, an HTTP status from"
                + " 100 to 599, or the class name of an exception)"),
        arguments(
            "a row with too little",
            one,
            csv + "0,10\n",
            "calls:2: fields: 2 (expected: 3, as in the header)"),
        arguments(
            "rows out of order",
            one,
            csv + "10,1,ok\n5,1,ok\n",
            "calls:3: at: 5 (expected: 10 or more, as in the row before)"),
        arguments(
            "no text",
            one,
            csv + "0,10,\377\n",
            "calls:2: outcome: � (expected: ok, timeout, cancelled, an HTTP status from 100"
                + " to 599, or the class name of an exception)"),
        arguments(
            "an unknown format",
            one + "|--trace-format=iis",
            csv,
            "--trace-format: iis (expected: csv, nginx, haproxy, envoy, alb, traefik,"
                + " tomcat, tomcat9, apache or jsonl; nginx, haproxy, envoy, tomcat, tomcat9 and"
                + " apache with a colon and a format string, if it is not the usual one; jsonl"
                + " with a colon and the names of fields)"),
        arguments(
            "a format string without a time",
            one + "|--trace-format=nginx:$status $request_time",
            "",
            "--trace-format: fields request_time, status (expected: also one of $msec, $time_iso8601, $time_local)"),
        arguments(
            "a format string without fields",
            one + "|--trace-format=nginx:combined",
            "",
            "--trace-format: no fields in \"combined\" (expected: some, such as $status)"),
        arguments(
            "fields with nothing between",
            one + "|--trace-format=nginx:$msec$status $request_time",
            "",
            "--trace-format: msec and status with nothing in between (expected: text that tells"
                + " where one ends)"),
        arguments(
            "a format with a string that takes none",
            one + "|--trace-format=alb:%t",
            "",
            "--trace-format: alb:%t (expected: csv, nginx, haproxy, envoy, alb, traefik, tomcat, tomcat9, apache or jsonl; nginx, haproxy, envoy, tomcat, tomcat9 and apache with a colon and a format string, if it is not the usual one; jsonl with a colon and the names of fields)"),
        arguments(
            "JSON fields that are none",
            one + "|--trace-format=jsonl:at=x",
            "",
            "--trace-format: at=x (expected: at=FIELD or end=FIELD, duration=FIELD and"
                + " outcome=FIELD, separated by commas; the first two with _s, _ms, _us or _ns for"
                + " a unit other than milliseconds)"),
        arguments(
            "a log of another format",
            nginx,
            "nonsense\n",
            "calls: read as nginx (as described), as named calls:1: no line can be read as"
                + " nginx (as described); the first: msec: not found (expected: a field,"
                + " then \" \") in nonsense"),
        arguments(
            "a time in a log that is none",
            nginx,
            "noon 200 0.5\n",
            "calls: read as nginx (as described), as named calls:1: no line can be read as"
                + " nginx (as described); the first: msec: noon (expected: a time such as"
                + " 31/Jan/2026:12:00:00 +0100 or 2026-01-31T12:00:00.5Z) in noon 200 0.5"),
        arguments(
            "a status that is none",
            nginx,
            "12.5 2000 0.5\n",
            "calls: read as nginx (as described), as named calls:1: no line can be read as"
                + " nginx (as described); the first: status: 2000 (expected: an HTTP"
                + " status from 100 to 599) in 12.5 2000 0.5"),
        arguments(
            "a time without decimals",
            nginx,
            "12.5 200 500\n",
            "calls: read as nginx (as described), as named calls:1: no line can be read as"
                + " nginx (as described); the first: request_time: 500 (expected: seconds"
                + " with decimals) in 12.5 200 500"),
        arguments(
            "the plain combined format",
            one,
            "10.0.0.1 - - [30/Nov/2026:12:00:00 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"curl\"\n",
            "calls:1: the common or combined log format, without how long a request took, or with it in an unusual place (expected: $request_time or %D at the end of the line, or the format named with its format string) in 10.0.0.1 - - [30/Nov/2026:12:00:00 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"curl\""),
        arguments(
            "another compression",
            one,
            "BZh91AY&SY\n",
            "calls:1: compressed with bzip2 (expected: plain text or gzip)"),
        arguments(
            "a key that is no field",
            one + "|--key=zone",
            csv + "0,1,ok\n",
            "--key: zone (expected: one of the columns at, duration, outcome)"));
  }

  static Stream<Arguments> arguments_that_are_wrong() {
    String time = " (expected: milliseconds, more than 0 and at most a day)";
    return Stream.of(
        arguments("lint", "Missing required parameter: 'FILE'"),
        arguments(
            "lint absent.yml", "absent.yml: no such file (expected: a file of YAML or properties)"),
        arguments("lint .", ".: a directory (expected: a file of YAML or properties)"),
        arguments(
            "lint absent.yml .",
            "absent.yml: no such file; .: a directory (expected: a file of YAML or properties)"),
        arguments(
            "lint FILE --format xml",
            "Invalid value for option '--format': expected one of [TEXT, JSON, SARIF]"
                + " (case-insensitive) but was 'xml'"),
        arguments("lint FILE --pool 0", "--pool: 0 (expected: at least 1)"),
        arguments("lint FILE --pool 1.5", "Invalid value for option '--pool': '1.5' is not an int"),
        arguments(
            "lint FILE --calls-per-second -1 --p99 0",
            "--calls-per-second: -1.0 (expected: more than 0); --p99: PT0S (expected: more than"
                + " zero)"),
        arguments(
            "lint FILE --calls-per-second NaN", "--calls-per-second: NaN (expected: more than 0)"),
        arguments("lint FILE --error-rate 120", "--error-rate: 120.0 (expected: 0 to 100)"),
        arguments(
            "lint FILE --replicas many",
            "Invalid value for option '--replicas': 'many' is not an int"),
        arguments("lint FILE --p95 3", "Unknown option: '--p95'"),
        arguments("occupancy --rate 0 --latency 1 --pool 1", "--rate: 0.0 (expected: more than 0)"),
        arguments(
            "occupancy --rate NaN --latency 1 --pool 1", "--rate: NaN (expected: more than 0)"),
        arguments("occupancy --rate 1 --latency 0 --pool 1", "--latency: 0.0" + time),
        arguments("occupancy --rate 1 --latency NaN --pool 1", "--latency: NaN" + time),
        arguments("occupancy --rate 1 --latency 1 --pool 0", "--pool: 0 (expected: at least 1)"),
        arguments("occupancy --rate 1 --latency 1 --pool 1 --slow -5", "--slow: -5.0" + time),
        arguments(
            "occupancy --rate 1 --latency 1 --pool 1 --timeout 1e12", "--timeout: 1.0E12" + time),
        arguments(
            "occupancy --rate 1 --latency 50 --pool 1 --slow 10 --timeout 20",
            "--slow: 10.0 (expected: at least --latency, 50.0); --timeout: 20.0 (expected: at least"
                + " --latency, 50.0)"),
        arguments(
            "occupancy --rate -1 --latency 1 --pool -1",
            "--rate: -1.0 (expected: more than 0); --pool: -1 (expected: at least 1)"),
        arguments(
            "occupancy --rate x --latency 1 --pool 1",
            "Invalid value for option '--rate': 'x' is not a double"),
        arguments("occupancy --latency 1 --pool 1", "Missing required option: '--rate=N'"),
        arguments("console --port 65536", "--port: 65536 (expected: 0 to 65535)"),
        arguments("console --port x", "Invalid value for option '--port': 'x' is not an int"),
        arguments("console --breakers 0", "--breakers: 0 (expected: 1 to 10000)"),
        arguments(
            "console --instance a", "--instance: a (expected: two parts with = between them)"),
        arguments("console --instance a=^", "--instance: a=^ (expected: an address)"),
        arguments(
            "console --instance a=http://x/ --instance a=http://y/",
            "--instance: a=http://y/ (expected: each name once)"),
        arguments(
            "console --instance a=http://x/ --controls",
            "--controls: given (expected: not with --instance)"),
        arguments(
            "console --instance a=http://x/ --instance-header A=NO_SUCH_VARIABLE",
            "--instance-header: A=NO_SUCH_VARIABLE (expected: an environment variable that is"
                + " set)"),
        arguments(
            "console --instance-header A=PATH",
            "--instance-header: A=PATH (expected: none without --instance)"),
        arguments("demo --console 70000", "--console: 70000 (expected: 0 to 65535)"));
  }

  /** The page is written anew by running this test with {@code -Dreference.write=true}. */
  @Test
  void the_page_lists_them_and_there_are_many() throws IOException {
    List<Arguments> all =
        Stream.of(
                a_file_that_is_wrong(), arguments_that_are_wrong(), recorded_calls_that_are_wrong())
            .flatMap(each -> each)
            .toList();
    String page = page(all);
    if (Boolean.getBoolean("reference.write")) {
      Files.writeString(PAGE, page);
    }

    assertThat(all).hasSizeGreaterThanOrEqualTo(60);
    assertThat(PAGE)
        .as("written anew with -Dreference.write=true")
        .content()
        .isEqualToNormalizingNewlines(page);
  }

  private static String page(List<Arguments> all) {
    StringBuilder text =
        new StringBuilder(
            """
            # What is wrong, and what is said about it

            %d inputs that people give by mistake to `bin/recloser`, and the message that each gets, as `BadInputsTest` has it. More are in the
            tests of the modules: files (`WrongConfigurationTest`, `WrongPoliciesTest`, `NamedObjectsTest`), logs and traces (`WrongLogTest`,
            `WrongTraceTest`), settings of HTTP (`HttpOutcomesTest`, `HttpGuardTest`), requests to the live panel and clients that do not end them
            (`BadRequestsTest`, `ControlsTest`, `PatienceTest`), what other panels send to it (`RemoteEventTest`, `FleetTest`), arguments of JMX
            (`JmxRegistrationTest`). A wrong header of an answer is nobody's input: what `Retry-After` cannot mean is taken for none
            (`RetryAfterHeaderTest`).

            | input | message |
            | --- | --- |
            """
                .formatted(all.size()));
    all.forEach(each -> text.append(row(each.get())));
    return text.toString();
  }

  private static String row(Object... values) {
    String message =
        String.valueOf(values[values.length - 1])
            .replace("Java " + Runtime.version().feature(), "Java 17");
    return "| %s | `%s` |\n"
        .formatted(
            values.length == 2 ? "`" + values[0] + "`" : values[0], message.replace("|", "\\|"));
  }

  private static Arguments wrong(String title, String text, String message) {
    return arguments(title, "x.yml", text, "x.yml" + message);
  }

  /** What is said of a file as a whole. */
  private static String invalid(String line, String found, String expected) {
    return "%s: error: invalid this is wrong, so nothing of the file is used: %s instead: write %s"
        .formatted(line, found, expected);
  }

  /** What is said of a key. */
  private static String invalid(String line, String key, String value, String expected) {
    return "%s: error: invalid %s this is wrong, so nothing of the file is used: %s instead: write %s"
        .formatted(line, key, value, expected);
  }

  private static String withoutSummary(String findings) {
    return findings.replaceFirst("\\s+1 error, 0 warnings, 0 notes[.].*", "");
  }

  private static String onOneLine(StringWriter text) {
    List<String> lines = text.toString().lines().map(String::strip).toList();
    return String.join(" ", lines);
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }
}

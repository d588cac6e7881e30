package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What people give by mistake, and the message that each gets. */
final class BadInputsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void a_file_that_is_wrong(String title, String name, String text, String message)
      throws IOException {
    Path file = folder.resolve(name);
    Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1)); // As it is, byte by byte.

    assertThat(run("lint", file.toString())).isEqualTo(1);

    assertThat(onOneLine(out).replace(folder.toString() + "/", "")).startsWith(message);
    assertThat(err.toString()).isEmpty();
  }

  static Stream<Arguments> a_file_that_is_wrong() {
    return Stream.of(
        wrong("nothing", "", invalid("", "empty", "circuitbreaker, retry, hedge, bulkhead")),
        wrong("remarks only", "# to do\n", invalid("", "empty", "")),
        wrong("a list", "- a\n- b\n", invalid(":1", "no keys but a list", "")),
        wrong("a page", "<html>502 Bad Gateway</html>", invalid(":1", "no keys but a value", "")),
        wrong("no policy", "recloser: {}\n", invalid("", "no policy", "")),
        wrong("another program's file", "server: {port: 8080}\n", invalid("", "no policy", "")),
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
            invalid(":3", "another document", "one document in a file")),
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
                "a kind of policy; a fallback is a function and goes to"
                    + " ConfiguredPolicies.pipeline")),
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

    assertThat(err.toString()).startsWith("recloser " + args[0] + ": " + message);
    assertThat(out.toString()).isEmpty();
  }

  static Stream<Arguments> arguments_that_are_wrong() {
    String time = " (expected: milliseconds, more than 0 and at most a day)";
    return Stream.of(
        arguments("lint", "Missing required parameter: 'FILE'"),
        arguments(
            "lint absent.yml", "absent.yml: no such file (expected: a file of YAML or properties)"),
        arguments("lint .", ".: a directory (expected: a file of YAML or properties)"),
        arguments(
            "lint absent.yml .", "absent.yml: no such file; .: a directory (expected: a file"),
        arguments(
            "lint FILE --format xml",
            "Invalid value for option '--format': expected one of [TEXT, JSON, SARIF]"),
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
            "occupancy --rate -1 --latency 1 --pool -1",
            "--rate: -1.0 (expected: more than 0); --pool: -1 (expected: at least 1)"),
        arguments(
            "occupancy --rate x --latency 1 --pool 1",
            "Invalid value for option '--rate': 'x' is not a double"),
        arguments("occupancy --latency 1 --pool 1", "Missing required option: '--rate=N'"));
  }

  private static Arguments wrong(String title, String text, String message) {
    return arguments(title, "x.yml", text, "x.yml" + message);
  }

  /** What is said of a file as a whole. */
  private static String invalid(String line, String found, String expected) {
    return "%s: error: invalid nothing of the file is used: %s instead: expected: %s"
        .formatted(line, found, expected);
  }

  /** What is said of a key. */
  private static String invalid(String line, String key, String value, String expected) {
    return "%s: error: invalid %s nothing of the file is used: %s instead: expected: %s"
        .formatted(line, key, value, expected);
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

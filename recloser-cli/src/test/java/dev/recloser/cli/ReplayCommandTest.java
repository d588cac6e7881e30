package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.SequenceInputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ReplayCommandTest {
  private static final Path EXAMPLES = Path.of("..", "docs", "replay");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;
  private Path config;
  private Path trace;

  @BeforeEach
  void writeInput() throws IOException {
    config = write("breaker.yml", "slidingWindowSize: 2\nfailureRateThreshold: 100\n");
    trace = write("calls.csv", "at,duration,outcome\n0,0,500\n0,0,500\n1,0,ok\n");
  }

  @ParameterizedTest
  @CsvSource({
    "orders-to-inventory, text, txt",
    "orders-to-inventory, json, jsonl",
    "call-a-second, text, txt",
    "call-a-second, json, jsonl"
  })
  void theWorkedTimelinesGiveTheReportsInTheDocuments(String name, String format, String suffix)
      throws IOException {
    int exitCode =
        run(
            "replay",
            "--config",
            EXAMPLES.resolve(name + ".yml").toString(),
            "--trace",
            EXAMPLES.resolve(name + ".csv").toString(),
            "--format",
            format);
    assertThat(err.toString()).isEmpty();
    assertThat(exitCode).isZero();
    assertThat(out.toString()).isEqualTo(Files.readString(EXAMPLES.resolve(name + "." + suffix)));
  }

  @Test
  void theOrdersServiceIsSparedThirtySecondsOfFailures() throws IOException {
    assertThat(Files.readString(EXAMPLES.resolve("orders-to-inventory.jsonl")))
        .contains("\"at\":13000,\"from\":\"CLOSED\",\"to\":\"OPEN\",\"cause\":\"FAILURE_RATE\"")
        .contains("\"at\":43000,\"from\":\"OPEN\",\"to\":\"HALF_OPEN\"")
        .contains("\"from\":\"HALF_OPEN\",\"to\":\"CLOSED\",\"cause\":\"PROBES_SUCCEEDED\"")
        .contains("\"refused\":{\"OPEN\":150,")
        .contains("\"refusedThatWouldHaveFailed\":105,")
        .contains("\"OPEN\":30000,");
  }

  @Test
  void aCallASecondOpensAtFiveAndThirtyNineSecondsAndClosesAtSeventy() throws IOException {
    assertThat(Files.readAllLines(EXAMPLES.resolve("call-a-second.jsonl")))
        .satisfiesExactly(
            line -> assertThat(line).contains("\"at\":5000,", "\"to\":\"OPEN\"", "\"calls\":6,"),
            line -> assertThat(line).contains("\"at\":39000,", "\"to\":\"HALF_OPEN\""),
            line -> assertThat(line).contains("\"at\":39000,", "\"to\":\"OPEN\""),
            line -> assertThat(line).contains("\"at\":70000,", "\"to\":\"HALF_OPEN\""),
            line -> assertThat(line).contains("\"at\":70000,", "\"to\":\"CLOSED\""),
            line -> assertThat(line).contains("\"summary\"", "\"refused\":{\"OPEN\":3,"));
  }

  @Test
  void callsAreShownIfAskedFor() {
    assertThat(replay("--calls", "--format", "JSON")).isZero();
    assertThat(out.toString())
        .startsWith(
            "{\"type\":\"call\",\"row\":1,\"at\":0,\"admitted\":true,\"state\":\"CLOSED\"}\n")
        .contains("{\"type\":\"call\",\"row\":3,\"at\":1,\"admitted\":false,\"state\":\"OPEN\"}\n");
  }

  @Test
  void textIsTheFormatUnlessToldOtherwise() {
    assertThat(replay()).isZero();
    assertThat(out.toString()).startsWith("      0:00.000  CLOSED\n      0:00.000  OPEN  ");
  }

  @Test
  void aDashReadsTheTraceFromStandardInput() {
    InputStream before = System.in;
    String text = "outcome,duration,at\r\nok,1,5\r\nhuh,1,6\r\n";
    System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(run("replay", "--config", config.toString(), "--trace", "-")).isEqualTo(2);
    } finally {
      System.setIn(before);
    }
    assertThat(err.toString()).startsWith("standard input:3: outcome: huh (expected: ok, ");
  }

  @Test
  void aWrongRowGivesItsLineAndNoSummary() throws IOException {
    trace = write("calls.csv", "at,duration,outcome\n0,0,500\n0,0,500\n1,0,ok\n1,-1,ok\n");
    assertThat(replay("--format", "json")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            trace
                + ":5: duration: -1 (expected: milliseconds, zero or more and at most 36,500"
                + " days)\n");
    assertThat(out.toString()).contains("\"transition\"").doesNotContain("summary");
  }

  @Test
  void aWrongConfigurationGivesAllItsFaults() throws IOException {
    config = write("breaker.yml", "slidingWindowSize: 0\nfailureRateThreshold: 120\n");
    assertThat(replay()).isEqualTo(2);
    assertThat(err.toString().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith(config.toString() + ":") && line.contains("expected: "));
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void anInstanceIsChosenByName() throws IOException {
    config = write("breakers.yml", instances("inventory", "payments"));
    assertThat(replay("--instance", "payments")).isZero();
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void amongSeveralInstancesOneHasToBeChosen() throws IOException {
    config = write("breakers.yml", instances("inventory", "payments"));
    assertThat(replay()).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            "--instance: not given (expected: one of inventory, payments)\n");
  }

  @Test
  void theOnlyInstanceNeedNotBeNamed() throws IOException {
    config = write("breakers.yml", instances("inventory"));
    assertThat(replay()).isZero();
  }

  @Test
  void anUnknownInstanceIsToldWhichThereAre() throws IOException {
    config = write("breakers.yml", instances("inventory", "payments"));
    assertThat(replay("--instance", "inventry")).isEqualTo(2);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith("--instance: \"inventry\" (expected: ")
        .contains("inventory");
  }

  @Test
  void settingsWithoutAMeaningHereAreNoted() throws IOException {
    config = write("breaker.yml", "slidingWindowSize: 2\nregisterHealthIndicator: true\n");
    assertThat(replay()).isZero();
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith(config + ":2: registerHealthIndicator: ");
  }

  @Test
  void aPredicateOfTheApplicationIsNotedAndDoesNotStopTheReplay() throws IOException {
    config =
        write(
            "application.yml",
            instances("inventory", "payments")
                + "      recordFailurePredicate: com.shop.PaymentFailures\n");
    assertThat(replay("--instance", "payments")).isZero();
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith(config + ":7: instances.payments.recordFailurePredicate: left out; ");
    assertThat(out.toString()).contains("OPEN");
  }

  @Test
  void aMissingTraceIsSaidToBe() {
    trace = folder.resolve("none.csv");
    assertThat(replay()).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(trace + ": no such file (expected: a trace)\n");
  }

  @Test
  void aMissingConfigurationIsSaidToBe() {
    config = folder.resolve("none.yml");
    assertThat(replay()).isEqualTo(2);
    assertThat(err.toString().lines()).singleElement().asString().startsWith(config.toString());
  }

  @Test
  void aFolderIsNoTrace() {
    trace = folder;
    assertThat(replay()).isEqualTo(2);
    assertThat(err.toString()).startsWith(folder + ": cannot be read: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--format=xml", "--call", "extra"})
  void aWrongOptionIsOneLine(String option) {
    assertThat(replay(option)).isEqualTo(2);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith("recloser replay: ")
        .endsWith(" (see recloser replay --help)");
  }

  @Test
  void aMissingOptionIsNamed() {
    assertThat(run("replay", "--trace", trace.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("--config=FILE");
  }

  @Test
  void anOutputThatCannotBeWrittenIsNotTakenForSuccess() {
    assertThat(replayTo(new BrokenStream("No space left on device"), trace.toString()))
        .isEqualTo(1);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            "recloser: the output cannot be written: No space left on device\n");
  }

  /** The trace never ends, so that a replay which goes on does not, either. */
  @ParameterizedTest
  @ValueSource(strings = {"text", "json"})
  @Timeout(60)
  void whenNobodyReadsTheOutputAnyMoreTheReplayEndsAndThatIsNoFailure(String format) {
    InputStream before = System.in;
    System.setIn(endlessTrace());
    try {
      assertThat(replayTo(new BrokenStream("Broken pipe"), "-", "--calls", "--format", format))
          .isZero();
    } finally {
      System.setIn(before);
    }
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aConfigurationOfTemplatesOnlyIsSaidToBe() throws IOException {
    config = write("templates.yml", "recloser.circuitbreaker.configs.default.slidingWindowSize: 3");
    assertThat(replay()).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(config + ": no instance (expected: one under instances)\n");
  }

  @Test
  void helpSaysWhatTheFormatsAre() {
    assertThat(run("replay", "--help")).isZero();
    assertThat(out.toString()).contains("text, json").contains("Default: text");
  }

  @Test
  void whatIsNotReplayedIsTold() throws IOException {
    config =
        write(
            "policies.yml",
            """
            recloser:
              circuitbreaker.instances.x.slidingWindowSize: 2
              retry.instances.x.maxAttempts: 3
              timelimiter.instances.x.timeoutDuration: 1s
            """);

    assertThat(replay()).isZero();
    assertThat(err.toString().strip())
        .isEqualTo(
            config
                + ": only circuit breakers are replayed, each recorded call being one call of"
                + " theirs; left out: retry, timelimiter");
  }

  private int replay(String... more) {
    String[] args = new String[5 + more.length];
    args[0] = "replay";
    args[1] = "--config";
    args[2] = config.toString();
    args[3] = "--trace";
    args[4] = trace.toString();
    System.arraycopy(more, 0, args, 5, more.length);
    return run(args);
  }

  private int replayTo(OutputStream stream, String trace, String... more) {
    List<String> args = new ArrayList<>();
    args.addAll(List.of("replay", "--config", config.toString(), "--trace", trace));
    args.addAll(List.of(more));
    return Main.run(
        Main.commandLine().setErr(new PrintWriter(err, true)),
        new StandardOutput(stream),
        args.toArray(String[]::new));
  }

  private static InputStream endlessTrace() {
    byte[] header = "at,duration,outcome\n".getBytes(StandardCharsets.UTF_8);
    String row = "0,0,500\n";
    InputStream rows =
        new InputStream() {
          private int next;

          @Override
          public int read() {
            return row.charAt(next++ % row.length());
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            for (int i = 0; i < length; i++) {
              buffer[offset + i] = (byte) read();
            }
            return length;
          }
        };
    return new SequenceInputStream(new ByteArrayInputStream(header), rows);
  }

  private int run(String... args) {
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return command.execute(args);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static String instances(String... names) {
    StringBuilder yaml = new StringBuilder("resilience4j.circuitbreaker:\n  instances:\n");
    for (String name : names) {
      yaml.append("    ").append(name).append(":\n      slidingWindowSize: 2\n");
    }
    return yaml.toString();
  }

  /** What is left of an output that takes nothing any more. */
  private static final class BrokenStream extends OutputStream {
    private final String why;

    BrokenStream(String why) {
      this.why = why;
    }

    @Override
    public void write(int b) throws IOException {
      throw new IOException(why);
    }
  }
}

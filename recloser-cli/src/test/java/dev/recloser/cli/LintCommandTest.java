package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LintCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;

  @Test
  void findings_are_told_with_place_effect_reason_and_advice() throws IOException {
    Path file =
        write(
            "x.yml",
            """
            recloser:
              circuitbreaker.instances.inventory:
                slowCallDurationThreshold: 2s
                slowCallRateThreshold: 80
                probeSlowCallDurationThreshold: 4s
                ignoreExceptions: [a.BadRequest]
              timelimiter.instances.inventory.timeoutDuration: 200ms
            """);

    assertThat(run("lint", file.toString(), "--pool", "200", "--replicas", "1")).isEqualTo(1);

    assertThat(out.toString())
        .isEqualToNormalizingNewlines(
            file
                + """
                :3: error: slow-limit-at-timeout circuitbreaker.instances.inventory.slowCallDurationThreshold
                    no call can be slower than the slowCallDurationThreshold of inventory, 2 s, for the timeout
                    inside ends it after 200 ms
                    why: slow calls can never open the breaker
                    instead: set the threshold between the usual p99 and the timeout

                1 error, 0 warnings, 0 notes.
                There is more to say with --calls-per-second, --p99, --error-rate, or recloser.lint.workload in a
                file.
                """);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void what_is_known_of_the_calls_finds_more() throws IOException {
    Path file = write("x.yml", "slidingWindowSize: 20\nfailureRateThreshold: 10\n");

    int exitCode =
        run(
            "lint",
            file.toString(),
            "--calls-per-second",
            "0.1",
            "--p99",
            "100.5",
            "--error-rate",
            "12",
            "--pool",
            "10",
            "--replicas",
            "3");

    assertThat(exitCode).isEqualTo(1);
    assertThat(out.toString())
        .contains(
            ":2: error: threshold-below-error-rate failureRateThreshold",
            ":1: warning: window-spans-minutes slidingWindowSize",
            "warning: no-jitter randomizedWaitFactor")
        .doesNotContain("There is more to say");
  }

  @Test
  void only_errors_that_are_not_silenced_make_it_fail() throws IOException {
    Path warning = write("warning.yml", "permittedNumberOfCallsInHalfOpenState: 1\n");
    Path silenced =
        write(
            "silenced.yml",
            """
            recordExceptions: [java.lang.IllegalArgumentException]
            slowCallDurationThreshold: 0
            lint: {silenced: {client-errors-recorded: their mistakes are ours}}
            """);

    assertThat(run("lint", warning.toString())).isZero();
    assertThat(out.toString()).contains("warning: one-probe");
    assertThat(run("lint", silenced.toString())).isZero();
    assertThat(out.toString()).contains("; 1 silenced.").doesNotContain("client-errors-recorded");
  }

  @Test
  void files_are_looked_at_one_by_one_unless_they_belong_together() throws IOException {
    Path first = write("a.yml", "recloser.retry.instances.x.retryBudgetPercentage: 90\n");
    Path later = write("b.yml", "recloser.retry.instances.x.retryBudgetPercentage: 10\n");

    run("lint", first.toString(), later.toString());
    assertThat(out.toString()).contains("retries-multiply-load");

    out.getBuffer().setLength(0);
    run("lint", "--together", first.toString(), later.toString());
    assertThat(out.toString()).doesNotContain("retries-multiply-load");
  }

  @Test
  void what_is_known_of_each_dependency_may_be_in_the_file_or_in_another_one() throws IOException {
    String policies =
        """
        recloser:
          timelimiter.instances:
            inventory: {timeoutDuration: 1s}
            reports: {timeoutDuration: 1s}
        """;
    Path own = write("own.yml", policies + "  lint.workload.reports: {p99: 10ms}\n");
    Path plain = write("plain.yml", policies);
    Path calls = write("calls.yml", "recloser.lint.workload.inventory.p99: 2s\n");

    run("lint", own.toString(), "--p99", "300");
    assertThat(out.toString())
        .contains(own + ":4: warning: timeout-far-above-p99 timelimiter.instances.reports")
        .doesNotContain("-p99 timelimiter.instances.inventory");

    out.getBuffer().setLength(0);
    run("lint", plain.toString(), "--workload", calls.toString(), "--p99", "300");
    assertThat(out.toString())
        .contains(plain + ":3: warning: timeout-below-p99 timelimiter.instances.inventory")
        .doesNotContain("-p99 timelimiter.instances.reports");
  }

  @Test
  void a_file_of_workloads_that_is_not_there_is_a_wrong_argument() throws IOException {
    Path file = write("x.yml", "slidingWindowSize: 20\n");

    assertThat(run("lint", file.toString(), "--workload", "nowhere.yml")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(
            "recloser lint: nowhere.yml: no such file (expected: a file of YAML or properties)");
  }

  @Test
  void json_has_all_of_it() throws IOException {
    Path file =
        write(
            "x.yml",
            "recloser: {retry.instances.é.retryBudgetPercentage: 60,"
                + " lint.silenced.retries-multiply-load: they are few}");

    assertThat(run("lint", "--format", "json", file.toString())).isZero();

    assertThat(out.toString())
        .isEqualToNormalizingNewlines(
            "{\"findings\":[{\"rule\":\"retries-multiply-load\",\"severity\":\"warning\",\"file\":\""
                + file
                + "\",\"line\":1,\"key\":\"retry.instances.\\u00E9.retryBudgetPercentage\","
                + "\"effect\":\"a failing dependency sees up to 1.6 times its load\","
                + "\"reason\":\"the budget lets retries be 60 % of the calls\","
                + "\"advice\":\"write a retryBudgetPercentage of 10 to 20\","
                + "\"silenced\":\"they are few\"}]}\n");
  }

  @Test
  void sarif_has_the_rules_the_places_and_the_suppressions() throws IOException {
    Path file =
        write(
            "x y.yml",
            """
            recloser:
              retry.instances.x.retryBudgetPercentage: 60
              lint.silenced.retries-multiply-load: they are few
            """);

    assertThat(run("lint", "--format", "sarif", file.toString())).isZero();

    assertThat(out.toString())
        .startsWith(
            "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\","
                + "\"runs\":[{\"tool\":{\"driver\":{\"name\":\"recloser lint\",\"rules\":[{\"id\":")
        .contains(
            "{\"id\":\"one-probe\",\"shortDescription\":{\"text\":"
                + "\"permittedNumberOfCallsInHalfOpenState is 1.\"},"
                + "\"defaultConfiguration\":{\"level\":\"warning\"}}")
        .endsWith(
            "\"results\":[{\"ruleId\":\"retries-multiply-load\",\"level\":\"warning\","
                + "\"message\":{\"text\":\"a failing dependency sees up to 1.6 times its load; the"
                + " budget lets retries be 60 % of the calls; write a retryBudgetPercentage of 10 to"
                + " 20\"},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\""
                + file.toUri()
                + "\"},\"region\":{\"startLine\":2}},\"logicalLocations\":[{\"fullyQualifiedName\":"
                + "\"retry.instances.x.retryBudgetPercentage\"}]}],\"suppressions\":[{\"kind\":"
                + "\"inSource\",\"justification\":\"they are few\"}]}]}]}"
                + System.lineSeparator());
  }

  @Test
  void a_file_that_cannot_be_read_at_all_ends_with_2() throws IOException {
    Path broken = write("broken.yml", "a: b: c\n");
    Path archive = Files.write(folder.resolve("x.jar"), new byte[] {'P', 'K', 3, 4, -1});
    Path wrong = write("wrong.yml", "slidingWindowSize: few\n");

    assertThat(run("lint", broken.toString())).isEqualTo(2);
    assertThat(run("lint", archive.toString())).isEqualTo(2);
    assertThat(run("lint", wrong.toString())).isEqualTo(1);
  }

  @Test
  void a_file_that_is_named_twice_is_looked_at_once() throws IOException {
    Path file = write("x.yml", "permittedNumberOfCallsInHalfOpenState: 1\n");

    run("lint", file.toString(), folder.resolve(".").resolve("x.yml").toString());
    assertThat(out.toString()).containsOnlyOnce("one-probe");
  }

  @Test
  void a_name_among_the_workloads_that_none_of_the_files_has_is_told() throws IOException {
    Path orders = write("orders.yml", "recloser.retry.instances.inventory.maxAttempts: 2\n");
    Path stock = write("stock.yml", "recloser.retry.instances.pricing.maxAttempts: 2\n");
    Path calls =
        write(
            "calls.yml",
            "recloser.lint.workload: {invntory: {p99: 1s}, inventory: {p99: 1s}, pricing: {p99:"
                + " 1s}}\n");

    run("lint", orders.toString(), stock.toString(), "--workload", calls.toString());
    assertThat(out.toString())
        .containsOnlyOnce("no policy and no pipeline has this name")
        .contains(calls + ":1: note: no-effect lint.workload.invntory");
  }

  @Test
  void workloads_that_are_wrong_do_not_hide_what_else_is_found() throws IOException {
    Path file = write("x.yml", "permittedNumberOfCallsInHalfOpenState: 1\n");
    Path calls = write("calls.yml", "recloser.lint.workload.x.p99: 0\n");

    assertThat(run("lint", file.toString(), "--workload", calls.toString())).isEqualTo(1);
    assertThat(out.toString())
        .contains("one-probe", calls + ":1: error: invalid lint.workload.x.p99");
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}

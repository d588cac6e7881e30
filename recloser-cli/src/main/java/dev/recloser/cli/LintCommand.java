package dev.recloser.cli;

import dev.recloser.InvalidConfigurationException;
import dev.recloser.config.Finding;
import dev.recloser.config.Finding.Severity;
import dev.recloser.config.Workload;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Finds known mistakes in configurations. */
@Command(
    name = "lint",
    description = "Finds known mistakes in configurations: what will happen, why, what instead.",
    footer = {
      "",
      "Ends with 1 if there are errors that are not silenced, and with 2 if a file cannot be read"
          + " at all: it is not there, or no configuration. A file silences a rule with its reason: recloser.lint.silenced.RULE: REASON, or"
          + " recloser.lint.silenced.RULE.NAME: REASON for one policy or pipeline.",
      "",
      "A file says what is known of the calls of a dependency by the name of its policies or"
          + " pipeline, which goes before the options, or default, where nothing else says it:",
      "",
      "  recloser.lint.workload:",
      "    inventory: {callsPerSecond: 200, p99: 40ms, errorRate: 0.5}",
      "    default: {replicas: 4, pool: 200}"
    })
final class LintCommand implements Callable<Integer> {
  private static final int ERRORS_FOUND = 1;
  private static final double NANOS_PER_MILLI = 1e6;

  /** What options are called where a workload is made. */
  private static final Map<String, String> OPTIONS =
      Map.of(
          "callsPerSecond", "--calls-per-second",
          "p99", "--p99",
          "errorRate", "--error-rate",
          "pool", "--pool",
          "replicas", "--replicas");

  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Configurations, YAML or .properties.")
  @SuppressWarnings("NullAway.Init") // by picocli
  private List<Path> files;

  @Option(
      names = "--together",
      description = "The files are read as one, later ones over earlier ones; else each by itself.")
  private boolean together;

  @Option(
      names = "--workload",
      paramLabel = "FILE",
      description =
          "A further file for what is known of the calls of each dependency, under"
              + " recloser.lint.workload; what it says goes before FILE and the other options.")
  private @Nullable Path workloads;

  @Option(
      names = "--calls-per-second",
      paramLabel = "N",
      description = "How many calls one process makes to a dependency in a second.")
  private @Nullable Double callsPerSecond;

  @Option(
      names = "--p99",
      paramLabel = "MS",
      description = "Within how many milliseconds 99 of 100 calls end on a usual day.")
  private @Nullable Double p99;

  @Option(
      names = "--error-rate",
      paramLabel = "PCT",
      description = "How many calls fail on a usual day, in percent.")
  private @Nullable Double errorRate;

  @Option(
      names = "--pool",
      paramLabel = "N",
      description = "How many workers, threads or connections make the calls.")
  private @Nullable Integer pool;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description = "How many processes call the same dependency.")
  private @Nullable Integer replicas;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // by picocli
  private Format format;

  @Override
  public Integer call() {
    Workload workload = workload();
    checkFiles();
    LintRun run = new LintRun(workloads, workload);
    List<Finding> findings = together ? run.together(files) : run.each(files);
    PrintWriter out = spec.commandLine().getOut();
    report(out, findings);
    out.flush();
    return exitCode(findings);
  }

  private static int exitCode(List<Finding> findings) {
    if (findings.stream().anyMatch(LintRun::isUnreadable)) {
      return CommandLine.ExitCode.USAGE;
    }
    boolean wrong =
        findings.stream()
            .anyMatch(each -> each.severity() == Severity.ERROR && each.silenced() == null);
    return wrong ? ERRORS_FOUND : CommandLine.ExitCode.OK;
  }

  private void report(PrintWriter out, List<Finding> findings) {
    switch (format) {
      case TEXT -> new LintText(out, unknown()).write(findings);
      case JSON -> LintJson.write(out, findings);
      case SARIF -> LintSarif.write(out, findings);
    }
  }

  private Workload workload() {
    try {
      return Workload.of(this::tell);
    } catch (InvalidConfigurationException e) {
      String message =
          e.faults().stream()
              .map(
                  fault ->
                      OPTIONS.get(fault.setting())
                          + ": "
                          + fault.value()
                          + " (expected: "
                          + fault.expected()
                          + ")")
              .collect(Collectors.joining("; "));
      throw new ParameterException(spec.commandLine(), message, e);
    }
  }

  private void tell(Workload.Builder workload) {
    if (callsPerSecond != null) {
      workload.callsPerSecond(callsPerSecond);
    }
    if (p99 != null) {
      workload.p99(Duration.ofNanos(Math.round(p99 * NANOS_PER_MILLI)));
    }
    if (errorRate != null) {
      workload.errorRate(errorRate);
    }
    if (pool != null) {
      workload.pool(pool);
    }
    if (replicas != null) {
      workload.replicas(replicas);
    }
  }

  /** The options without which some rules find nothing. */
  private List<String> unknown() {
    List<String> unknown = new ArrayList<>();
    addIf(callsPerSecond == null, "--calls-per-second", unknown);
    addIf(p99 == null, "--p99", unknown);
    addIf(errorRate == null, "--error-rate", unknown);
    addIf(pool == null, "--pool", unknown);
    addIf(replicas == null, "--replicas", unknown);
    return unknown;
  }

  private static void addIf(boolean condition, String option, List<String> options) {
    if (condition) {
      options.add(option);
    }
  }

  /** A file that is not there is a wrong argument, not a mistake in a configuration. */
  private void checkFiles() {
    List<String> wrong = new ArrayList<>();
    List<Path> all = new ArrayList<>(files);
    if (workloads != null) {
      all.add(workloads);
    }
    for (Path file : all) {
      if (!Files.exists(file)) {
        wrong.add(file + ": no such file");
      } else if (Files.isDirectory(file)) {
        wrong.add(file + ": a directory");
      } else if (!Files.isReadable(file)) {
        wrong.add(file + ": cannot be read");
      }
    }
    if (!wrong.isEmpty()) {
      String message = String.join("; ", wrong) + " (expected: a file of YAML or properties)";
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  /** How to tell what was found. */
  enum Format {
    TEXT,
    JSON,
    SARIF;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}

package dev.recloser.cli;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.BreakerConfigs;
import dev.recloser.config.InvalidConfigurationFileException;
import dev.recloser.lab.InvalidTraceException;
import dev.recloser.lab.Replay;
import dev.recloser.lab.ReplayListener;
import dev.recloser.lab.Trace;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs recorded calls through a real breaker on simulated time. */
@Command(
    name = "replay",
    description = "Shows what a configuration would have done to recorded calls.",
    footer = {
      "",
      "The trace is CSV with a header and the columns at (milliseconds from the start, or ISO-8601"
          + " instants), duration (milliseconds) and outcome (ok, timeout, cancelled, an HTTP"
          + " status, or the class name of an exception)."
    })
final class ReplayCommand implements Callable<Integer> {
  private static final String STANDARD_INPUT = "-";

  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The configuration, YAML or .properties.")
  @SuppressWarnings("NullAway.Init") // by picocli
  private Path config;

  @Option(
      names = "--instance",
      paramLabel = "NAME",
      description = "Which breaker of the configuration, if there are several.")
  private @Nullable String instance;

  @Option(
      names = "--trace",
      required = true,
      paramLabel = "FILE",
      description = "The recorded calls; - reads standard input.")
  @SuppressWarnings("NullAway.Init") // by picocli
  private String trace;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description =
          "${COMPLETION-CANDIDATES}: a timeline for people, or one JSON object a line. Default:"
              + " ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // by picocli
  private Format format;

  @Option(names = "--calls", description = "Shows each call, too.")
  private boolean calls;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try {
      replay(out);
    } catch (InvalidConfigurationFileException | InvalidTraceException | BadInputException e) {
      return ended(CommandLine.ExitCode.USAGE, e.getMessage());
    } catch (IOException e) {
      return ended(CommandLine.ExitCode.USAGE, trace + ": " + why(e));
    } finally {
      out.flush();
    }
    // Why it could not be written is told where the output is made.
    return out.checkError() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
  }

  private void replay(PrintWriter out) throws IOException {
    CircuitBreakerConfig settings = settings();
    try (Trace recorded = open()) {
      Replay.run(settings, recorded, format.report(out, calls));
    }
  }

  private CircuitBreakerConfig settings() {
    BreakerConfigs configs = BreakerConfigs.loadWithoutClasses(config, base -> {});
    configs.notes().forEach(note -> spec.commandLine().getErr().println(note));
    if (instance == null && configs.names().size() > 1) {
      String names = String.join(", ", configs.names());
      throw new BadInputException("--instance: not given (expected: one of " + names + ")");
    }
    if (instance == null) {
      return configs.only();
    }
    try {
      return configs.config(instance);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--" + e.getMessage());
    }
  }

  private Trace open() throws IOException {
    return trace.equals(STANDARD_INPUT)
        ? Trace.csv("standard input", new InputStreamReader(System.in, StandardCharsets.UTF_8))
        : Trace.csv(Path.of(trace));
  }

  private int ended(int exitCode, @Nullable String message) {
    spec.commandLine().getErr().println(message);
    return exitCode;
  }

  private static String why(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file (expected: a trace)";
    }
    return "cannot be read: "
        + (e instanceof AccessDeniedException ? "access denied" : e.getMessage());
  }

  /** How to tell what happened. */
  enum Format {
    TEXT,
    JSON;

    ReplayListener report(PrintWriter out, boolean calls) {
      return this == JSON ? ReplayListener.json(out, calls) : ReplayListener.text(out, calls);
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Something the user gave that cannot be used. */
  private static final class BadInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadInputException(String message) {
      super(message);
    }
  }
}

package dev.recloser.cli;

import dev.recloser.config.BreakerConfigs;
import dev.recloser.config.InvalidConfigurationFileException;
import dev.recloser.lab.InvalidTraceException;
import dev.recloser.lab.Replay;
import dev.recloser.lab.ReplayListener;
import dev.recloser.lab.Trace;
import dev.recloser.lab.TraceSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
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
      "The trace is CSV with a header and the columns at (milliseconds from the start, seconds or"
          + " milliseconds since 1970, or ISO-8601 instants), duration (milliseconds) and outcome (ok, timeout, cancelled, an HTTP"
          + " status, or the class name of an exception); or it is the access log of a server, plain"
          + " or gzip, whose format is recognised or named.",
      "",
      "  --trace access.log.gz --key upstream",
      "  --trace access.log --trace-format 'nginx:$msec $status $request_time'",
      "  --trace calls.jsonl --trace-format jsonl:end=ts,duration_s=took,outcome=status",
      "",
      "docs/replay/logs.md says what a line of each format means."
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
      description =
          "Which breaker of the configuration, if there are several. With --key, each dependency"
              + " has the one of its name, else the template default, unless this names one for"
              + " all.")
  private @Nullable String instance;

  @Option(
      names = "--trace",
      required = true,
      paramLabel = "FILE",
      description = "The recorded calls; - reads standard input.")
  @SuppressWarnings("NullAway.Init") // by picocli
  private String trace;

  @Option(
      names = "--trace-format",
      paramLabel = "NAME[:FORMAT]",
      description =
          "How the calls are written down: csv, nginx, haproxy, envoy, alb, traefik, tomcat,"
              + " tomcat9, apache or jsonl; with a format string of that program, or for jsonl the"
              + " names of fields, behind a colon. Default: recognised.")
  private @Nullable String traceFormat;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "Gives each dependency a breaker of its own: by host, route or upstream, or by a field of"
              + " the trace.")
  private @Nullable String key;

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
    } catch (WatchedOutput.EndedException e) {
      return CommandLine.ExitCode.OK; // Main tells why, and whether that is a failure.
    } catch (IOException e) {
      return ended(CommandLine.ExitCode.USAGE, trace + ": " + why(e));
    } finally {
      out.flush();
    }
    return CommandLine.ExitCode.OK;
  }

  private void replay(PrintWriter out) throws IOException {
    ReplaySettings settings = settings();
    StatusLine status = new StatusLine(spec.commandLine().getErr());
    try (ReplayProgress progress = new ReplayProgress(status, size(), System::nanoTime);
        Trace recorded = open(progress)) {
      boolean shown = Terminals.isErrorTerminal();
      Trace read = shown ? progress.counting(recorded) : recorded;
      Writer watched = new WatchedOutput(out);
      run(settings, read, shown ? status.above(watched) : watched);
      status.clear();
      settings.remark(config.toString()).ifPresent(this::remark);
      OtherPolicies.remark(config).ifPresent(this::remark);
      TraceRemarks.of(name(), recorded.notes()).forEach(this::remark);
    }
  }

  private void run(ReplaySettings settings, Trace calls, Writer out) throws IOException {
    if (key == null) {
      Replay.run(settings.only(), calls, format.report(out, this.calls));
    } else {
      aboutKey(() -> Replay.runByKey(settings::ofKey, calls, format.reportByKey(out, this.calls)));
    }
  }

  /** Runs what may find the key wrong. */
  private static <T> T aboutKey(KeyedTask<T> task) throws IOException {
    try {
      return task.run();
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--" + e.getMessage());
    }
  }

  private interface KeyedTask<T> {
    T run() throws IOException;
  }

  private ReplaySettings settings() {
    BreakerConfigs configs = BreakerConfigs.loadWithoutClasses(config, base -> {});
    configs.notes().forEach(note -> spec.commandLine().getErr().println(note));
    if (key == null && instance == null && configs.names().size() > 1) {
      String names = String.join(", ", configs.names());
      throw new BadInputException("--instance: not given (expected: one of " + names + ")");
    }
    try {
      return new ReplaySettings(configs, instance, /* byKey= */ key != null);
    } catch (IllegalStateException e) {
      throw new BadInputException(config + ": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--" + e.getMessage());
    }
  }

  private Trace open(ReplayProgress progress) throws IOException {
    Trace recorded = open(progress.counting(input()));
    if (!recorded.notes().format().equals("CSV")) {
      remark(TraceRemarks.format(name(), recorded.notes()));
    }
    return recorded;
  }

  private InputStream input() throws IOException {
    return isStandardInput() ? System.in : Files.newInputStream(Path.of(trace));
  }

  private Trace open(InputStream in) throws IOException {
    try {
      TraceSource source = described(TraceSource.of(name(), in));
      String by = key;
      return by == null ? source.open() : aboutKey(source.key(by)::open);
    } catch (Throwable e) {
      in.close();
      throw e;
    }
  }

  private TraceSource described(TraceSource source) {
    if (traceFormat == null) {
      return source;
    }
    try {
      return source.format(traceFormat);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--trace-format: " + e.getMessage());
    }
  }

  private boolean isStandardInput() {
    return trace.equals(STANDARD_INPUT);
  }

  private String name() {
    return isStandardInput() ? "standard input" : trace;
  }

  /** How many bytes there are to read; -1 if nobody knows. */
  private long size() {
    try {
      return isStandardInput() ? -1 : Files.size(Path.of(trace));
    } catch (IOException e) {
      return -1; // Opening it will tell why.
    }
  }

  private void remark(String text) {
    spec.commandLine().getErr().println(text);
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
        + (e instanceof AccessDeniedException
            ? "access denied"
            : Objects.requireNonNullElse(e.getMessage(), e.toString()));
  }

  /** How to tell what happened. */
  enum Format {
    TEXT,
    JSON;

    ReplayListener report(Writer out, boolean calls) {
      return this == JSON ? ReplayListener.json(out, calls) : ReplayListener.text(out, calls);
    }

    ReplayListener reportByKey(Writer out, boolean calls) {
      return this == JSON
          ? ReplayListener.jsonByKey(out, calls)
          : ReplayListener.textByKey(out, calls);
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

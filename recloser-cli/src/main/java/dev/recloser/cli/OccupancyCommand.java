package dev.recloser.cli;

import dev.recloser.lab.Occupancy;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Works out how many workers the calls to a dependency take. */
@Command(
    name = "occupancy",
    description =
        "Works out how many workers the calls to a dependency take, and what becomes of it when"
            + " that is slow: busy workers = calls a second x seconds a call (Little's law).")
final class OccupancyCommand implements Runnable {
  private static final double NANOS_PER_MILLI = 1e6;

  /** More than any dependency takes. */
  private static final double MOST_MILLIS = 86_400_000;

  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Option(
      names = "--rate",
      required = true,
      paramLabel = "N",
      description = "How many calls a second come in.")
  private double rate;

  @Option(
      names = "--latency",
      required = true,
      paramLabel = "MS",
      description = "How many milliseconds a call takes on a usual day.")
  private double latency;

  @Option(
      names = "--pool",
      required = true,
      paramLabel = "N",
      description = "How many workers, threads or connections make the calls.")
  private int pool;

  @Option(
      names = "--slow",
      paramLabel = "MS",
      description = "How many milliseconds a call takes when the dependency is slow.")
  private @Nullable Double slow;

  @Option(
      names = "--timeout",
      paramLabel = "MS",
      description = "After how many milliseconds a call is given up. Without --slow, all are.")
  private @Nullable Double timeout;

  @Override
  public void run() {
    check();
    PrintWriter out = spec.commandLine().getOut();
    Occupancy healthy = new Occupancy(rate, duration(latency), pool);
    new OccupancyReport(out).write(healthy, durationOrNull(slow), durationOrNull(timeout));
    out.flush();
  }

  private void check() {
    List<String> wrong = new ArrayList<>();
    if (!(rate > 0 && rate < Double.POSITIVE_INFINITY)) {
      wrong.add("--rate: " + rate + " (expected: more than 0)");
    }
    if (pool < 1) {
      wrong.add("--pool: " + pool + " (expected: at least 1)");
    }
    checkTime("--latency", latency, wrong);
    checkTime("--slow", slow, wrong);
    checkTime("--timeout", timeout, wrong);
    checkNotBelowLatency("--slow", slow, wrong);
    checkNotBelowLatency("--timeout", timeout, wrong);
    if (!wrong.isEmpty()) {
      throw new ParameterException(spec.commandLine(), String.join("; ", wrong));
    }
  }

  private static void checkTime(String option, @Nullable Double millis, List<String> wrong) {
    boolean right = millis == null || (millis >= 1 / NANOS_PER_MILLI && millis <= MOST_MILLIS);
    if (!right) {
      wrong.add(
          option + ": " + millis + " (expected: milliseconds, more than 0 and at most a day)");
    }
  }

  /** What is faster than the usual day is no trouble, and a timeout below it ends usual calls. */
  private void checkNotBelowLatency(String option, @Nullable Double millis, List<String> wrong) {
    if (millis != null && millis > 0 && millis < latency) {
      wrong.add(option + ": " + millis + " (expected: at least --latency, " + latency + ")");
    }
  }

  private static @Nullable Duration durationOrNull(@Nullable Double millis) {
    return millis == null ? null : duration(millis);
  }

  private static Duration duration(double millis) {
    return Duration.ofNanos(Math.round(millis * NANOS_PER_MILLI));
  }
}

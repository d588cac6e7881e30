package dev.recloser.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** The command {@code bin/recloser bench}. */
final class Bench {
  private static final String USAGE =
      """
      Usage: recloser bench --quick [OPTION OF JMH]...   about two minutes, a few paths
             recloser bench --full [OPTION OF JMH]...    over an hour, every path
             recloser bench --memory                     bytes per breaker
             recloser bench --table FILE.json...         the tables of runs
             recloser bench [ARGUMENT OF JMH]...         anything that JMH can do; -h shows it

      -rff FILE.json keeps the results of a run.
      """;

  /** A run of JMH: what, with which parameters, on how many threads. */
  private record Part(String include, Map<String, String> params, int threads) {
    Part(String include) {
      this(include, Map.of(), 1);
    }
  }

  private static final List<Part> QUICK =
      List.of(
          new Part("ClosedBenchmark", Map.of("window", "100"), 1),
          new Part(
              "ClosedSlowBenchmark.(clock|recloser|resilience4j)$", Map.of("window", "100"), 1),
          new Part(
              "ClosedTimeBenchmark.(clock|recloser|resilience4j|sentinel)Slow$",
              Map.of("window", "10s"),
              1),
          new Part("RefusedBenchmark.(clock|recloserTry|resilience4jTry|failsafeAloneTry)$"),
          new Part("RefusedBenchmark.(recloser|resilience4j|sentinel)Exception$"),
          new Part("RefusedBenchmark.(resilience4j|failsafe|smallrye)ExceptionTraced$"),
          new Part("PipelineBenchmark.(recloser|failsafe|smallrye)Four$"),
          new Part("ContentionBenchmark.(recloserOne|failsafeAloneOne|smallryeOne)$", Map.of(), 2),
          new Part("ContentionBenchmark.(recloser|resilience4j)OneSlow$", Map.of(), 2));

  private static final List<Part> FULL =
      List.of(
          new Part("ClosedBenchmark"),
          new Part("ClosedSlowBenchmark"),
          new Part("ClosedTimeBenchmark"),
          new Part("ClosedFailureBenchmark"),
          new Part("RefusedBenchmark"),
          new Part("HalfOpenBenchmark"),
          new Part("ListenersBenchmark"),
          new Part("MetricsBenchmark"),
          new Part("StageBenchmark"),
          new Part("PipelineBenchmark"),
          new Part("PipelinePartsBenchmark"),
          new Part("ReadersBenchmark", Map.of(), 2),
          new Part("ContentionBenchmark", Map.of(), 1),
          new Part("ContentionBenchmark", Map.of(), 2),
          new Part("ContentionBenchmark", Map.of(), 4),
          new Part("ContentionBenchmark", Map.of(), 8),
          new Part("ContentionBenchmark", Map.of(), 16));

  private Bench() {}

  public static void main(String[] args) throws Exception {
    String[] rest = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
    switch (args.length == 0 ? "--help" : args[0]) {
      case "--help" -> System.out.print(USAGE);
      case "--quick" -> run(QUICK, /* quick= */ true, rest);
      case "--full" -> run(FULL, /* quick= */ false, rest);
      case "--memory" -> {
        MemoryBenchmark.print();
        System.exit(0); // Peers leave threads behind.
      }
      case "--table" -> {
        List<Measurement> measurements = new ArrayList<>();
        for (String file : rest) {
          measurements.addAll(Measurement.read(Path.of(file)));
        }
        print(measurements);
      }
      default -> org.openjdk.jmh.Main.main(args);
    }
  }

  private static void run(List<Part> parts, boolean quick, String[] args)
      throws IOException, RunnerException, CommandLineOptionException {
    CommandLineOptions options = new CommandLineOptions(args);
    Path folder = Files.createTempDirectory("recloser-bench");
    Path file = Path.of(options.getResult().orElse(folder.resolve("results.json").toString()));
    if (!HelidonBreaker.isThere()) {
      System.err.println("without Helidon, which needs Java 21 or newer");
    }
    List<RunResult> results = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      System.err.printf("%d of %d: %s%n", i + 1, parts.size(), part.include());
      String log = folder.resolve(i + 1 + ".log").toString();
      results.addAll(run(part, quick, options, log));
      // After each part, so that a long run that is ended leaves what it has.
      ResultFormatFactory.getInstance(ResultFormatType.JSON, file.toString()).writeOut(results);
    }
    print(Measurement.read(file));
    System.err.println("results of JMH: " + file + ", logs in " + folder);
  }

  private static Collection<RunResult> run(
      Part part, boolean quick, CommandLineOptions options, String log) throws RunnerException {
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .parent(options)
            .include("\\." + part.include())
            .output(log)
            .addProfiler(GCProfiler.class);
    if (!part.include().startsWith("Readers")) {
      builder.threads(part.threads()); // Which has its threads in groups.
    }
    part.params().forEach(builder::param);
    if (!HelidonBreaker.isThere()) {
      builder.exclude("\\.helidon");
    }
    if (quick) {
      builder.forks(1).warmupIterations(2).measurementIterations(3);
      builder.warmupTime(TimeValue.milliseconds(500)).measurementTime(TimeValue.milliseconds(500));
    }
    return new Runner(builder.build()).run();
  }

  private static void print(List<Measurement> measurements) {
    System.out.println();
    System.out.print(Table.of(measurements));
    System.out.print(Targets.of(measurements));
  }
}

package dev.recloser.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * One number of a run of JMH.
 *
 * @param benchmark the simple name of the class
 * @param method the name of the method
 * @param params its parameters, such as {@code window=100}; empty if it has none
 * @param threads how many threads ran it
 * @param score time, or calls in a time, by unit
 * @param error half of the interval that JMH is 99.9 % sure of; NaN with too few measurements
 * @param unit of the score, {@code ns/op} or {@code ops/us}
 * @param bytes allocated per call; NaN if not measured
 */
record Measurement(
    String benchmark,
    String method,
    String params,
    int threads,
    double score,
    double error,
    String unit,
    double bytes) {
  private static final int MAX_CHARS = 100_000_000;

  Library library() {
    return Library.of(method);
  }

  /** The way in which the library is used; empty if there is only one. */
  String path() {
    String rest = method.substring(library().prefix.length());
    return rest.isEmpty() ? "" : Character.toLowerCase(rest.charAt(0)) + rest.substring(1);
  }

  boolean isThroughput() {
    return unit.startsWith("ops");
  }

  /** Reads the JSON of JMH, which is YAML as well. */
  static List<Measurement> read(Path file) throws IOException {
    Load json = new Load(LoadSettings.builder().setCodePointLimit(MAX_CHARS).build());
    List<Measurement> measurements = new ArrayList<>();
    for (Object run :
        (List<?>) Objects.requireNonNull(json.loadFromString(Files.readString(file)))) {
      add(measurements, (Map<?, ?>) run);
    }
    return measurements;
  }

  private static void add(List<Measurement> measurements, Map<?, ?> run) {
    String name = text(run.get("benchmark"));
    int dot = name.lastIndexOf('.');
    String benchmark = name.substring(name.lastIndexOf('.', dot - 1) + 1, dot);
    Map<?, ?> secondary = map(run.get("secondaryMetrics"));
    double bytes = number(map(secondary.get("gc.alloc.rate.norm")).get("score"));
    boolean group = false;
    for (Map.Entry<?, ?> metric : secondary.entrySet()) {
      String method = text(metric.getKey());
      if (!method.startsWith("gc.")) {
        group = true; // Of a group, each method has its score, and the bytes are those of all.
        measurements.add(of(benchmark, method, run, map(metric.getValue()), Double.NaN));
      }
    }
    if (!group) {
      String method = name.substring(dot + 1);
      measurements.add(of(benchmark, method, run, map(run.get("primaryMetric")), bytes));
    }
  }

  private static Measurement of(
      String benchmark, String method, Map<?, ?> run, Map<?, ?> metric, double bytes) {
    return new Measurement(
        benchmark,
        method,
        params(map(run.get("params"))),
        (int) number(run.get("threads")),
        number(metric.get("score")),
        number(metric.get("scoreError")),
        text(metric.get("scoreUnit")),
        bytes);
  }

  private static String params(Map<?, ?> params) {
    List<String> texts = new ArrayList<>();
    params.forEach((name, value) -> texts.add(name + "=" + value));
    return String.join(", ", texts);
  }

  private static Map<?, ?> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }

  private static double number(@Nullable Object value) {
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }
}

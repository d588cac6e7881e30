package dev.recloser.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Which of the targets that the project has set itself are reached, as Markdown. */
final class Targets {
  private final List<Measurement> measurements;
  private final StringBuilder text = new StringBuilder();

  private Targets(List<Measurement> measurements) {
    this.measurements = measurements;
  }

  static String of(List<Measurement> measurements) {
    Targets targets = new Targets(measurements);
    targets.addAll();
    return targets.text.toString();
  }

  private void addAll() {
    text.append("| target | wanted | measured | |\n| --- | --- | --- | --- |\n");
    for (Measurement ours : measurements) {
      if (ours.library() == Library.RECLOSER) {
        add(ours);
      }
    }
  }

  private void add(Measurement ours) {
    switch (ours.benchmark()) {
      case "ClosedBenchmark" -> {
        over(ours, "bare", 8, 0);
        share(ours, 0.2, each -> each.library() == Library.RESILIENCE4J && alike(ours, each));
      }
      case "ClosedSlowBenchmark" -> over(ours, "clock", 12, 0);
      case "ClosedTimeBenchmark" -> {
        boolean slow = ours.path().equals("slow");
        over(ours, slow ? "clockSlow" : "clock", slow ? 12 : 8, 0);
      }
      case "RefusedBenchmark" -> {
        if (ours.path().equals("try")) {
          over(ours, "clock", 5, 0);
        } else if (ours.path().equals("exception")) {
          over(ours, "clock", 20, 64);
        }
      }
      case "PipelineBenchmark" -> {
        if (ours.path().equals("four")) {
          share(ours, 0.5, each -> each.library().isPeer() && alike(ours, each));
          row(ours, "allocates <= 64 B", ours.bytes(), "%.0f B", ours.bytes() < 64.5);
        }
      }
      case "ContentionBenchmark" -> {
        if (ours.threads() > 1 && ours.threads() <= 8) {
          contention(ours);
        }
      }
      default -> {} // Nothing was promised.
    }
  }

  private void over(Measurement ours, String floor, double nanos, int bytes) {
    measurements.stream()
        .filter(each -> each.benchmark().equals(ours.benchmark()))
        .filter(each -> each.method().equals(floor))
        .filter(each -> each.params().equals(ours.params()))
        .forEach(
            each -> {
              double over = ours.score() - each.score();
              String wanted =
                  String.format(Locale.ROOT, "<= %.0f ns over the %s", nanos, each.library().title);
              row(ours, wanted, over, "%.1f ns", over <= nanos);
            });
    if (!Double.isNaN(ours.bytes())) {
      row(ours, "allocates <= " + bytes + " B", ours.bytes(), "%.0f B", ours.bytes() < bytes + 0.5);
    }
  }

  /** Of the fastest of the peers that are meant. */
  private void share(Measurement ours, double limit, Predicate<Measurement> peers) {
    measurements.stream()
        .filter(each -> each.benchmark().equals(ours.benchmark()))
        .filter(peers)
        .mapToDouble(Measurement::score)
        .min()
        .ifPresent(
            best -> {
              double share = ours.score() / best;
              String of =
                  ours.benchmark().startsWith("Pipeline") ? "the best peer" : "Resilience4j";
              row(ours, "<= " + limit + " x " + of, share, "%.2f x", share <= limit);
            });
  }

  private void contention(Measurement ours) {
    boolean slow = ours.path().endsWith("Slow");
    int wanted = slow ? 3 : 10;
    measurements.stream()
        .filter(each -> each.benchmark().equals(ours.benchmark()))
        .filter(each -> each.method().equals("resilience4jOneSlow"))
        .filter(each -> each.threads() == ours.threads() && ours.path().startsWith("one"))
        .forEach(
            each -> {
              double share = ours.score() / each.score();
              row(ours, ">= " + wanted + " x Resilience4j", share, "%.1f x", share >= wanted);
            });
  }

  private static boolean alike(Measurement ours, Measurement other) {
    return other.path().equals(ours.path()) && other.params().equals(ours.params());
  }

  private void row(Measurement ours, String wanted, double value, String format, boolean reached) {
    String name = ours.benchmark().replace("Benchmark", "") + " " + ours.path();
    if (!ours.params().isEmpty()) {
      name = name.strip() + " " + ours.params();
    }
    if (ours.threads() > 1) {
      name = name.strip() + " threads=" + ours.threads();
    }
    String measured = String.format(Locale.ROOT, format, value);
    text.append("| ").append(name.strip()).append(" | ").append(wanted).append(" | ");
    text.append(measured).append(" | ").append(reached ? "reached" : "**missed**").append(" |\n");
  }
}

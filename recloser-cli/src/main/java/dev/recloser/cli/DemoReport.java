package dev.recloser.cli;

import static dev.recloser.cli.Count.ORDERS_IN_TIME;
import static dev.recloser.cli.Count.ORDERS_SENT;
import static dev.recloser.cli.Count.PAGES_IN_TIME;
import static dev.recloser.cli.Count.PAGES_SENT;
import static dev.recloser.cli.Text.format;
import static dev.recloser.cli.Text.millis;
import static dev.recloser.cli.Text.number;
import static dev.recloser.cli.Text.seconds;

import dev.recloser.cli.DemoResult.BreakerStory;
import dev.recloser.cli.DemoResult.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Puts two runs side by side. */
final class DemoReport {
  private static final String ROW = "%-48s %22s %22s";
  private static final int COLUMNS = 60;

  /** One more for each tenth of the workers. */
  private static final String DENSITY = " .:-=+*%#@";

  private final DemoResult without;
  private final DemoResult with;
  private final List<String> lines = new ArrayList<>();

  private DemoReport(DemoResult without, DemoResult with) {
    this.without = without;
    this.with = with;
  }

  static List<String> of(DemoResult without, DemoResult with) {
    var report = new DemoReport(without, with);
    report.overTime();
    report.table();
    report.conclusions();
    return List.copyOf(report.lines);
  }

  private void overTime() {
    lines.add("");
    lines.add("Busy workers over time, from none (blank) to all (@)");
    lines.add("");
    lines.add(label("") + phases());
    lines.add(label("without a breaker") + strip(column -> busy(without, column)));
    lines.add(label("with a breaker") + strip(column -> busy(with, column)));
    lines.add(label("the breaker: c closed, O open,") + strip(column -> state(with, column)));
    lines.add(label("  h half-open, r ramp-up").stripTrailing());
  }

  private void table() {
    lines.add("");
    lines.add(format(ROW, "Side by side", "without a breaker", "with a breaker"));
    lines.add("");
    counted("orders sent", ORDERS_SENT);
    counted("  answered in full", Count.ORDERS_IN_FULL);
    counted("  answered, stock to be confirmed", Count.ORDERS_TO_BE_CONFIRMED);
    counted("  turned away, workers and queue full", Count.ORDERS_TURNED_AWAY);
    counted("  failed otherwise", Count.ORDERS_FAILED);
    row("  answered within " + millis(Tally.PATIENCE), r -> inTime(r, ORDERS_IN_TIME, ORDERS_SENT));
    row("  an answer took, p50 / p99", r -> times(r.orders()));
    lines.add("");
    counted("catalog pages asked for", PAGES_SENT);
    counted("  answered", Count.PAGES_ANSWERED);
    counted("  turned away, workers and queue full", Count.PAGES_TURNED_AWAY);
    counted("  failed otherwise", Count.PAGES_FAILED);
    row("  answered within " + millis(Tally.PATIENCE), r -> inTime(r, PAGES_IN_TIME, PAGES_SENT));
    row("  an answer took, p50 / p99", r -> times(r.pages()));
    lines.add("");
    row("busy workers at the worst moment", DemoReport::worstMoment);
    row("  by Little's law", DemoReport::littlesLaw);
    counted("inventory calls made", Count.CALLS_MADE);
    counted("  of them failed", Count.CALLS_FAILED);
    counted("inventory calls spared", Count.CALLS_REFUSED);
    row("worker-seconds spent waiting for inventory", DemoReport::waited);
  }

  private void conclusions() {
    lines.add("");
    paragraph(
        "Little's law: busy workers = arrivals per second x time each holds a worker. Without a"
            + " breaker that is the time a call to the sick inventory takes; with one, the time"
            + " until it opened.");
    BreakerStory story = with.breaker();
    if (story != null) {
      paragraph(opened(story));
      paragraph(
          format(
              "It opened %s, closed again %s, and was open for %s in all.",
              times(story.openings()), times(story.closings()), seconds(story.timeOpen())));
    }
    paragraph(
        format(
            "The difference it made: %+,d orders and %+,d catalog pages answered within %s, and"
                + " %+,.1f worker-seconds of waiting.",
            gained(ORDERS_IN_TIME),
            gained(PAGES_IN_TIME),
            millis(Tally.PATIENCE),
            gained(Count.NANOS_WAITED) / 1e9));
  }

  private long gained(Count count) {
    return with.counts().of(count) - without.counts().of(count);
  }

  private static String opened(BreakerStory story) {
    if (story.openedAfter() == null) {
      return "The breaker did not open while inventory was sick.";
    }
    return "The breaker opened "
        + millis(story.openedAfter())
        + " after inventory turned sick"
        + (story.firstSlowCall() == null ? "." : aheadOfTimeouts(story.firstSlowCall()));
  }

  private static String aheadOfTimeouts(Duration firstSlowCall) {
    Duration ahead = HttpInventory.TIMEOUT.minus(firstSlowCall);
    String running = ", when its first slow call had been running for " + millis(firstSlowCall);
    return ahead.isNegative()
        ? running + "."
        : running + ": " + millis(ahead) + " before the first timeout could come.";
  }

  private static String times(long number) {
    return number == 1 ? "once" : number + " times";
  }

  private static String worstMoment(DemoResult result) {
    return result.worstBusy() + " of " + OrdersServer.WORKERS;
  }

  private static String littlesLaw(DemoResult result) {
    return format(
        "%.0f/s x %.2f s = %d",
        result.arrivalsPerSecond(), result.holdingTime().toNanos() / 1e9, result.predictedBusy());
  }

  private static String waited(DemoResult result) {
    return format("%,.1f", result.counts().of(Count.NANOS_WAITED) / 1e9);
  }

  private static String inTime(DemoResult result, Count count, Count all) {
    long inTime = result.counts().of(count);
    double percent = 100.0 * inTime / Math.max(1, result.counts().of(all));
    return format("%,d  (%s)", inTime, Text.percent(percent));
  }

  private static String times(Times times) {
    return millis(times.median()) + " / " + millis(times.p99());
  }

  private void counted(String name, Count count) {
    row(name, result -> number(result.counts().of(count)));
  }

  private void row(String name, Function<DemoResult, String> cell) {
    lines.add(format(ROW, "  " + name, cell.apply(without), cell.apply(with)));
  }

  private void paragraph(String sentence) {
    lines.addAll(Text.wrap("  ", sentence));
  }

  private static String label(String text) {
    return format("  %-32s", text);
  }

  private static String strip(IntFunction<Character> column) {
    return IntStream.range(0, COLUMNS)
        .mapToObj(column)
        .map(String::valueOf)
        .collect(Collectors.joining());
  }

  /** Where each phase begins: {@code |healthy |sick |recovered}. */
  private String phases() {
    var text = new StringBuilder(" ".repeat(COLUMNS));
    Phase last = null;
    for (int column = 0; column < COLUMNS; column++) {
      Phase phase = with.plan().phaseAt(startOf(with, column));
      if (phase != last) {
        String mark = "|" + phase;
        text.replace(column, Math.min(COLUMNS, column + mark.length()), mark);
        last = phase;
      }
    }
    return text.toString().stripTrailing();
  }

  private static char busy(DemoResult result, int column) {
    int busy = during(result, column).stream().mapToInt(Sample::busy).max().orElse(0);
    int step = busy * (DENSITY.length() - 1) / OrdersServer.WORKERS;
    return DENSITY.charAt(busy == 0 ? 0 : Math.max(1, step));
  }

  /** Half-open if it was so at any time, since that is short. */
  private static char state(DemoResult result, int column) {
    List<String> states =
        during(result, column).stream().map(Sample::state).filter(Objects::nonNull).toList();
    if (states.isEmpty()) {
      return ' ';
    }
    return states.contains("HALF_OPEN") ? 'h' : letter(states.get(states.size() - 1));
  }

  private static char letter(String state) {
    char first = state.charAt(0);
    return first == 'O' ? first : Character.toLowerCase(first);
  }

  /** The samples taken in a column's time, or the last one before where a column is short. */
  private static List<Sample> during(DemoResult result, int column) {
    Duration from = startOf(result, column);
    Duration until = startOf(result, column + 1);
    List<Sample> before =
        result.samples().stream().filter(s -> s.elapsed().compareTo(until) < 0).toList();
    List<Sample> within = before.stream().filter(s -> s.elapsed().compareTo(from) >= 0).toList();
    return within.isEmpty()
        ? before.subList(Math.max(0, before.size() - 1), before.size())
        : within;
  }

  private static Duration startOf(DemoResult result, int column) {
    return result.plan().length().multipliedBy(column).dividedBy(COLUMNS);
  }
}

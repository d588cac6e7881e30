package dev.recloser.cli;

import dev.recloser.lab.Occupancy;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Tells who takes how many workers, and how fast they are gone. */
final class OccupancyReport {
  private static final int WIDTH = 40;
  private static final int ROWS = 10;

  private final PrintWriter out;

  OccupancyReport(PrintWriter out) {
    this.out = out;
  }

  /**
   * Writes it.
   *
   * @param slow how long calls take when the dependency is slow; null if they hang
   * @param timeout after which calls are given up; null for never
   */
  void write(Occupancy healthy, @Nullable Duration slow, @Nullable Duration timeout) {
    out.println(
        Text.format(
            "%s calls a second, %d workers; busy workers = calls a second x seconds a call",
            number(healthy.callsPerSecond()), healthy.pool()));
    out.println();
    row("healthy, " + Text.millis(healthy.time()), healthy);
    if (slow != null) {
      row("slow, " + Text.millis(slow), healthy.taking(slow));
    }
    Duration held = shorter(slow, timeout);
    if (timeout != null && held != null) {
      row("with a timeout, " + Text.millis(timeout), healthy.taking(held));
      if (held.compareTo(timeout) < 0) {
        out.println(Text.format("%-28s it never acts, for slow calls end before it", ""));
      }
    }
    if (held != null) {
      open(healthy);
    }
    out.println();
    out.println(
        Text.format(
            "All workers are busy when calls take %s.", Text.millis(healthy.longestTime())));
    if (held != null) {
      plot(healthy, healthy.taking(held));
    }
  }

  private void row(String title, Occupancy occupancy) {
    out.println(
        Text.format(
            "%-28s %s %s of %d busy, at most %s calls a second",
            title,
            bar(occupancy.busy(), occupancy.pool()),
            number(occupancy.busy()),
            occupancy.pool(),
            number(occupancy.ceiling())));
    Duration full = occupancy.timeToFill();
    if (full != null) {
      out.println(
          Text.format(
              "%-28s %s needed, all busy after %s",
              "", number(occupancy.needed()), Text.millis(full)));
    }
  }

  private void open(Occupancy healthy) {
    out.println(
        Text.format(
            "%-28s %s about 0 of %d busy: refused in microseconds, a few probes aside",
            "with the breaker open", bar(0, healthy.pool()), healthy.pool()));
  }

  /**
   * Busy workers over time, from the moment at which calls begin to take so long. Those under way
   * then end as usual, so that as many workers are busy until the new calls are more.
   */
  private void plot(Occupancy healthy, Occupancy held) {
    Duration fills = held.timeToFill();
    Duration level = fills == null ? held.time() : fills;
    Duration step = level.multipliedBy(5).dividedBy(4L * ROWS); // A quarter of the level beyond it.
    out.println();
    out.println("Busy workers after calls began to take " + Text.millis(held.time()) + ":");
    for (int row = 0; row <= ROWS; row++) {
      Duration elapsed = step.multipliedBy(row);
      double busy = Math.max(healthy.busy(), held.busyAfter(elapsed));
      out.println(
          Text.format("%12s %s %s", Text.millis(elapsed), bar(busy, held.pool()), number(busy)));
    }
  }

  private static String bar(double busy, int pool) {
    int part = (int) Math.round(WIDTH * busy / pool);
    return Text.bar(part, WIDTH, WIDTH);
  }

  private static String number(double number) {
    return number < 10 && number != Math.rint(number)
        ? Text.format("%.1f", number)
        : Text.format("%,.0f", number);
  }

  private static @Nullable Duration shorter(@Nullable Duration one, @Nullable Duration other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) < 0 ? one : other;
  }
}

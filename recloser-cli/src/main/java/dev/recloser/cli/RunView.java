package dev.recloser.cli;

import dev.recloser.CircuitBreakerSnapshot;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns what is seen of a run into news and moments for a screen. Used by one thread. */
final class RunView {
  /** A reading this much too young for a rate will do. */
  private static final Duration SLACK = Duration.ofMillis(50);

  private final DemoPlan plan;
  private final DemoScreen screen;

  /** What was counted so far, for about the last tick. */
  private final Deque<Reading> readings = new ArrayDeque<>();

  private Phase announced = Phase.HEALTHY;
  private Duration shown = Duration.ZERO;
  private int busySinceShown;

  RunView(DemoPlan plan, DemoScreen screen) {
    this.plan = plan;
    this.screen = screen;
  }

  /** Tells that inventory has changed, once. */
  void announce(Phase phase) {
    if (phase == announced) {
      return;
    }
    announced = phase;
    String now =
        phase == Phase.SICK
            ? Text.seconds(plan.sickFrom()) + "  inventory turns sick: " + Fate.SICK
            : Text.seconds(plan.sickUntil()) + "  inventory has recovered: " + Fate.HEALTHY;
    tell(new News("*** " + now, List.of()));
  }

  void tell(News news) {
    screen.tell(news);
  }

  /**
   * Shows the run if it is time to.
   *
   * @param elapsed since its start
   * @param breaker the breaker; null in the run without one
   * @param busy the most workers that were busy at once since this was called last
   * @param waiting requests that wait for a worker
   * @param counts what was counted so far
   */
  void update(
      Duration elapsed,
      @Nullable CircuitBreakerSnapshot breaker,
      int busy,
      int waiting,
      Counts counts) {
    busySinceShown = Math.max(busySinceShown, busy);
    Duration interval = screen.interval();
    if (elapsed.minus(shown).compareTo(interval) < 0) {
      return;
    }
    Reading before = readingOneTickBefore(elapsed);
    readings.add(new Reading(elapsed, counts));
    screen.show(
        new Moment(
            elapsed,
            plan.phaseAt(elapsed),
            breaker,
            busySinceShown,
            waiting,
            counts.minus(before.counts()),
            elapsed.minus(before.elapsed())));
    // The next one is due on the beat, however late this one was.
    shown = elapsed.minusNanos(elapsed.toNanos() % interval.toNanos());
    busySinceShown = 0;
  }

  /** The youngest reading that is a tick old, or the start where there is none. */
  private Reading readingOneTickBefore(Duration elapsed) {
    Duration tickAgo = elapsed.minus(plan.tick()).plus(SLACK);
    Reading before = new Reading(Duration.ZERO, Counts.NONE);
    while (!readings.isEmpty() && readings.peek().elapsed().compareTo(tickAgo) <= 0) {
      before = readings.remove();
    }
    if (!before.elapsed().isZero()) {
      readings.addFirst(before);
    }
    return before;
  }

  /** What had been counted at one moment. */
  private record Reading(Duration elapsed, Counts counts) {}
}

package dev.recloser.cli;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was measured in a run.
 *
 * @param plan when what happened
 * @param counts everything counted
 * @param orders how long answered orders took
 * @param pages how long answered catalog pages took
 * @param samples the run over time
 * @param breaker what the breaker did; null in the run without one
 */
record DemoResult(
    DemoPlan plan,
    Counts counts,
    Times orders,
    Times pages,
    List<Sample> samples,
    @Nullable BreakerStory breaker) {

  /** The most workers that were busy at once. */
  int worstBusy() {
    return samples.stream().mapToInt(Sample::busy).max().orElse(0);
  }

  /** Orders that came per second while inventory was sick. */
  double arrivalsPerSecond() {
    return counts.of(Count.ORDERS_SENT_WHILE_SICK) * 1e9 / plan.sickFor().toNanos();
  }

  /**
   * How long inventory could hold each worker while it was sick: what its calls took, or until the
   * breaker opened if that was sooner.
   */
  Duration holdingTime() {
    long calls = Math.max(1, counts.of(Count.CALLS_MADE_WHILE_SICK));
    Duration mean = Duration.ofNanos(counts.of(Count.NANOS_WAITED_WHILE_SICK) / calls);
    Duration opened = breaker == null ? null : breaker.openedAfter();
    return opened == null ? mean : opened;
  }

  /** Busy workers by Little's law: arrivals per second times the time each holds a worker. */
  long predictedBusy() {
    return Math.round(arrivalsPerSecond() * holdingTime().toNanos() / 1e9);
  }

  /**
   * A run at one moment.
   *
   * @param elapsed since its start
   * @param busy the most workers that were busy at once since the sample before
   * @param state what the breaker was doing, in a word; null in the run without one
   */
  record Sample(Duration elapsed, int busy, @Nullable String state) {}

  /**
   * What the breaker did.
   *
   * @param openings how often it opened
   * @param closings how often it closed again
   * @param refused calls it refused
   * @param timeOpen how long it was open in all
   * @param openedAfter from inventory turning sick to the opening that followed; null if none did
   * @param firstSlowCall how long the slowest call had been running when it opened then; null if
   *     none was
   */
  record BreakerStory(
      long openings,
      long closings,
      long refused,
      Duration timeOpen,
      @Nullable Duration openedAfter,
      @Nullable Duration firstSlowCall) {}
}

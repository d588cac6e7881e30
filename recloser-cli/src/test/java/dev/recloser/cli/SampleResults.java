package dev.recloser.cli;

import dev.recloser.cli.DemoResult.BreakerStory;
import dev.recloser.cli.DemoResult.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Two runs of ten seconds with round figures, for tests of what is made of them. */
final class SampleResults {
  static final DemoPlan PLAN = DemoPlan.ofRun(Duration.ofSeconds(10));

  private SampleResults() {}

  static DemoResult without() {
    Map<Count, Long> counts = new EnumMap<>(Count.class);
    counts.put(Count.ORDERS_SENT, 800L);
    counts.put(Count.ORDERS_SENT_WHILE_SICK, 320L);
    counts.put(Count.ORDERS_IN_FULL, 540L);
    counts.put(Count.ORDERS_TO_BE_CONFIRMED, 160L);
    counts.put(Count.ORDERS_TURNED_AWAY, 99L);
    counts.put(Count.ORDERS_FAILED, 1L);
    counts.put(Count.ORDERS_IN_TIME, 520L);
    counts.put(Count.PAGES_SENT, 400L);
    counts.put(Count.PAGES_ANSWERED, 350L);
    counts.put(Count.PAGES_TURNED_AWAY, 50L);
    counts.put(Count.PAGES_IN_TIME, 340L);
    counts.put(Count.CALLS_MADE, 700L);
    counts.put(Count.CALLS_MADE_WHILE_SICK, 200L);
    counts.put(Count.CALLS_FAILED, 160L);
    counts.put(Count.NANOS_WAITED, 158_500_000_000L);
    counts.put(Count.NANOS_WAITED_WHILE_SICK, 150_000_000_000L);
    return new DemoResult(
        PLAN, new Counts(counts), times(21, 1_190), times(2, 480), samples(40, null), null);
  }

  static DemoResult with() {
    Map<Count, Long> counts = new EnumMap<>(Count.class);
    counts.put(Count.ORDERS_SENT, 800L);
    counts.put(Count.ORDERS_SENT_WHILE_SICK, 320L);
    counts.put(Count.ORDERS_IN_FULL, 420L);
    counts.put(Count.ORDERS_TO_BE_CONFIRMED, 380L);
    counts.put(Count.ORDERS_IN_TIME, 780L);
    counts.put(Count.PAGES_SENT, 400L);
    counts.put(Count.PAGES_ANSWERED, 400L);
    counts.put(Count.PAGES_IN_TIME, 400L);
    counts.put(Count.CALLS_MADE, 450L);
    counts.put(Count.CALLS_FAILED, 30L);
    counts.put(Count.CALLS_REFUSED, 350L);
    counts.put(Count.NANOS_WAITED, 30_500_000_000L);
    return new DemoResult(
        PLAN,
        new Counts(counts),
        times(17, 1_002),
        times(1, 4),
        samples(24, "OPEN"),
        new BreakerStory(
            3, 1, 350, Duration.ofSeconds(3), Duration.ofMillis(300), Duration.ofMillis(290)));
  }

  /** Ten samples a second: three busy workers, this many while inventory is sick. */
  private static List<Sample> samples(int busyWhileSick, String stateWhileSick) {
    List<Sample> samples = new ArrayList<>();
    for (int millis = 100; millis <= 10_000; millis += 100) {
      boolean sick = PLAN.phaseAt(Duration.ofMillis(millis)) == Phase.SICK;
      String otherwise = stateWhileSick == null ? null : millis < 6_500 ? "CLOSED" : "RAMP-UP";
      samples.add(
          new Sample(
              Duration.ofMillis(millis),
              sick ? busyWhileSick : 3,
              sick ? stateWhileSick : otherwise));
    }
    return samples;
  }

  private static Times times(long median, long p99) {
    return new Times(Duration.ofMillis(median), Duration.ofMillis(p99));
  }
}

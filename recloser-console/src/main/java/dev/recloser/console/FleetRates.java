package dev.recloser.console;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * How many calls come a second, by breaker and over all instances: the calls of the last ten
 * seconds, each counted when it was told of. Sums are made of what each instance has counted more
 * than before, and so do not jump when one comes, goes or is started again. Not thread-safe.
 */
final class FleetRates {
  private static final long WINDOW_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long STEP_NANOS = Duration.ofSeconds(1).toNanos();

  /** What had been counted at a moment. */
  private record Sample(long at, Map<String, Counts> totals) {}

  private final Map<String, Counts> totals = new HashMap<>();
  private final Deque<Sample> samples = new ArrayDeque<>();

  void add(Map<String, Counts> more) {
    more.forEach((name, counts) -> totals.merge(name, counts, Counts::plus));
  }

  /** Marks a moment, at most one a second, and forgets what is too old and who has gone. */
  void mark(long now, Set<String> present) {
    totals.keySet().retainAll(present);
    if (samples.isEmpty() || now - samples.getLast().at >= STEP_NANOS) {
      samples.addLast(new Sample(now, Map.copyOf(totals)));
    }
    while (samples.size() > 1 && now - samples.getFirst().at > WINDOW_NANOS) {
      samples.removeFirst();
    }
  }

  /** Those of a breaker; NaN in the first second. */
  FleetSum.Rates of(String name, long now) {
    Sample first = samples.getFirst();
    long nanos = now - first.at;
    Counts since =
        totals.getOrDefault(name, Counts.NONE).since(first.totals.getOrDefault(name, Counts.NONE));
    return new FleetSum.Rates(
        perSecond(since.succeeded(), nanos),
        perSecond(since.failed(), nanos),
        perSecond(since.refused(), nanos));
  }

  /** To a tenth, so that what stands still looks so. */
  private static double perSecond(long calls, long nanos) {
    return nanos < STEP_NANOS ? Double.NaN : Math.round(calls * 1e10 / nanos) / 10.0;
  }
}

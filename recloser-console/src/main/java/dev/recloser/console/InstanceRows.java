package dev.recloser.console;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an instance has told of its breakers, and the calls that came meanwhile. Not thread-safe.
 */
final class InstanceRows {
  /** How many breakers an instance may have; what is kept of it is bounded by that. */
  static final int MOST = 2_000;

  private final TreeMap<String, FleetCell> cells = new TreeMap<>();
  private final Map<String, Counts> counted = new HashMap<>();
  private @Nullable SortedMap<String, FleetCell> copy;

  /**
   * All breakers, where nothing is known of the time before: what they have counted until now may
   * have been counted in a year.
   */
  void snapshot(RemoteEvent event, long now) {
    check(event.breakers().size());
    copy = null;
    TreeMap<String, FleetCell> before = new TreeMap<>(cells);
    cells.clear();
    for (RemoteBreaker breaker : event.breakers()) {
      cells.put(breaker.name(), FleetCell.of(breaker, before.get(breaker.name()), now));
    }
  }

  /** Those that have changed. One that is new among them has counted since it was made. */
  void changes(RemoteEvent event, long now) {
    copy = null;
    event.gone().forEach(cells::remove);
    for (RemoteBreaker breaker : event.breakers()) {
      FleetCell before = cells.get(breaker.name());
      cells.put(breaker.name(), FleetCell.of(breaker, before, now));
      Counts more = breaker.counts().since(before == null ? Counts.NONE : before.counts());
      if (!more.isNothing()) {
        counted.merge(breaker.name(), more, Counts::plus);
      }
      check(cells.size());
    }
    counted.keySet().retainAll(cells.keySet());
  }

  /** An instance that was started again has other breakers, whatever their names. */
  void clear() {
    cells.clear();
    counted.clear();
    copy = null;
  }

  /** Immutable, and the same object until something has changed. */
  SortedMap<String, FleetCell> cells() {
    if (copy == null) {
      copy = Collections.unmodifiableSortedMap(new TreeMap<>(cells));
    }
    return copy;
  }

  /** The calls since they were taken last. */
  Map<String, Counts> takeCounted() {
    Map<String, Counts> taken = new HashMap<>(counted);
    counted.clear();
    return taken;
  }

  private static void check(int breakers) {
    if (breakers > MOST) {
      throw new FeedFault("has more breakers than are shown (expected: at most " + MOST + ")");
    }
  }
}

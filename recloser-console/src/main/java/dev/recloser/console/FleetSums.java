package dev.recloser.console;

import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/** Adds up what instances tell. */
final class FleetSums {
  private FleetSums() {}

  /**
   * By breaker, without rates. Instances that are not live count for nothing, but what only they
   * have is there too, with zeros.
   */
  static SortedMap<String, FleetSum> of(Collection<FleetColumn> columns) {
    SortedMap<String, FleetSum> sums = new TreeMap<>();
    for (FleetColumn column : columns) {
      for (FleetCell cell : column.cells().values()) {
        String name = cell.look().name();
        FleetSum sum = sums.getOrDefault(name, FleetSum.none(name));
        sums.put(name, column.head().live() ? sum.plus(cell) : sum);
      }
    }
    return sums;
  }
}

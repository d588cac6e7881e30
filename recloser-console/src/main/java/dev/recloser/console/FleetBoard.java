package dev.recloser.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * All instances at one moment, and the sums over them. Immutable.
 *
 * @param at that moment, as a reading of the panel's ticker
 */
record FleetBoard(
    long number, long at, SortedMap<String, FleetColumn> columns, SortedMap<String, FleetSum> sums)
    implements Moment<FleetBoard> {
  static final FleetBoard NONE = new FleetBoard(0, 0, new TreeMap<>(), new TreeMap<>());

  /** An instance, with those of its breakers that have changed and gone. */
  private record ColumnChange(FleetColumn column, List<FleetCell> changed, List<String> gone) {}

  /** What has changed since another board. */
  record Change(
      long at,
      List<ColumnChange> columns,
      List<FleetSum> sums,
      List<String> goneInstances,
      List<String> goneBreakers)
      implements Difference {
    @Override
    public boolean isNothing() {
      return columns.isEmpty()
          && sums.isEmpty()
          && goneInstances.isEmpty()
          && goneBreakers.isEmpty();
    }

    @Override
    public void writeTo(JsonGenerator json) {
      Json.array(
          json,
          "instances",
          columns,
          each -> each.column.writeTo(json, at, each.changed, each.gone));
      Json.array(json, "breakers", sums, sum -> sum.writeTo(json));
      Json.texts(json, "goneInstances", goneInstances);
      Json.texts(json, "goneBreakers", goneBreakers);
    }
  }

  @Override
  public Change since(FleetBoard before) {
    List<ColumnChange> changed = new ArrayList<>();
    for (FleetColumn column : columns.values()) {
      ColumnChange change = change(column, before.columns.get(column.name()));
      if (change != null) {
        changed.add(change);
      }
    }
    List<FleetSum> changedSums =
        sums.values().stream().filter(sum -> !sum.equals(before.sums.get(sum.name()))).toList();
    return new Change(
        at, changed, changedSums, gone(before.columns, columns), gone(before.sums, sums));
  }

  @SuppressWarnings("ReferenceEquality") // What looks the same is the same object.
  private static @Nullable ColumnChange change(FleetColumn now, @Nullable FleetColumn before) {
    if (before == null) {
      return new ColumnChange(now, List.copyOf(now.cells().values()), List.of());
    }
    List<FleetCell> changed = new ArrayList<>();
    List<String> gone = List.of();
    if (now.cells() != before.cells()) {
      for (FleetCell cell : now.cells().values()) {
        FleetCell old = before.cells().get(cell.look().name());
        if (old == null || old.look() != cell.look()) {
          changed.add(cell);
        }
      }
      gone = gone(before.cells(), now.cells());
    }
    boolean same = changed.isEmpty() && gone.isEmpty() && now.head().equals(before.head());
    return same ? null : new ColumnChange(now, changed, gone);
  }

  private static List<String> gone(Map<String, ?> before, Map<String, ?> now) {
    return before.keySet().stream().filter(name -> !now.containsKey(name)).toList();
  }
}

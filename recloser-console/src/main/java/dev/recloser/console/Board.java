package dev.recloser.console;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * All breakers at one moment, by name. Immutable. A row that looks as in the board before has the
 * same look, the very object, so that two boards, however far apart, are told apart without a
 * history: who reads slowly keeps one old board, and what it missed in between is never made.
 *
 * @param number counts the boards
 */
record Board(long number, SortedMap<String, BreakerRow> rows) implements Moment<Board> {
  static final Board NONE = new Board(0, new TreeMap<>());

  /** What has changed since another board. */
  record Change(List<BreakerRow> rows, List<String> gone) implements Difference {
    @Override
    public boolean isNothing() {
      return rows.isEmpty() && gone.isEmpty();
    }

    @Override
    public void writeTo(JsonGenerator json) {
      Json.array(json, "breakers", rows, row -> row.writeTo(json));
      Json.texts(json, "gone", gone);
    }
  }

  /** The next one. Of two breakers of one name the first is on it. */
  Board next(Collection<BreakerRow> present) {
    SortedMap<String, BreakerRow> next = new TreeMap<>();
    for (BreakerRow row : present) {
      next.putIfAbsent(row.name(), sameOrNew(rows.get(row.name()), row));
    }
    return new Board(number + 1, next);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // What looks the same is the same object.
  public Change since(Board before) {
    List<BreakerRow> changed = new ArrayList<>();
    for (Map.Entry<String, BreakerRow> entry : rows.entrySet()) {
      BreakerRow old = before.rows.get(entry.getKey());
      if (old == null || old.look() != entry.getValue().look()) {
        changed.add(entry.getValue());
      }
    }
    List<String> gone =
        before.rows.keySet().stream().filter(name -> !rows.containsKey(name)).toList();
    return new Change(changed, gone);
  }

  /** The time that has passed is always that of now, for whoever begins to watch. */
  private static BreakerRow sameOrNew(@Nullable BreakerRow before, BreakerRow now) {
    return before != null && before.look().equals(now.look()) ? now.with(before.look()) : now;
  }
}

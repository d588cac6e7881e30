package dev.recloser.cli;

import java.util.EnumMap;
import java.util.Map;

/** All counts at one moment, or what was added to them between two. Immutable. */
final class Counts {
  static final Counts NONE = new Counts(Map.of());

  private final Map<Count, Long> values;

  Counts(Map<Count, Long> values) {
    this.values = Map.copyOf(values);
  }

  long of(Count count) {
    return values.getOrDefault(count, 0L);
  }

  Counts minus(Counts earlier) {
    var difference = new EnumMap<Count, Long>(Count.class);
    for (Count count : Count.values()) {
      difference.put(count, of(count) - earlier.of(count));
    }
    return new Counts(difference);
  }
}

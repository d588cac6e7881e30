package dev.recloser.config;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads maps, nested or with dots in their keys, in which values may have their own types. */
final class MapSource {
  /** Stands for the file in messages. */
  static final String NAME = "map";

  private static final Place PLACE = new Place(NAME, 0);

  private MapSource() {}

  static Section read(Map<?, ?> map) {
    return fill(Section.root(PLACE), map);
  }

  private static Section fill(Section section, Map<?, ?> map) {
    map.forEach(
        (key, value) -> {
          String name = String.valueOf(key);
          section.put(name, valueOf(section, name, value));
        });
    return section;
  }

  private static Value valueOf(Section parent, String key, @Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return fill(parent.child(key, PLACE), map);
    } else if (value instanceof Collection<?> items) {
      return new Value.Items(PLACE, items.stream().map(item -> valueOf(parent, "", item)).toList());
    } else if (value instanceof Class<?> type) {
      return new Value.Scalar(PLACE, type.getName());
    }
    return new Value.Scalar(PLACE, value == null ? null : value.toString());
  }
}

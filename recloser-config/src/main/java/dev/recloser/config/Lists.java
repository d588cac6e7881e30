package dev.recloser.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists as they are written: as such, as numbered keys, or as one value with commas. */
final class Lists {
  private Lists() {}

  /** The items; null if the numbers have gaps, which is then reported. */
  static @Nullable List<Value> items(String key, Value value, Problems problems) {
    if (value instanceof Value.Items list) {
      return list.values();
    } else if (value instanceof Value.Scalar scalar) {
      return split(scalar);
    }
    Map<String, Value> numbered = ((Section) value).open(key + ".", problems);
    List<Value> items = new ArrayList<>();
    for (int i = 0; i < numbered.size(); i++) {
      Value item = numbered.get(String.valueOf(i));
      if (item == null) {
        problems.add(value.place(), key, value.shown(), "a list, numbered from 0 without gaps");
        return null;
      }
      items.add(item);
    }
    return items;
  }

  /** Whether it is a list in properties. */
  static boolean isNumbered(Section section) {
    return !section.entries().isEmpty()
        && section.entries().keySet().stream().allMatch(key -> key.matches("\\d+"));
  }

  private static List<Value> split(Value.Scalar scalar) {
    String text = scalar.text();
    return text == null || text.isBlank()
        ? List.of()
        : Stream.of(text.split(",", -1))
            .map(part -> (Value) new Value.Scalar(scalar.place(), part))
            .toList();
  }
}

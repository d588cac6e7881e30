package dev.recloser.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A list of class names: a list, numbered keys, or one value with commas. */
final class ClassNames implements Kind<List<String>> {
  private static final Pattern NAME =
      Pattern.compile("\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*");

  @Override
  public @Nullable List<String> read(String key, Value value, Problems problems) {
    List<Value> items = itemsOf(key, value, problems);
    if (items == null) {
      return null;
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      Value item = items.get(i);
      String name =
          item instanceof Value.Scalar scalar && scalar.text() != null ? scalar.text() : "";
      if (isClassName(name.strip())) {
        names.add(name.strip());
      } else {
        problems.add(item.place(), key + "[" + i + "]", item.shown(), "the full name of a class");
      }
    }
    return names.size() == items.size() ? names : null;
  }

  private static @Nullable List<Value> itemsOf(String key, Value value, Problems problems) {
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

  private static List<Value> split(Value.Scalar scalar) {
    String text = scalar.text();
    return text == null || text.isBlank()
        ? List.of()
        : Stream.of(text.split(",", -1))
            .map(part -> (Value) new Value.Scalar(scalar.place(), part))
            .toList();
  }

  private static boolean isClassName(String text) {
    return Arrays.stream(text.split("\\.", -1)).allMatch(part -> NAME.matcher(part).matches());
  }
}

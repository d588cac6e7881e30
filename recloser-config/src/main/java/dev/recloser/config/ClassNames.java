package dev.recloser.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names of exception classes: a list, numbered keys, or one value with commas.
 *
 * <p>The classes need not be there. But a name that no exception can have is refused: it would
 * match nothing, and nobody would notice until the breaker fails to open.
 */
final class ClassNames implements Kind<List<String>> {
  private static final String EXPECTED = "the full name of an exception class";

  /** Where exceptions are looked for that are named without their package. */
  private static final List<String> PACKAGES =
      List.of(
          "java.io", "java.net", "java.util.concurrent", "java.lang", "java.net.http", "java.sql");

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
      String text = item instanceof Value.Scalar scalar ? scalar.text() : null;
      String name = text == null ? "" : text.strip();
      String expected = expectedInPlaceOf(name);
      if (expected == null) {
        names.add(name);
      } else {
        problems.add(item.place(), key + "[" + i + "]", item.shown(), expected);
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

  /** Null where the name may be that of an exception. */
  private static @Nullable String expectedInPlaceOf(String name) {
    if (!isClassName(name)) {
      return EXPECTED;
    } else if (name.indexOf('.') < 0) {
      return EXPECTED + example(name);
    } else if (JdkClasses.lack(name)) {
      return EXPECTED + "; there is no such class in Java " + Runtime.version().feature();
    }
    return null;
  }

  private static String example(String simpleName) {
    return PACKAGES.stream()
        .map(each -> each + "." + simpleName)
        .filter(JdkClasses::contain)
        .findFirst()
        .map(name -> ", for example " + name)
        .orElse("");
  }

  private static boolean isClassName(String text) {
    return Arrays.stream(text.split("\\.", -1)).allMatch(part -> NAME.matcher(part).matches());
  }
}

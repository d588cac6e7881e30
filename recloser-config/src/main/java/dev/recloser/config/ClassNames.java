package dev.recloser.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of exception classes, in a list.
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

  private static final String SCHEMA_PATTERN = "^[^ ]+[.][^ ]+$";

  @Override
  public Form form() {
    Map<String, Object> name = Map.of("type", "string", "pattern", SCHEMA_PATTERN);
    return new Form(
        "exceptions",
        "list of full class names",
        "",
        Map.of("anyOf", List.of(Map.of("type", "array", "items", name), Map.of("type", "string"))));
  }

  @Override
  public @Nullable List<String> read(String key, Value value, Reading reading) {
    Problems problems = reading.problems();
    List<Value> items = Lists.items(key, value, problems);
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

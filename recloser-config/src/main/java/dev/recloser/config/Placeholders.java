package dev.recloser.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Puts values in place of {@code ${name}} and {@code ${name:default}}, in which a default may have
 * placeholders of its own, and so may a key of the same files. What comes from elsewhere is not
 * looked at again, so such a value cannot ask for another.
 */
final class Placeholders {
  private static final String OPEN = "${";

  /** More than anybody writes. */
  private static final int MOST_LEVELS = 20;

  /** The same; keeps keys that name others several times from growing without end. */
  private static final int MOST_NAMES = 1_000;

  private final Function<? super String, @Nullable String> variables;

  /** Whether a name without a value and a default may be that of another machine. */
  private final boolean elsewhere;

  /** The documents whose own keys may be named; a later one goes before the earlier ones. */
  private final List<Section> documents;

  /**
   * Creates one.
   *
   * @param variables the value of a name; null if there is none
   * @param elsewhere whether a name without a value and a default may be that of another machine
   */
  Placeholders(Function<? super String, @Nullable String> variables, boolean elsewhere) {
    this(variables, elsewhere, List.of());
  }

  private Placeholders(
      Function<? super String, @Nullable String> variables,
      boolean elsewhere,
      List<Section> documents) {
    this.variables = variables;
    this.elsewhere = elsewhere;
    this.documents = documents;
  }

  /** Those of a source whose classes and variables may be those of another machine. */
  static Placeholders of(
      Function<? super String, @Nullable String> variables, Reading.Classes classes) {
    return new Placeholders(variables, classes == Reading.Classes.ABSENT);
  }

  /**
   * Looks first for a system property, then for an environment variable of the name, then for one
   * of the name as shells can write it: {@code INVENTORY_WAIT} for {@code inventory.wait}.
   */
  static @Nullable String ofSystem(String name) {
    return of(name, System.getProperties(), System.getenv());
  }

  static @Nullable String of(String name, Properties properties, Map<String, String> environment) {
    String property = properties.getProperty(name);
    if (property != null) {
      return property;
    }
    String exact = environment.get(name);
    return exact != null ? exact : environment.get(asInShells(name));
  }

  /** These, and the keys of documents where nothing else has a value for a name. */
  Placeholders and(List<Section> documents) {
    return new Placeholders(variables, elsewhere, documents);
  }

  /** The value of a name; null if there is none. */
  @Nullable String variable(String name) {
    return variables.apply(name);
  }

  /** What the last document that has a key of this name has there; null if none does. */
  private @Nullable String ownValue(String name) {
    String found = null;
    for (Section document : documents) {
      Value value = document.find(KeyPath.parse(name));
      found = value instanceof Value.Scalar scalar && scalar.text() != null ? scalar.text() : found;
    }
    return found;
  }

  /** The value with all its placeholders replaced. */
  Value.Scalar resolve(Value.Scalar written) {
    String text = written.text();
    return text == null || !text.contains(OPEN)
        ? written
        : new Value.Scalar(written.place(), new Reader().resolve(text, 0), text);
  }

  /** Tells of a value with a placeholder that stands for nothing. */
  void report(Value.Scalar unresolved, String key, Problems problems) {
    String written = unresolved.shown();
    Reader reader = new Reader();
    reader.resolve(written, 0);
    if (reader.missing.isEmpty()) {
      String expected = "a placeholder such as ${name} or ${name:default}";
      problems.add(unresolved.place(), key, written, expected);
    } else if (!elsewhere) {
      String expected =
          "a system property or an environment variable of this name, or a default as in ${"
              + reader.missing
              + ":...}";
      problems.add(unresolved.place(), key, written, expected);
    }
  }

  /** Reads one text. */
  private final class Reader {
    /** The first name that stands for nothing; empty if what is written is no name. */
    private String missing = "";

    private int names;

    /** Null if a placeholder stands for nothing. */
    private @Nullable String resolve(String text, int level) {
      StringBuilder resolved = new StringBuilder();
      int end = 0;
      for (int open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, end)) {
        int close = level < MOST_LEVELS ? closing(text, open) : -1;
        String inside = close < 0 ? "" : text.substring(open + OPEN.length(), close);
        String value = valueOf(inside, level);
        if (value == null) {
          return null;
        }
        resolved.append(text, end, open).append(value);
        end = close + 1;
      }
      return resolved.append(text, end, text.length()).toString();
    }

    private @Nullable String valueOf(String inside, int level) {
      if (++names > MOST_NAMES) {
        return null;
      }
      int colon = inside.indexOf(':');
      String name = (colon < 0 ? inside : inside.substring(0, colon)).strip();
      String value = name.isEmpty() ? null : variables.apply(name);
      String own = value != null || name.isEmpty() ? null : ownValue(name);
      if (own != null) {
        return resolve(own, level + 1);
      } else if (value == null && colon >= 0 && !name.isEmpty()) {
        return resolve(inside.substring(colon + 1), level + 1);
      } else if (value == null) {
        missing = name;
      }
      return value;
    }
  }

  /** Where the placeholder that opens here closes; -1 if it does not. */
  private static int closing(String text, int open) {
    int depth = 0;
    for (int i = open; i < text.length(); i++) {
      if (text.startsWith(OPEN, i)) {
        depth++;
      } else if (text.charAt(i) == '}' && --depth == 0) {
        return i;
      }
    }
    return -1;
  }

  private static String asInShells(String name) {
    return name.replaceAll("[.\\[]", "_").replaceAll("[-\\]]", "").toUpperCase(Locale.ROOT);
  }
}

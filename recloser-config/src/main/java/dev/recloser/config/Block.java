package dev.recloser.config;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is written about one breaker or one template, without what it inherits. */
final class Block {
  private final String path;
  private final String name;
  private final Place place;
  private final Map<String, Given<?>> given = new LinkedHashMap<>();
  private final Set<String> unread = new HashSet<>();

  /**
   * Creates an empty block.
   *
   * @param path before its keys: empty or with a dot at the end
   */
  Block(String path, String name, Place place) {
    this.path = path;
    this.name = name;
    this.place = place;
  }

  /** Reads what is written; everything that is wrong is reported and left out. */
  static Block read(String path, String name, Section section, Reading reading) {
    Problems problems = reading.problems();
    Block block = new Block(path, name, section.place());
    Map<String, Value> seen = new HashMap<>();
    section
        .open(path, problems)
        .forEach(
            (spelled, value) -> {
              Key key = Keys.find(spelled);
              Value present = key == null ? null : seen.putIfAbsent(key.name(), value);
              if (key == null) {
                problems.add(
                    value.place(), path + spelled, value.shown(), block.inPlaceOf(spelled, value));
              } else if (present != null) {
                problems.addClash(path + spelled, present.place(), value);
              } else if (key instanceof Key.Setting<?> setting) {
                block.give(setting, path + spelled, value, reading);
              } else {
                reading.note(value, path + spelled, key.description());
              }
            });
    return block;
  }

  String name() {
    return name;
  }

  String path() {
    return path;
  }

  Place place() {
    return place;
  }

  /** The settings it gives, by name. */
  Map<String, Given<?>> given() {
    return given;
  }

  /** The names of the settings that it gives wrongly. */
  Set<String> unread() {
    return unread;
  }

  /** The name of the template it starts from, null if it names none. */
  @Nullable String baseConfig() {
    Given<?> name = given.get(Keys.BASE_CONFIG.name());
    return name == null ? null : String.valueOf(name.value());
  }

  boolean gives(String setting) {
    return given.containsKey(setting);
  }

  private <T> void give(Key.Setting<T> setting, String key, Value value, Reading reading) {
    if (setting.kind() instanceof PredicateClass && reading.classes() == Reading.Classes.ABSENT) {
      leaveOut(key, value, reading);
      return;
    }
    T read = setting.kind().read(key, value, reading.problems());
    if (read == null) {
      unread.add(setting.name());
    } else {
      given.put(setting.name(), new Given<>(setting, read, value.place(), key, value.shown()));
    }
  }

  private static void leaveOut(String key, Value value, Reading reading) {
    String name = Kind.NAME.read(key, value, reading.problems());
    if (name != null) {
      reading.note(
          value, key, "left out; " + name + " is not loaded here, calls are judged without it");
    }
  }

  private String inPlaceOf(String unknown, Value value) {
    if (path.isEmpty() && Section.isOfNames(unknown)) {
      return "this key under " + Layout.WHERE;
    }
    return value instanceof Section && !path.isEmpty()
        ? "a setting; a name with dots stands in brackets: [" + name + "." + unknown + "]"
        : Keys.nearest(unknown);
  }
}

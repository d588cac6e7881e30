package dev.recloser.config;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is written about one policy or one template, without what it inherits.
 *
 * @param <B> what its settings are made on
 */
final class Block<B> {
  private final Keys<B> keys;
  private final String path;
  private final String name;
  private final Place place;
  private final Map<String, Given<B, ?>> given = new LinkedHashMap<>();
  private final Set<String> unread = new HashSet<>();

  /**
   * Creates an empty block.
   *
   * @param keys those it may have
   * @param path before its keys: empty or with a dot at the end
   */
  Block(Keys<B> keys, String path, String name, Place place) {
    this.keys = keys;
    this.path = path;
    this.name = name;
    this.place = place;
  }

  /** Reads what is written; everything that is wrong is reported and left out. */
  static <B> Block<B> read(
      Keys<B> keys, String path, String name, Section section, Root root, Reading reading) {
    Block<B> block = new Block<>(keys, path, name, section.place());
    Map<String, Value> seen = new HashMap<>();
    section
        .open(path, reading.problems())
        .forEach((spelled, value) -> block.read(spelled, value, seen, root, reading));
    return block;
  }

  /** A block of a source, with what the block of the same name in a later source gives. */
  static <B> Block<B> merged(Block<B> earlier, Block<B> later) {
    Block<B> merged = new Block<>(later.keys, later.path, later.name, later.place);
    merged.given.putAll(earlier.given);
    merged.given.putAll(later.given);
    merged.given.keySet().removeAll(later.unread);
    merged.unread.addAll(earlier.unread);
    merged.unread.removeAll(later.given.keySet());
    merged.unread.addAll(later.unread);
    return merged;
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
  Map<String, Given<B, ?>> given() {
    return given;
  }

  /** The names of the settings that it gives wrongly. */
  Set<String> unread() {
    return unread;
  }

  /** The name of the template it starts from, null if it names none. */
  @Nullable String baseConfig() {
    Given<B, ?> name = given.get(Keys.BASE_CONFIG);
    return name == null ? null : String.valueOf(name.value());
  }

  boolean gives(String setting) {
    return given.containsKey(setting);
  }

  private void read(
      String spelled, Value value, Map<String, Value> seen, Root root, Reading reading) {
    Problems problems = reading.problems();
    if (value instanceof Section group && !group.entries().isEmpty() && keys.isGroup(spelled)) {
      group
          .open(path + spelled + ".", problems)
          .forEach((key, each) -> read(spelled + "." + key, each, seen, root, reading));
      return;
    }
    Key<B> key = keys.find(spelled);
    Value present = key == null ? null : seen.putIfAbsent(key.name(), value);
    if (key == null) {
      reading.unknown(root, value, path + spelled, inPlaceOf(spelled, value));
    } else if (present != null) {
      problems.addClash(path + spelled, present.place(), value);
    } else if (key instanceof Key.Setting<B, ?> setting) {
      give(setting, path + spelled, value, reading);
    } else {
      reading.note(value, path + spelled, key.description());
    }
  }

  private <T> void give(Key.Setting<B, T> setting, String key, Value value, Reading reading) {
    if (value.isUnresolved()) {
      leaveUnresolved(setting, key, value, reading);
      return;
    }
    if (setting.kind() instanceof NamedObject && reading.classes() == Reading.Classes.ABSENT) {
      leaveOut(key, value, reading);
      return;
    }
    T read = setting.kind().read(key, value, reading);
    if (read == null) {
      unread.add(setting.name());
    } else {
      given.put(setting.name(), new Given<>(setting, read, value.place(), key, value.shown()));
      String remark = setting.remark().apply(read);
      if (remark != null) {
        reading.note(value, key, remark);
      }
    }
  }

  /** Has been reported, unless what placeholders stand for is not here. */
  private void leaveUnresolved(
      Key.Setting<B, ?> setting, String key, Value value, Reading reading) {
    if (reading.classes() == Reading.Classes.ABSENT) {
      reading.note(value, key, "left out; what " + value.shown() + " stands for is not known here");
    } else {
      unread.add(setting.name());
    }
  }

  private static void leaveOut(String key, Value value, Reading reading) {
    String name = Kind.NAME.read(key, value, reading);
    if (name != null) {
      reading.note(
          value, key, "left out; " + name + " is not loaded here, calls are judged without it");
    }
  }

  private String inPlaceOf(String unknown, Value value) {
    if (path.isEmpty() && Section.isOfBlocks(unknown)) {
      return "this key under " + Layout.WHERE;
    }
    return value instanceof Section section && !path.isEmpty()
        ? "a setting; a name with dots stands in brackets: [%s]"
            .formatted(dotted(name + "." + unknown, section))
        : keys.nearest(unknown);
  }

  /** The name that a section of a section of these was to be, down to where settings are. */
  private String dotted(String before, Section section) {
    return section.entries().entrySet().stream()
        .filter(part -> part.getValue() instanceof Section && !isKey(part.getKey()))
        .findFirst()
        .map(part -> dotted(before + "." + part.getKey(), (Section) part.getValue()))
        .orElse(before);
  }

  private boolean isKey(String spelled) {
    return keys.find(spelled) != null || keys.isGroup(spelled);
  }
}

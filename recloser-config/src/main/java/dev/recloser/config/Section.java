package dev.recloser.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Values by key, in the order in which they were written. Filled by one reader, then only read. */
final class Section implements Value {
  /** Sections whose keys are names of blocks of settings. */
  private static final Set<String> OF_BLOCKS =
      Set.of("configs", "instances", "backends", "limiters");

  /** The section whose keys are names of pipelines. */
  static final String PIPELINES = "pipelines";

  /** The section whose keys are rules, and those of these are names. */
  static final String SILENCED = "silenced";

  /** Empty of a root, and of a section that stands in a list. */
  private final String key;

  /** Whether its keys are names, in which a dot is a dot. */
  private final boolean hasNames;

  private final Place place;
  private final Map<String, Value> entries = new LinkedHashMap<>();
  private final List<Clash> clashes = new ArrayList<>();

  /** Whether it is only there because of a key such as {@code a.b}, and may be written yet. */
  private boolean implied;

  private Section(String key, boolean hasNames, Place place, boolean implied) {
    this.key = key;
    this.hasNames = hasNames;
    this.place = place;
    this.implied = implied;
  }

  /** Whether the section under this key has names of blocks for keys. */
  static boolean isOfBlocks(String key) {
    return OF_BLOCKS.contains(KeyPath.canonical(key));
  }

  /** The value as a section; an empty one if nothing is written, or something wrong. */
  static Section of(String key, Value value, Problems problems) {
    if (value instanceof Section section) {
      return section;
    }
    if (!(value instanceof Value.Scalar scalar) || scalar.text() != null) {
      problems.add(value.place(), key, value.shown(), "a section with keys of its own");
    }
    return root(value.place());
  }

  static Section root(Place place) {
    return new Section("", /* hasNames= */ false, place, /* implied= */ false);
  }

  /** A section to be filled and {@link #put} under this key. */
  Section child(String key, Place place) {
    List<String> path = pathOf(key);
    int last = path.size() - 1;
    String parent = last == 0 ? this.key : path.get(last - 1);
    return under(parent, path.get(last), place, /* implied= */ false);
  }

  /** Puts a value under a key, which may have several parts. */
  void put(String key, Value value) {
    List<String> path = pathOf(key);
    Section parent = this;
    for (String part : path.subList(0, path.size() - 1)) {
      String above = parent.key;
      Value next =
          parent.entries.computeIfAbsent(
              part, absent -> under(above, part, value.place(), /* implied= */ true));
      if (!(next instanceof Section section)) {
        parent.clashes.add(new Clash(part, next, value));
        return;
      }
      parent = section;
    }
    parent.putOne(path.get(path.size() - 1), value);
  }

  /** An empty section under the same key. */
  Section sibling() {
    return new Section(key, hasNames, place, /* implied= */ false);
  }

  /** Adds the values of another section under keys that this one does not have. */
  void addMissing(Section other) {
    other.entries.forEach(entries::putIfAbsent);
  }

  /**
   * Replaces what stands under any of its keys, at any depth. Returns itself.
   *
   * @param path of this section, for the messages; empty or with a dot at the end
   * @param problems told of placeholders that stand for nothing
   */
  Section resolve(Placeholders placeholders, String path, Problems problems) {
    entries.replaceAll((key, value) -> resolve(placeholders, path + key, value, problems));
    return this;
  }

  private static Value resolve(
      Placeholders placeholders, String key, Value value, Problems problems) {
    if (value instanceof Section section) {
      return section.resolve(placeholders, key + ".", problems);
    } else if (value instanceof Value.Items items) {
      List<Value> values = new ArrayList<>();
      for (Value item : items.values()) {
        values.add(resolve(placeholders, key + "[" + values.size() + "]", item, problems));
      }
      return new Value.Items(items.place(), values);
    }
    Value.Scalar resolved = placeholders.resolve((Value.Scalar) value);
    if (resolved.isUnresolved()) {
      placeholders.report(resolved, key, problems);
    }
    return resolved;
  }

  /** The values by key. */
  Map<String, Value> entries() {
    return entries;
  }

  /**
   * The values by key. Reports the keys that were given twice; here and not when they are put,
   * since what is never opened is none of our business.
   *
   * @param path of this section, for the messages; empty or with a dot at the end
   */
  Map<String, Value> open(String path, Problems problems) {
    for (Clash clash : clashes) {
      problems.addClash(path + clash.key, clash.present.place(), clash.added);
    }
    return entries;
  }

  /** What stands under these keys, one within the other, in any spelling; null for nothing. */
  @Nullable Value find(List<String> path) {
    for (Map.Entry<String, Value> entry : entries.entrySet()) {
      if (KeyPath.canonical(entry.getKey()).equals(KeyPath.canonical(path.get(0)))) {
        Value value = entry.getValue();
        List<String> rest = path.subList(1, path.size());
        return rest.isEmpty()
            ? value
            : value instanceof Section section ? section.find(rest) : null;
      }
    }
    return null;
  }

  @Override
  public Place place() {
    return place;
  }

  @Override
  public String shown() {
    return "a section";
  }

  private void putOne(String part, Value value) {
    Value present = entries.putIfAbsent(part, value);
    if (present instanceof Section section && section.implied && value instanceof Section added) {
      section.implied = false;
      section.clashes.addAll(added.clashes);
      added.entries.forEach(section::putOne);
    } else if (present != null) {
      clashes.add(new Clash(part, present, value));
    }
  }

  private static Section under(String parent, String key, Place place, boolean implied) {
    boolean hasNames =
        isOfBlocks(key)
            || KeyPath.canonical(key).equals(PIPELINES)
            || KeyPath.canonical(key).equals(Workloads.KEY)
            || KeyPath.canonical(parent).equals(SILENCED);
    return new Section(key, hasNames, place, implied);
  }

  private List<String> pathOf(String written) {
    return hasNames ? List.of(KeyPath.name(written)) : KeyPath.parse(written);
  }

  private record Clash(String key, Value present, Value added) {}
}

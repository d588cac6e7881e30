package dev.recloser.config;

import dev.recloser.config.Key.Setting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every key that a block of one kind may have, once: how it is written, what it sets, what it is
 * for.
 *
 * <p>They are applied in their order, so a switch that stands for a value comes before the setting
 * that gives another.
 *
 * @param <B> what the settings are made on
 */
final class Keys<B> {
  /** The key that every kind has, for the template to start from. */
  static final String BASE_CONFIG = "baseConfig";

  private final List<Key<B>> all;
  private final Map<String, Key<B>> bySpelling = new HashMap<>();

  private Keys(List<Key<B>> all) {
    this.all = List.copyOf(all);
    for (Key<B> key : all) {
      bySpelling.put(KeyPath.canonical(key.name()), key);
      key.aliases().forEach(alias -> bySpelling.put(KeyPath.canonical(alias), key));
    }
  }

  /** These keys, and the one for the template. */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  static <B> Keys<B> of(Key<B>... keys) {
    List<Key<B>> all = new ArrayList<>();
    all.add(
        Setting.<B, String>of(
                BASE_CONFIG, Kind.NAME, (builder, name) -> {}, "The template to start from.")
            .byDefault("the template of the same name, else the template default"));
    all.addAll(List.of(keys));
    return new Keys<>(all);
  }

  /** These keys only, of what has no templates. */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  static <B> Keys<B> ofAll(Key<B>... keys) {
    return new Keys<>(List.of(keys));
  }

  /** All keys in their order. */
  List<Key<B>> all() {
    return all;
  }

  /** The key of this spelling, null if there is none. */
  @Nullable Key<B> find(String spelled) {
    return bySpelling.get(KeyPath.canonical(spelled));
  }

  /** Whether this is the spelling of a key that sets something. */
  boolean isSetting(String spelled) {
    return find(spelled) instanceof Setting<?, ?>;
  }

  /** Whether there are keys within this one. */
  boolean isGroup(String spelled) {
    String group = KeyPath.canonical(spelled) + ".";
    return bySpelling.keySet().stream().anyMatch(key -> key.startsWith(group));
  }

  /** The names of the settings that this one is judged by. */
  Set<String> contextOf(String name) {
    return find(name) instanceof Setting<?, ?> setting ? setting.context() : Set.of();
  }

  /** What to expect in place of an unknown key. */
  String nearest(String spelled) {
    return "a known key; the nearest is "
        + Spelling.nearest(
            spelled, all.stream().filter(Setting.class::isInstance).map(Key::name).toList());
  }
}

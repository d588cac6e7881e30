package dev.recloser.config;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a block and of all it inherits. They are collected first and applied in one go,
 * since some make sense only together.
 *
 * @param keys all that there are
 * @param given the settings by name
 * @param unread the names of those that were given wrongly
 * @param incomplete whether a template is missing
 * @param faulty the names of those that the configuration found wrong
 * @param config null until it is made, and if it cannot be
 */
record Assembly<B, C>(
    Keys<B> keys,
    Map<String, Given<B, ?>> given,
    Set<String> unread,
    boolean incomplete,
    Set<String> faulty,
    @Nullable C config) {

  static <B, C> Assembly<B, C> nothing(Keys<B> keys, boolean incomplete) {
    return new Assembly<>(keys, Map.of(), Set.of(), incomplete, Set.of(), null);
  }

  /** These settings with those of a block in their place. */
  Assembly<B, C> and(Block<B> block) {
    Map<String, Given<B, ?>> allGiven = new LinkedHashMap<>(given);
    allGiven.putAll(block.given());
    allGiven.keySet().removeAll(block.unread());
    Set<String> allUnread = new HashSet<>(unread);
    allUnread.removeAll(block.given().keySet());
    allUnread.addAll(block.unread());
    return new Assembly<>(keys, allGiven, allUnread, incomplete, new HashSet<>(), null);
  }

  Assembly<B, C> with(C made) {
    return new Assembly<>(keys, given, unread, incomplete, faulty, made);
  }

  /** Sets them in the order of their keys. */
  void applyTo(B builder) {
    for (Key<B> key : keys.all()) {
      Given<B, ?> setting = given.get(key.name());
      if (setting != null && !isSwitchedOff(setting.setting())) {
        setting.applyTo(builder);
      }
    }
  }

  /** Whether a fault of this setting is one, rather than the consequence of what was not read. */
  boolean canJudge(String setting) {
    Set<String> context = keys.contextOf(setting);
    boolean isRead = !unread.contains(setting) && context.stream().noneMatch(unread::contains);
    return isRead && (!incomplete || given.keySet().containsAll(context));
  }

  private boolean isSwitchedOff(Key.Setting<B, ?> setting) {
    String name = setting.switchName();
    Given<B, ?> itsSwitch = name == null ? null : given.get(name);
    return itsSwitch != null && itsSwitch.value().equals(false);
  }
}

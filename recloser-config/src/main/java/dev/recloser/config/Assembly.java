package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a block and of all it inherits. They are collected first and applied in one go,
 * since some make sense only together.
 *
 * @param given the settings by name
 * @param unread the names of those that were given wrongly
 * @param incomplete whether a template is missing
 * @param faulty the names of those that the configuration found wrong
 * @param config null until it is made, and if it cannot be
 */
record Assembly(
    Map<String, Given<?>> given,
    Set<String> unread,
    boolean incomplete,
    Set<String> faulty,
    @Nullable CircuitBreakerConfig config) {

  static Assembly nothing(boolean incomplete) {
    return new Assembly(Map.of(), Set.of(), incomplete, Set.of(), null);
  }

  /** These settings with those of a block in their place. */
  Assembly and(Block block) {
    Map<String, Given<?>> allGiven = new LinkedHashMap<>(given);
    allGiven.putAll(block.given());
    allGiven.keySet().removeAll(block.unread());
    Set<String> allUnread = new HashSet<>(unread);
    allUnread.removeAll(block.given().keySet());
    allUnread.addAll(block.unread());
    return new Assembly(allGiven, allUnread, incomplete, new HashSet<>(), null);
  }

  Assembly with(CircuitBreakerConfig made) {
    return new Assembly(given, unread, incomplete, faulty, made);
  }

  /** Sets them in the order of {@link Keys#ALL}. */
  void applyTo(CircuitBreakerConfig.Builder builder) {
    for (Key key : Keys.ALL) {
      Given<?> setting = given.get(key.name());
      if (setting != null && !isSwitchedOff(setting.setting())) {
        setting.applyTo(builder);
      }
    }
  }

  /** Whether a fault of this setting is one, rather than the consequence of what was not read. */
  boolean canJudge(String setting) {
    Set<String> context = Keys.contextOf(setting);
    boolean isRead = !unread.contains(setting) && context.stream().noneMatch(unread::contains);
    return isRead && (!incomplete || given.keySet().containsAll(context));
  }

  private boolean isSwitchedOff(Key.Setting<?> setting) {
    Given<?> given = setting.switchName() == null ? null : this.given.get(setting.switchName());
    return given != null && given.value().equals(false);
  }
}

package dev.recloser;

import dev.recloser.RegistryEntry.Origin;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All settings of a registry at one time. Immutable.
 *
 * @param defaultConfig the configuration of policies for which no other is named
 * @param configs those that policies can be asked for with, by their names
 * @param ofPolicies those of single policies, by the policies' names
 * @param maxSize how many policies there may be
 * @param idleNanos how long a policy must have been idle to make room
 */
record RegistrySettings<C extends PolicyConfig>(
    C defaultConfig,
    Map<String, C> configs,
    Map<String, C> ofPolicies,
    int maxSize,
    long idleNanos) {
  RegistrySettings {
    configs = Map.copyOf(configs);
    ofPolicies = Map.copyOf(ofPolicies);
  }

  C named(String configName) {
    C config = configs.get(configName);
    if (config == null) {
      throw new IllegalArgumentException(
          "configName: \"" + configName + "\" (expected: " + expectedNames() + ")");
    }
    return config;
  }

  /** What a policy that is made now gets, unless it comes with a configuration of its own. */
  C configOf(Origin origin, String name) {
    return origin.configName() == null
        ? ofPolicies.getOrDefault(name, defaultConfig)
        : named(origin.configName());
  }

  /** What a policy that there is should have; null if that is not for the registry to say. */
  @Nullable C configOf(RegistryEntry<?, C> entry) {
    Origin origin = entry.origin;
    if (origin.own()) {
      return null;
    }
    return origin.configName() == null
        ? ofPolicies.getOrDefault(entry.policy.name(), defaultConfig)
        : configs.get(origin.configName());
  }

  private String expectedNames() {
    return configs.isEmpty()
        ? "none, there are no named ones"
        : "one of " + configs.keySet().stream().sorted().toList();
  }
}

package dev.recloser.cli;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.BreakerConfigs;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which settings of a configuration a dependency is replayed with. */
final class ReplaySettings {
  private static final String DEFAULT = "default";
  private static final int MOST_SHOWN = 5;

  private final BreakerConfigs configs;
  private final @Nullable CircuitBreakerConfig forAll;
  private final Set<String> withoutInstance = new LinkedHashSet<>();

  /**
   * Creates one.
   *
   * @param instance the one for all dependencies; null for each its own, if there are several
   * @param byKey whether there are several dependencies
   * @throws IllegalArgumentException if there is no such instance
   * @throws IllegalStateException if there is none at all for a single dependency
   */
  ReplaySettings(BreakerConfigs configs, @Nullable String instance, boolean byKey) {
    this.configs = configs;
    if (instance != null) {
      forAll = configs.config(instance);
    } else {
      forAll = byKey && hasSeveral(configs) ? null : configs.only();
    }
  }

  /** Whether there may be one for each, rather than a bare block or a single instance for all. */
  private static boolean hasSeveral(BreakerConfigs configs) {
    int instances = configs.names().size();
    return instances > 1 || (instances == 0 && !configs.templates().isEmpty());
  }

  /** Those for all dependencies. */
  CircuitBreakerConfig only() {
    return forAll == null ? configs.only() : forAll;
  }

  /** Those of a dependency. */
  CircuitBreakerConfig ofKey(String key) {
    if (forAll != null) {
      return forAll;
    }
    if (!configs.names().contains(key)) {
      withoutInstance.add(key);
    }
    return configs.configOrDefault(key);
  }

  /** What is to be said of dependencies that the configuration does not name. */
  Optional<String> remark(String file) {
    if (withoutInstance.isEmpty()) {
      return Optional.empty();
    }
    String shown = String.join(", ", withoutInstance.stream().limit(MOST_SHOWN).toList());
    int more = withoutInstance.size() - MOST_SHOWN;
    String taken =
        configs.templates().containsKey(DEFAULT)
            ? "the template " + DEFAULT + " was taken"
            : "the default settings were taken";
    return Optional.of(
        "%s: no instance for %s%s; %s"
            .formatted(file, shown, more > 0 ? " and " + more + " more" : "", taken));
  }
}

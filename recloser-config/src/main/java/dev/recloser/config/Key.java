package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A key that a block of settings may have. {@link Keys} lists them all. */
sealed interface Key permits Key.Setting, Key.Unused {
  /** In camel case. */
  String name();

  /** Other names of it. */
  Set<String> aliases();

  /** For a reference: what it sets, or what to do about it. */
  String description();

  /**
   * A key that sets something.
   *
   * @param kind how its value is written
   * @param setter what it does
   * @param switchName the switch that, when it is off, turns this setting off; null for none
   * @param context the settings that the builder judges this one by
   */
  record Setting<T>(
      String name,
      Set<String> aliases,
      Kind<T> kind,
      BiConsumer<CircuitBreakerConfig.Builder, T> setter,
      @Nullable String switchName,
      Set<String> context,
      String description)
      implements Key {

    Setting<T> alias(String alias) {
      return new Setting<>(name, Set.of(alias), kind, setter, switchName, context, description);
    }

    Setting<T> unlessOff(String name) {
      return new Setting<>(this.name, aliases, kind, setter, name, context, description);
    }

    Setting<T> judgedBy(String... names) {
      return new Setting<>(name, aliases, kind, setter, switchName, Set.of(names), description);
    }
  }

  /** A key of Resilience4j without a meaning here; any value will do. */
  record Unused(String name, String description) implements Key {
    @Override
    public Set<String> aliases() {
      return Set.of();
    }
  }
}

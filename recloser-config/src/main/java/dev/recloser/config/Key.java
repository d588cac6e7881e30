package dev.recloser.config;

import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A key that a block of settings may have. {@link Keys} holds those of a kind of policy.
 *
 * @param <B> what the settings are made on
 */
sealed interface Key<B> permits Key.Setting, Key.Unused {
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
   * @param remark where a value does not mean quite what it does elsewhere, what it means; else
   *     null
   */
  record Setting<B, T>(
      String name,
      Set<String> aliases,
      Kind<T> kind,
      BiConsumer<? super B, T> setter,
      @Nullable String switchName,
      Set<String> context,
      Function<? super T, @Nullable String> remark,
      String description)
      implements Key<B> {

    /** A setting without any of what the methods below add. */
    static <B, T> Setting<B, T> of(
        String name, Kind<T> kind, BiConsumer<? super B, T> setter, String description) {
      return new Setting<>(
          name, Set.of(), kind, setter, null, Set.of(), value -> null, description);
    }

    Setting<B, T> alias(String alias) {
      return new Setting<>(
          name, Set.of(alias), kind, setter, switchName, context, remark, description);
    }

    Setting<B, T> unlessOff(String name) {
      return new Setting<>(this.name, aliases, kind, setter, name, context, remark, description);
    }

    Setting<B, T> judgedBy(String... names) {
      return new Setting<>(
          name, aliases, kind, setter, switchName, Set.of(names), remark, description);
    }

    Setting<B, T> remarkedOn(Function<? super T, @Nullable String> remark) {
      return new Setting<>(name, aliases, kind, setter, switchName, context, remark, description);
    }
  }

  /** A key of Resilience4j without a meaning here; any value will do. */
  record Unused<B>(String name, String description) implements Key<B> {
    @Override
    public Set<String> aliases() {
      return Set.of();
    }
  }
}

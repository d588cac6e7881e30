package dev.recloser.config;

import java.util.LinkedHashSet;
import java.util.List;
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
   * @param background what else a reference says about it
   */
  record Setting<B, T>(
      String name,
      Set<String> aliases,
      Kind<T> kind,
      BiConsumer<? super B, T> setter,
      @Nullable String switchName,
      Set<String> context,
      Function<? super T, @Nullable String> remark,
      String description,
      Background background)
      implements Key<B> {

    /** A setting without any of what the methods below add. */
    static <B, T> Setting<B, T> of(
        String name, Kind<T> kind, BiConsumer<? super B, T> setter, String description) {
      return new Setting<>(
          name,
          Set.of(),
          kind,
          setter,
          null,
          Set.of(),
          value -> null,
          description,
          Background.SAME);
    }

    Setting<B, T> alias(String... aliases) {
      return new Setting<>(
          name,
          new LinkedHashSet<>(List.of(aliases)),
          kind,
          setter,
          switchName,
          context,
          remark,
          description,
          background);
    }

    Setting<B, T> unlessOff(String name) {
      return new Setting<>(
          this.name, aliases, kind, setter, name, context, remark, description, background);
    }

    Setting<B, T> judgedBy(String... names) {
      return new Setting<>(
          name, aliases, kind, setter, switchName, Set.of(names), remark, description, background);
    }

    Setting<B, T> remarkedOn(Function<? super T, @Nullable String> remark) {
      return new Setting<>(
          name, aliases, kind, setter, switchName, context, remark, description, background);
    }

    /** Of this rule of the semantics. */
    Setting<B, T> rule(String rule) {
      return with(background.withRule(rule));
    }

    /** One that Resilience4j does not have. */
    Setting<B, T> ours() {
      return with(background.withElsewhere(Background.NONE));
    }

    /** One that is called differently in Resilience4j, or means something else there. */
    Setting<B, T> elsewhere(String what) {
      return with(background.withElsewhere(what));
    }

    /** What holds where it is not given, if that is no plain value. */
    Setting<B, T> byDefault(String what) {
      return with(background.withDefault(what));
    }

    private Setting<B, T> with(Background background) {
      return new Setting<>(
          name, aliases, kind, setter, switchName, context, remark, description, background);
    }
  }

  /**
   * Where a setting comes from.
   *
   * @param rule the rule of the semantics it belongs to; empty if that is told with its policy
   * @param elsewhere what it is in Resilience4j; empty if it is called and means the same
   * @param byDefault what holds where it is not given; null if that is what the policy has
   */
  record Background(String rule, String elsewhere, @Nullable String byDefault) {
    /** Resilience4j has no such setting. */
    static final String NONE = "none";

    static final Background SAME = new Background("", "", null);

    Background withRule(String rule) {
      return new Background(rule, elsewhere, byDefault);
    }

    Background withElsewhere(String what) {
      return new Background(rule, what, byDefault);
    }

    Background withDefault(String what) {
      return new Background(rule, elsewhere, what);
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

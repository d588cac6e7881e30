package dev.recloser;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a policy, or of a part of one. Immutable. Two are equal when they are of the same
 * kind and have equal settings, functions by identity.
 */
public abstract sealed class PolicyConfig
    permits AdaptiveLimitConfig,
        BulkheadConfig,
        CircuitBreakerConfig,
        HedgeConfig,
        RateLimiterConfig,
        RetryConfig,
        TimeoutConfig {
  PolicyConfig() {}

  /**
   * All settings by name, those left at their default included, in an order for people; those
   * without effect are left out, and functions and other objects where they were not set.
   * Unmodifiable.
   */
  public abstract Map<String, Object> settings();

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof PolicyConfig that
        && that.getClass() == getClass()
        && settings().equals(that.settings());
  }

  @Override
  public final int hashCode() {
    return settings().hashCode();
  }

  /**
   * What is on, for people: without what is zero, off or empty, and of functions only the names.
   */
  @Override
  public final String toString() {
    return settings().entrySet().stream()
        .filter(setting -> isTold(setting.getKey(), setting.getValue()))
        .map(setting -> setting.getKey() + " " + told(setting.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** A value as people read it. */
  static String shown(@Nullable Object value) {
    if (value instanceof PolicyConfig part) {
      return "(" + part + ")";
    }
    return value instanceof Duration duration ? Text.of(duration) : String.valueOf(value);
  }

  static void putIfSet(Map<String, Object> all, String name, @Nullable Object value) {
    if (value != null) {
      all.put(name, value);
    }
  }

  private static boolean isTold(String name, Object value) {
    boolean isOff =
        value.equals(Duration.ZERO)
            || value.equals(false)
            || (value instanceof Collection<?> list && list.isEmpty());
    return !isOff && !name.equals("ticker") && !name.equals("scheduler");
  }

  private static String told(Object value) {
    boolean isPlain =
        value instanceof Duration
            || value instanceof Number
            || value instanceof Boolean
            || value instanceof Enum<?>
            || value instanceof String
            || value instanceof PolicyConfig
            || value instanceof Collection<?>;
    return isPlain ? shown(value) : "set";
  }
}

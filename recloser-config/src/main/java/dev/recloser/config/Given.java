package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;

/**
 * A setting that a block gives.
 *
 * @param key as it was spelled, with its path
 * @param shown the value as it was written
 */
record Given<T>(Key.Setting<T> setting, T value, Place place, String key, String shown) {
  void applyTo(CircuitBreakerConfig.Builder builder) {
    setting.setter().accept(builder, value);
  }
}

package dev.recloser.config;

/**
 * A setting that a block gives.
 *
 * @param key as it was spelled, with its path
 * @param shown the value as it was written
 */
record Given<B, T>(Key.Setting<B, T> setting, T value, Place place, String key, String shown) {
  void applyTo(B builder) {
    setting.setter().accept(builder, value);
  }
}

package dev.recloser.config;

import static dev.recloser.config.Kind.COUNT;
import static dev.recloser.config.Kind.DURATION;
import static dev.recloser.config.Kind.NUMBER;
import static dev.recloser.config.Kind.SWITCH;

import dev.recloser.HedgeConfig;
import dev.recloser.config.Key.Setting;
import java.util.function.BiConsumer;

/** The keys of a hedge. They are our own: Resilience4j has none. */
final class HedgeKeys {
  static final Keys<HedgeConfig.Builder> ALL =
      Keys.of(
          setting(
                  "idempotent",
                  SWITCH,
                  HedgeConfig.Builder::idempotent,
                  "That the calls may be made twice at the same time; must be true.")
              .ours(),
          setting(
                  "maxAttempts",
                  COUNT,
                  HedgeConfig.Builder::maxAttempts,
                  "How often a call is made at most, the first time included.")
              .ours(),
          setting(
                  "delay",
                  DURATION,
                  HedgeConfig.Builder::delay,
                  "How long an attempt has before another one is begun.")
              .ours(),
          setting(
                  "delayPercentile",
                  NUMBER,
                  HedgeConfig.Builder::delayPercentile,
                  "The percentile of measured times that the delay follows.")
              .ours()
              .byDefault("none: the delay is as given"));

  private HedgeKeys() {}

  private static <T> Setting<HedgeConfig.Builder, T> setting(
      String name, Kind<T> kind, BiConsumer<HedgeConfig.Builder, T> setter, String description) {
    return Setting.of(name, kind, setter, description);
  }
}

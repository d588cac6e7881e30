package dev.recloser.config;

import static dev.recloser.config.Kind.COUNT;
import static dev.recloser.config.Kind.DURATION;
import static dev.recloser.config.Kind.NUMBER;
import static dev.recloser.config.Kind.SWITCH;

import dev.recloser.HedgeConfig;
import dev.recloser.config.Key.Setting;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/** The keys of a hedge. They are our own: Resilience4j has none. */
final class HedgeKeys {
  private static final String ATTEMPTS = "further attempts";

  static final Keys<BudgetedDraft<HedgeConfig.Builder>> ALL =
      Keys.of(
          setting(
              "idempotent",
              SWITCH,
              HedgeConfig.Builder::idempotent,
              "That the calls may be made twice at the same time; must be true."),
          setting(
              "maxAttempts",
              COUNT,
              HedgeConfig.Builder::maxAttempts,
              "How often a call is made at most, the first time included."),
          setting(
              "delay",
              DURATION,
              HedgeConfig.Builder::delay,
              "How long an attempt has before another one is begun."),
          setting(
                  "delayPercentile",
                  NUMBER,
                  HedgeConfig.Builder::delayPercentile,
                  "The percentile of measured times that the delay follows.")
              .byDefault("none: the delay is as given"),
          BudgetKeys.percentage(ATTEMPTS),
          BudgetKeys.minimumPerSecond(ATTEMPTS),
          BudgetKeys.shared(HedgeConfig.Builder::budget),
          setting(
                  "executor",
                  NamedObject.<Executor>of(Executor.class),
                  HedgeConfig.Builder::executor,
                  "An Executor: what plain calls run on, one thread an attempt.")
              .byDefault("daemon threads of the library"));

  private HedgeKeys() {}

  private static <T> Setting<BudgetedDraft<HedgeConfig.Builder>, T> setting(
      String name, Kind<T> kind, BiConsumer<HedgeConfig.Builder, T> setter, String description) {
    return Draft.<HedgeConfig.Builder, BudgetedDraft<HedgeConfig.Builder>, T>setting(
            name, kind, setter, description)
        .ours();
  }
}

package dev.recloser.config;

import static dev.recloser.config.Kind.COUNT;
import static dev.recloser.config.Kind.DURATION;
import static dev.recloser.config.Kind.NUMBER;
import static dev.recloser.config.Kind.PERCENT;
import static dev.recloser.config.Kind.SWITCH;

import dev.recloser.AdaptiveLimitConfig;
import dev.recloser.BulkheadConfig;
import dev.recloser.Classifier;
import dev.recloser.LimitAlgorithm;
import dev.recloser.config.Key.Setting;
import dev.recloser.config.Key.Unused;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/** The keys of a bulkhead. */
final class BulkheadKeys {
  private static final String ADAPTIVE = "adaptiveLimit";

  static final Keys<BulkheadConfig.Builder> ALL =
      Keys.of(
          setting(
                  "maxConcurrentCalls",
                  COUNT,
                  BulkheadConfig.Builder::maxConcurrentCalls,
                  "How many calls may run at once.")
              .alias("maxConcurrentCall"),
          setting(
                  "maxWaitDuration",
                  DURATION,
                  BulkheadConfig.Builder::maxWaitDuration,
                  "How long a call waits for a slot at most; 0 for not at all.")
              .alias("maxWaitTime"),
          setting(
                  "maxQueuedCalls",
                  COUNT,
                  BulkheadConfig.Builder::maxQueuedCalls,
                  "How many calls may wait at once.")
              .ours()
              .byDefault("maxConcurrentCalls")
              .judgedBy("maxWaitDuration"),
          setting(
                  "fairCallHandlingEnabled",
                  SWITCH,
                  BulkheadConfig.Builder::fairCallHandlingEnabled,
                  "Whether a call stands back behind those that wait.")
              .byDefault("true"),
          setting(
                  "writableStackTraceEnabled",
                  SWITCH,
                  BulkheadConfig.Builder::writableStackTraceEnabled,
                  "Whether a refusal's exception carries a stack trace.")
              .elsewhere("true by default"),
          setting(
                  "executor",
                  NamedObject.<Executor>of(Executor.class),
                  BulkheadConfig.Builder::executor,
                  "An Executor that starts stages which have waited.")
              .ours()
              .byDefault("the common pool"),
          setting(
                  "callExecutor",
                  NamedObject.<Executor>of(Executor.class),
                  BulkheadConfig.Builder::callExecutor,
                  "An Executor that runs the calls, rather than the calling threads.")
              .ours()
              .byDefault("none: calls stay on the calling threads"),
          setting(
                  ADAPTIVE,
                  SWITCH,
                  (builder, on) -> builder.adaptiveLimit(on ? limit -> {} : null),
                  "Whether the bulkhead finds its limit by itself; so does one with a key below.")
              .ours()
              .byDefault("false"),
          adaptive(
              "algorithm",
              Kind.oneOf(LimitAlgorithm.class),
              AdaptiveLimitConfig.Builder::algorithm,
              "How the limit is searched."),
          adaptive("minLimit", COUNT, AdaptiveLimitConfig.Builder::minLimit, "The least limit."),
          adaptive("maxLimit", COUNT, AdaptiveLimitConfig.Builder::maxLimit, "The highest limit."),
          adaptive(
                  "initialLimit",
                  COUNT,
                  AdaptiveLimitConfig.Builder::initialLimit,
                  "The limit at first; maxConcurrentCalls if not set.")
              .byDefault("maxConcurrentCalls")
              .judgedBy("maxConcurrentCalls", ADAPTIVE + ".minLimit", ADAPTIVE + ".maxLimit"),
          adaptive(
              "latencyTolerance",
              NUMBER,
              AdaptiveLimitConfig.Builder::latencyTolerance,
              "How many times as long as the least calls may take."),
          adaptive(
                  "maxLatency",
                  DURATION,
                  AdaptiveLimitConfig.Builder::maxLatency,
                  "How long calls may take in any case.")
              .byDefault("none"),
          adaptive(
                  "baselineLatency",
                  DURATION,
                  AdaptiveLimitConfig.Builder::baselineLatency,
                  "How long calls take without load, where that is not to be measured.")
              .byDefault("measured"),
          adaptive(
              "maxSlowSpellDuration",
              DURATION,
              AdaptiveLimitConfig.Builder::maxSlowSpellDuration,
              "How long a slow spell is not taken for normal."),
          adaptive(
              "failureRateThreshold",
              PERCENT,
              AdaptiveLimitConfig.Builder::failureRateThreshold,
              "The failure rate that lowers the limit."),
          adaptive(
              "backoffFactor",
              NUMBER,
              AdaptiveLimitConfig.Builder::backoffFactor,
              "What the limit is lowered by."),
          adaptive(
              "adjustmentInterval",
              DURATION,
              AdaptiveLimitConfig.Builder::adjustmentInterval,
              "How long the limit stays at least."),
          adaptive(
                  "classifier",
                  NamedObject.<Classifier>of(Classifier.class),
                  AdaptiveLimitConfig.Builder::classifier,
                  "A Classifier that says which calls failed.")
              .byDefault("none"),
          new Unused<>(
              "subscribeForEvents", "not set from here; register a listener on the bulkhead"),
          new Unused<>(
              "eventConsumerBufferSize", "not set from here; register a listener on the bulkhead"),
          new Unused<>("tags", "not set from here; tags belong to what makes the meters"));

  private BulkheadKeys() {}

  /** A key of the group about the limit that the bulkhead finds by itself. */
  private static <T> Setting<BulkheadConfig.Builder, T> adaptive(
      String name,
      Kind<T> kind,
      BiConsumer<AdaptiveLimitConfig.Builder, T> setter,
      String description) {
    return setting(
            ADAPTIVE + "." + name,
            kind,
            (builder, value) -> builder.adaptiveLimit(limit -> setter.accept(limit, value)),
            description)
        .unlessOff(ADAPTIVE)
        .ours();
  }

  private static <T> Setting<BulkheadConfig.Builder, T> setting(
      String name, Kind<T> kind, BiConsumer<BulkheadConfig.Builder, T> setter, String description) {
    return Setting.of(name, kind, setter, description);
  }
}

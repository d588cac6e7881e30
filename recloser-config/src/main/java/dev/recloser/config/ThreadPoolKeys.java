package dev.recloser.config;

import static dev.recloser.config.Kind.COUNT;
import static dev.recloser.config.Kind.DURATION;
import static dev.recloser.config.Kind.SWITCH;

import dev.recloser.config.Key.Setting;
import dev.recloser.config.Key.Unused;
import java.util.function.BiConsumer;

/** The keys of a bulkhead of threads. */
final class ThreadPoolKeys {
  static final Keys<ThreadPoolSettings.Builder> ALL =
      Keys.of(
          setting(
              "maxThreadPoolSize",
              COUNT,
              ThreadPoolSettings.Builder::maxThreadPoolSize,
              "How many threads there are at most."),
          setting(
                  "coreThreadPoolSize",
                  COUNT,
                  ThreadPoolSettings.Builder::coreThreadPoolSize,
                  "How many threads are kept.")
              .judgedBy("maxThreadPoolSize"),
          setting(
              "queueCapacity",
              COUNT,
              ThreadPoolSettings.Builder::queueCapacity,
              "How many calls may wait for a thread."),
          setting(
              "keepAliveDuration",
              DURATION,
              ThreadPoolSettings.Builder::keepAliveDuration,
              "How long a thread beyond those that are kept waits for work."),
          setting(
              "writableStackTraceEnabled",
              SWITCH,
              ThreadPoolSettings.Builder::writableStackTraceEnabled,
              "Whether a refusal's exception carries a stack trace."),
          new Unused<>(
              "contextPropagators", "not set from here; context is carried by what is set in code"),
          new Unused<>(
              "subscribeForEvents", "not set from here; register a listener on the bulkhead"),
          new Unused<>(
              "eventConsumerBufferSize", "not set from here; register a listener on the bulkhead"),
          new Unused<>("tags", "not set from here; tags belong to what makes the meters"));

  private ThreadPoolKeys() {}

  private static <T> Setting<ThreadPoolSettings.Builder, T> setting(
      String name,
      Kind<T> kind,
      BiConsumer<ThreadPoolSettings.Builder, T> setter,
      String description) {
    return Setting.of(name, kind, setter, description);
  }
}

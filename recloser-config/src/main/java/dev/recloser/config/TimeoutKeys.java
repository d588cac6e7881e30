package dev.recloser.config;

import static dev.recloser.config.Kind.DURATION;
import static dev.recloser.config.Kind.SWITCH;

import dev.recloser.TimeoutConfig;
import dev.recloser.config.Key.Setting;
import dev.recloser.config.Key.Unused;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/** The keys of a timeout. */
final class TimeoutKeys {
  static final Keys<TimeoutConfig.Builder> ALL =
      Keys.of(
          setting(
              "timeoutDuration",
              DURATION,
              TimeoutConfig.Builder::timeoutDuration,
              "How long a call may take."),
          setting(
                  "writableStackTraceEnabled",
                  SWITCH,
                  TimeoutConfig.Builder::writableStackTraceEnabled,
                  "Whether the exception carries a stack trace of its own.")
              .ours(),
          setting(
                  "executor",
                  NamedObject.<Executor>of(Executor.class),
                  TimeoutConfig.Builder::executor,
                  "An Executor that runs the calls, rather than the calling threads.")
              .ours()
              .byDefault("none: calls stay on the calling threads"),
          new Unused<>(
              "cancelRunningFuture", "not needed; a call that is timed out is always cancelled"),
          new Unused<>(
              "subscribeForEvents", "not set from here; register a listener on the timeout"),
          new Unused<>(
              "eventConsumerBufferSize", "not set from here; register a listener on the timeout"),
          new Unused<>("tags", "not set from here; tags belong to what makes the meters"));

  private TimeoutKeys() {}

  private static <T> Setting<TimeoutConfig.Builder, T> setting(
      String name, Kind<T> kind, BiConsumer<TimeoutConfig.Builder, T> setter, String description) {
    return Setting.of(name, kind, setter, description);
  }
}

package dev.recloser.config;

import static dev.recloser.config.Kind.COUNT;
import static dev.recloser.config.Kind.DURATION;
import static dev.recloser.config.Kind.SWITCH;

import dev.recloser.RateLimiterConfig;
import dev.recloser.config.Key.Setting;
import dev.recloser.config.Key.Unused;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/** The keys of a rate limiter. */
final class RateLimiterKeys {
  static final Keys<RateLimiterConfig.Builder> ALL =
      Keys.of(
          setting(
                  "limitForPeriod",
                  COUNT,
                  RateLimiterConfig.Builder::limitForPeriod,
                  "How many permits come in a period, evenly.")
              .elsewhere("all at the beginning of a period"),
          setting(
                  "limitRefreshPeriod",
                  DURATION,
                  RateLimiterConfig.Builder::limitRefreshPeriod,
                  "The period in which they come.")
              .alias("limitRefreshPeriodInMillis")
              .elsewhere("500 ns by default"),
          setting(
                  "maxBurst",
                  COUNT,
                  RateLimiterConfig.Builder::maxBurst,
                  "How many permits there are at most at once.")
              .ours()
              .byDefault("limitForPeriod")
              .judgedBy("limitForPeriod", "limitRefreshPeriod"),
          setting(
                  "permitsPerCall",
                  COUNT,
                  RateLimiterConfig.Builder::permitsPerCall,
                  "How many permits a call costs.")
              .ours()
              .judgedBy("limitForPeriod", "maxBurst"),
          setting(
                  "timeoutDuration",
                  DURATION,
                  RateLimiterConfig.Builder::timeoutDuration,
                  "The longest that a call waits for its permits; 0 for not at all.")
              .alias("timeoutInMillis"),
          setting(
                  "writableStackTraceEnabled",
                  SWITCH,
                  RateLimiterConfig.Builder::writableStackTraceEnabled,
                  "Whether a refusal's exception carries a stack trace.")
              .ours(),
          setting(
                  "executor",
                  NamedObject.<Executor>of(Executor.class),
                  RateLimiterConfig.Builder::executor,
                  "An Executor that starts stages which have waited.")
              .ours()
              .byDefault("the common pool, or the thread of a scheduler of one's own"),
          new Unused<>(
              "registerHealthIndicator",
              "not set from here; what shows the health decides which limiters it shows"),
          new Unused<>(
              "allowHealthIndicatorToFail",
              "not set from here; what shows the health decides what a busy limiter means"),
          new Unused<>(
              "subscribeForEvents", "not set from here; register a listener on the rate limiter"),
          new Unused<>(
              "eventConsumerBufferSize",
              "not set from here; register a listener on the rate limiter"),
          new Unused<>("tags", "not set from here; tags belong to what makes the meters"));

  private RateLimiterKeys() {}

  private static <T> Setting<RateLimiterConfig.Builder, T> setting(
      String name,
      Kind<T> kind,
      BiConsumer<RateLimiterConfig.Builder, T> setter,
      String description) {
    return Setting.of(name, kind, setter, description);
  }
}

package dev.recloser.microprofile;

import dev.recloser.BulkheadConfig;
import dev.recloser.CircuitBreakerConfig;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Settings of Recloser's that no annotation has a member for. They are configured where the members
 * of an annotation are, by the names that they have in Recloser, and without an annotation they are
 * as ignored as those.
 *
 * @param <B> what they are set on
 */
record OwnSettings<B>(List<Setting<B, ?>> all) {
  /** Of {@code @CircuitBreaker}. */
  static final OwnSettings<CircuitBreakerConfig.Builder> CIRCUIT_BREAKER =
      new OwnSettings<>(
          List.of(
              time(
                  "slowCallDurationThreshold",
                  CircuitBreakerConfig.Builder::slowCallDurationThreshold),
              number("slowCallRateThreshold", CircuitBreakerConfig.Builder::slowCallRateThreshold),
              yesOrNo(
                  "countSlowCallsInFlight", CircuitBreakerConfig.Builder::countSlowCallsInFlight),
              time("slidingWindowSize", CircuitBreakerConfig.Builder::slidingWindowSize),
              count("slidingWindowSlices", CircuitBreakerConfig.Builder::slidingWindowSlices),
              number(
                  "exponentialBackoffMultiplier",
                  CircuitBreakerConfig.Builder::exponentialBackoffMultiplier),
              time(
                  "exponentialMaxWaitDurationInOpenState",
                  CircuitBreakerConfig.Builder::exponentialMaxWaitDurationInOpenState),
              number("randomizedWaitFactor", CircuitBreakerConfig.Builder::randomizedWaitFactor),
              yesOrNo(
                  "automaticTransitionFromOpenToHalfOpenEnabled",
                  CircuitBreakerConfig.Builder::automaticTransitionFromOpenToHalfOpenEnabled),
              time(
                  "maxWaitDurationInHalfOpenState",
                  CircuitBreakerConfig.Builder::maxWaitDurationInHalfOpenState),
              time("maxProbeDuration", CircuitBreakerConfig.Builder::maxProbeDuration),
              time(
                  "probeSlowCallDurationThreshold",
                  CircuitBreakerConfig.Builder::probeSlowCallDurationThreshold),
              time("rampUpDuration", CircuitBreakerConfig.Builder::rampUpDuration),
              number(
                  "rampUpInitialPercentage",
                  CircuitBreakerConfig.Builder::rampUpInitialPercentage)));

  /** Of {@code @Bulkhead}. */
  static final OwnSettings<BulkheadConfig.Builder> BULKHEAD =
      new OwnSettings<>(
          List.of(
              time("maxWaitDuration", BulkheadConfig.Builder::maxWaitDuration),
              yesOrNo("fairCallHandlingEnabled", BulkheadConfig.Builder::fairCallHandlingEnabled)));

  /** Sets those that are configured. */
  void apply(Members<?> members, B builder) {
    all.forEach(setting -> setting.apply(members, builder));
  }

  private static <B> Setting<B, Duration> time(String name, BiConsumer<B, Duration> setter) {
    return new Setting<>(name, Duration.class, setter);
  }

  private static <B> Setting<B, Double> number(String name, BiConsumer<B, Double> setter) {
    return new Setting<>(name, Double.class, setter);
  }

  private static <B> Setting<B, Integer> count(String name, BiConsumer<B, Integer> setter) {
    return new Setting<>(name, Integer.class, setter);
  }

  private static <B> Setting<B, Boolean> yesOrNo(String name, BiConsumer<B, Boolean> setter) {
    return new Setting<>(name, Boolean.class, setter);
  }

  /** One of them. */
  record Setting<B, V>(String name, Class<V> type, BiConsumer<B, V> setter) {
    void apply(Members<?> members, B builder) {
      V value =
          type == Boolean.class ? type.cast(members.yesOrNo(name)) : members.configured(name, type);
      if (value != null) {
        setter.accept(builder, value);
      }
    }
  }
}

package dev.recloser.config;

import static dev.recloser.config.Kind.COUNT;
import static dev.recloser.config.Kind.DURATION;
import static dev.recloser.config.Kind.NUMBER;
import static dev.recloser.config.Kind.PERCENT;
import static dev.recloser.config.Kind.SWITCH;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Classifier;
import dev.recloser.HalfOpenRule;
import dev.recloser.Outcome;
import dev.recloser.SlidingWindowType;
import dev.recloser.config.Key.Setting;
import dev.recloser.config.Key.Unused;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The keys of a circuit breaker. */
final class BreakerKeys {
  /** What Resilience4j multiplies the wait by where only its switch is on. */
  private static final double SWITCHED_ON_MULTIPLIER = 1.5;

  /** How far Resilience4j spreads the wait where only its switch is on. */
  private static final double SWITCHED_ON_FACTOR = 0.5;

  static final Keys<CircuitBreakerConfig.Builder> ALL =
      Keys.of(
          setting(
                  "slidingWindowType",
                  Kind.oneOf(SlidingWindowType.class),
                  CircuitBreakerConfig.Builder::slidingWindowType,
                  "Whether the window holds the last calls or those of the last time.")
              .rule("S9"),
          setting(
                  "slidingWindowSize",
                  Kind.WINDOW_SIZE,
                  (builder, size) -> size.accept(builder),
                  "How many calls the window holds, or for how long; a bare number means seconds"
                      + " where the type is TIME_BASED.")
              .rule("S9")
              .elsewhere("whole seconds in a time window")
              .alias("ringBufferSizeInClosedState")
              .judgedBy("slidingWindowType"),
          setting(
                  "slidingWindowSlices",
                  COUNT,
                  CircuitBreakerConfig.Builder::slidingWindowSlices,
                  "In how many slices a time window forgets.")
              .rule("S9")
              .ours()
              .byDefault("10, of a time window")
              .judgedBy("slidingWindowType", "slidingWindowSize"),
          setting(
                  "minimumNumberOfCalls",
                  COUNT,
                  CircuitBreakerConfig.Builder::minimumNumberOfCalls,
                  "How many calls the window must hold before a rate is believed.")
              .rule("S6")
              .elsewhere("a larger one than the window is clamped")
              .byDefault("100, or the size of a smaller count window")
              .judgedBy("slidingWindowType", "slidingWindowSize"),
          setting(
                  "failureRateThreshold",
                  PERCENT,
                  CircuitBreakerConfig.Builder::failureRateThreshold,
                  "The failure rate that opens the breaker.")
              .rule("S6"),
          setting(
                  "slowCallDurationThreshold",
                  DURATION,
                  CircuitBreakerConfig.Builder::slowCallDurationThreshold,
                  "The time a call may take without being slow; 0 switches slow calls off.")
              .rule("S7"),
          setting(
                  "slowCallRateThreshold",
                  PERCENT,
                  CircuitBreakerConfig.Builder::slowCallRateThreshold,
                  "The slow-call rate that opens the breaker.")
              .rule("S7"),
          setting(
                  "countSlowCallsInFlight",
                  SWITCH,
                  CircuitBreakerConfig.Builder::countSlowCallsInFlight,
                  "Whether a call counts as slow the moment it passes the limit.")
              .rule("S8")
              .ours(),
          setting(
                  "waitDurationInOpenState",
                  DURATION,
                  CircuitBreakerConfig.Builder::waitDurationInOpenState,
                  "The base wait in the open state.")
              .alias("waitInterval", "waitDurationInOpenStateMillis")
              .rule("S10"),
          setting(
                  "enableExponentialBackoff",
                  SWITCH,
                  (builder, on) ->
                      builder.exponentialBackoffMultiplier(on ? SWITCHED_ON_MULTIPLIER : 1),
                  "Off: the wait does not grow. On: it grows by exponentialBackoffMultiplier, or by "
                      + SWITCHED_ON_MULTIPLIER
                      + ".")
              .rule("S11")
              .byDefault("not given"),
          setting(
                  "exponentialBackoffMultiplier",
                  NUMBER,
                  CircuitBreakerConfig.Builder::exponentialBackoffMultiplier,
                  "By how much the wait grows with each reopening.")
              .rule("S11")
              .elsewhere("only with enableExponentialBackoff")
              .unlessOff("enableExponentialBackoff"),
          setting(
                  "exponentialMaxWaitDurationInOpenState",
                  DURATION,
                  CircuitBreakerConfig.Builder::exponentialMaxWaitDurationInOpenState,
                  "The longest wait.")
              .rule("S11")
              .elsewhere("no longest wait unless given")
              .byDefault("10 times the base wait")
              .judgedBy("waitDurationInOpenState"),
          setting(
                  "enableRandomizedWait",
                  SWITCH,
                  (builder, on) -> builder.randomizedWaitFactor(on ? SWITCHED_ON_FACTOR : 0),
                  "Off: no jitter. On: jitter by randomizedWaitFactor, or by "
                      + SWITCHED_ON_FACTOR
                      + ".")
              .rule("S11")
              .byDefault("not given"),
          setting(
                  "randomizedWaitFactor",
                  NUMBER,
                  CircuitBreakerConfig.Builder::randomizedWaitFactor,
                  "The share, 0 to 1, by which the wait is shortened or lengthened at random.")
              .rule("S11")
              .elsewhere("only with enableRandomizedWait")
              .unlessOff("enableRandomizedWait"),
          setting(
                  "automaticTransitionFromOpenToHalfOpenEnabled",
                  SWITCH,
                  CircuitBreakerConfig.Builder::automaticTransitionFromOpenToHalfOpenEnabled,
                  "Whether a timer ends the open state, rather than the next call.")
              .rule("S10"),
          setting(
                  "permittedNumberOfCallsInHalfOpenState",
                  COUNT,
                  CircuitBreakerConfig.Builder::permittedNumberOfCallsInHalfOpenState,
                  "How many probes a half-open breaker admits.")
              .alias("ringBufferSizeInHalfOpenState")
              .rule("S13"),
          setting(
                  "halfOpenRule",
                  Kind.oneOf(HalfOpenRule.class),
                  CircuitBreakerConfig.Builder::halfOpenRule,
                  "How the probes decide.")
              .rule("S14")
              .ours(),
          setting(
                  "maxWaitDurationInHalfOpenState",
                  DURATION,
                  CircuitBreakerConfig.Builder::maxWaitDurationInHalfOpenState,
                  "After how long a half-open breaker without a verdict opens again; 0 for never.")
              .rule("S15"),
          setting(
                  "maxProbeDuration",
                  DURATION,
                  CircuitBreakerConfig.Builder::maxProbeDuration,
                  "How long a probe may take to report before it counts as failed.")
              .rule("S15")
              .ours()
              .byDefault("waitDurationInOpenState"),
          setting(
                  "probeSlowCallDurationThreshold",
                  DURATION,
                  CircuitBreakerConfig.Builder::probeSlowCallDurationThreshold,
                  "The time a probe may take without being slow.")
              .rule("S16")
              .ours()
              .byDefault("slowCallDurationThreshold"),
          setting(
                  "rampUpDuration",
                  DURATION,
                  CircuitBreakerConfig.Builder::rampUpDuration,
                  "How long it takes after closing until all calls are admitted.")
              .rule("S17")
              .ours(),
          setting(
                  "rampUpInitialPercentage",
                  PERCENT,
                  CircuitBreakerConfig.Builder::rampUpInitialPercentage,
                  "The share of the calls admitted right after closing.")
              .rule("S17")
              .ours(),
          setting(
                  "recordExceptions",
                  new ClassNames(),
                  CircuitBreakerConfig.Builder::recordExceptions,
                  "The exceptions that are failures.")
              .rule("S4")
              .byDefault("every Throwable"),
          setting(
                  "ignoreExceptions",
                  new ClassNames(),
                  CircuitBreakerConfig.Builder::ignoreExceptions,
                  "The exceptions that say nothing about the dependency.")
              .rule("S4"),
          setting(
                  "unlistedExceptions",
                  Kind.oneOf(List.of(Outcome.IGNORED, Outcome.SUCCESS, Outcome.FAILURE)),
                  CircuitBreakerConfig.Builder::unlistedExceptions,
                  "What an exception is that recordExceptions is set for but does not list.")
              .rule("S4")
              .elsewhere("none: they are successes"),
          setting(
                  "recordExceptionPredicate",
                  NamedObject.<Predicate<Throwable>>of(Predicate.class),
                  CircuitBreakerConfig.Builder::recordException,
                  "A Predicate that finds further exceptions that are failures.")
              .rule("S4")
              .elsewhere("recordFailurePredicate")
              .byDefault("none")
              .alias("recordFailurePredicate"),
          setting(
                  "ignoreExceptionPredicate",
                  NamedObject.<Predicate<Throwable>>of(Predicate.class),
                  CircuitBreakerConfig.Builder::ignoreException,
                  "A Predicate that finds further exceptions to ignore.")
              .rule("S4")
              .byDefault("none"),
          setting(
                  "recordResultPredicate",
                  NamedObject.<Predicate<@Nullable Object>>of(Predicate.class),
                  CircuitBreakerConfig.Builder::recordResult,
                  "A Predicate that finds the results that are failures.")
              .rule("S4")
              .byDefault("none"),
          setting(
                  "classifier",
                  NamedObject.<Classifier>of(Classifier.class),
                  CircuitBreakerConfig.Builder::classifier,
                  "A Classifier that says how calls ended; where it has no opinion, the rules above"
                      + " say it.")
              .rule("S3")
              .ours()
              .byDefault("none"),
          setting(
                  "waitIntervalFunctionInOpenState",
                  NamedObject.<IntFunction<Duration>>of(IntFunction.class),
                  CircuitBreakerConfig.Builder::waitIntervalFunctionInOpenState,
                  "An IntFunction from the number of the opening, from 1, to the wait, in place of"
                      + " exponentialBackoffMultiplier.")
              .rule("S11")
              .elsewhere("only in code")
              .byDefault("none"),
          setting(
                  "retryAfter",
                  NamedObject
                      .<BiFunction<@Nullable Object, @Nullable Throwable, @Nullable Duration>>of(
                          BiFunction.class),
                  CircuitBreakerConfig.Builder::retryAfter,
                  "A BiFunction from a result and what was thrown to the wait that the answer asks"
                      + " for.")
              .rule("S12")
              .ours()
              .byDefault("none"),
          setting(
                  "healthCheck",
                  NamedObject.<Supplier<? extends CompletionStage<?>>>of(Supplier.class),
                  CircuitBreakerConfig.Builder::healthCheck,
                  "A Supplier of a CompletionStage that probes in place of real calls.")
              .rule("S16")
              .ours()
              .byDefault("none"),
          setting(
                  "writableStackTraceEnabled",
                  SWITCH,
                  CircuitBreakerConfig.Builder::writableStackTraceEnabled,
                  "Whether a refusal's exception carries a stack trace.")
              .rule("S22")
              .elsewhere("true by default"),
          new Unused<>(
              "slidingWindowSynchronizationStrategy",
              "not needed; the window is right for any number of threads"),
          new Unused<>(
              "ignoreExceptionsPrecedenceEnabled", "not needed; ignoreExceptions always wins"),
          new Unused<>(
              "ignoreClassBindingExceptions",
              "not needed; the classes in the lists of exceptions need not be there"),
          new Unused<>(
              "initialState",
              "not set from here; call transitionTo on the breaker once it is made"),
          new Unused<>(
              "transitionToStateAfterWaitDuration",
              "not needed; after maxWaitDurationInHalfOpenState the breaker always opens"),
          new Unused<>(
              "registerHealthIndicator",
              "not set from here; what shows the health decides which breakers it shows"),
          new Unused<>(
              "allowHealthIndicatorToFail",
              "not set from here; what shows the health decides what an open breaker means"),
          new Unused<>(
              "subscribeForEvents", "not set from here; register a listener on the breaker"),
          new Unused<>(
              "eventConsumerBufferSize",
              "not needed; the breaker keeps its last transitions by itself"),
          new Unused<>("tags", "not set from here; tags belong to what makes the meters"));

  private BreakerKeys() {}

  private static <T> Setting<CircuitBreakerConfig.Builder, T> setting(
      String name,
      Kind<T> kind,
      BiConsumer<CircuitBreakerConfig.Builder, T> setter,
      String description) {
    return Setting.of(name, kind, setter, description);
  }
}

package dev.recloser.config;

import static dev.recloser.config.Kind.COUNT;
import static dev.recloser.config.Kind.DURATION;
import static dev.recloser.config.Kind.NUMBER;
import static dev.recloser.config.Kind.SWITCH;

import dev.recloser.Classifier;
import dev.recloser.Jitter;
import dev.recloser.RetryConfig;
import dev.recloser.config.Key.Setting;
import dev.recloser.config.Key.Unused;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The keys of a retry. */
final class RetryKeys {
  /** What Resilience4j multiplies the wait by where only its switch is on. */
  private static final double SWITCHED_ON_MULTIPLIER = 1.5;

  /** From here on a factor is nearer to a jitter down to zero than to one down to half the wait. */
  private static final double NEARER_TO_FULL = 0.75;

  static final Keys<BudgetedDraft<RetryConfig.Builder>> ALL =
      Keys.of(
          setting(
                  "maxAttempts",
                  COUNT,
                  RetryConfig.Builder::maxAttempts,
                  "How often a call is made at most, the first time included.")
              .alias("maxRetryAttempts"),
          setting(
                  "waitDuration",
                  DURATION,
                  RetryConfig.Builder::waitDuration,
                  "The base wait before the second attempt.")
              .elsewhere("does not grow unless told to"),
          setting(
                  "enableExponentialBackoff",
                  SWITCH,
                  (builder, on) ->
                      builder.exponentialBackoffMultiplier(on ? SWITCHED_ON_MULTIPLIER : 1),
                  "Off: the wait does not grow. On: it grows by exponentialBackoffMultiplier, or by "
                      + SWITCHED_ON_MULTIPLIER
                      + ".")
              .byDefault("not given"),
          setting(
                  "exponentialBackoffMultiplier",
                  NUMBER,
                  RetryConfig.Builder::exponentialBackoffMultiplier,
                  "By how much the wait grows with each attempt.")
              .elsewhere("only with enableExponentialBackoff")
              .unlessOff("enableExponentialBackoff"),
          setting(
                  "maxWaitDuration",
                  DURATION,
                  RetryConfig.Builder::maxWaitDuration,
                  "The longest wait.")
              .elsewhere("exponentialMaxWaitDuration")
              .byDefault("10 times the base wait")
              .alias("exponentialMaxWaitDuration")
              .judgedBy("waitDuration"),
          setting(
                  "enableRandomizedWait",
                  SWITCH,
                  (builder, on) -> builder.jitter(on ? Jitter.EQUAL : Jitter.NONE),
                  "Off: no jitter. On: jitter by randomizedWaitFactor, or EQUAL.")
              .byDefault("not given")
              .remarkedOn(on -> on ? remark(Jitter.EQUAL) : null),
          setting(
                  "randomizedWaitFactor",
                  Kind.SHARE,
                  (builder, factor) -> builder.jitter(jitterOf(factor)),
                  "The share, 0 to 1, by which Resilience4j spreads the wait: 0 is NONE, less than "
                      + NEARER_TO_FULL
                      + " is EQUAL, and more FULL.")
              .elsewhere("to both sides of the wait")
              .byDefault("not given")
              .unlessOff("enableRandomizedWait")
              .remarkedOn(factor -> factor == 0 ? null : remark(jitterOf(factor))),
          setting(
                  "jitter",
                  Kind.oneOf(Jitter.class),
                  RetryConfig.Builder::jitter,
                  "How the wait is spread.")
              .ours()
              .unlessOff("enableRandomizedWait"),
          setting(
                  "maxElapsedTime",
                  DURATION,
                  RetryConfig.Builder::maxElapsedTime,
                  "After how long no further attempt is begun; 0 for no limit.")
              .ours(),
          setting(
                  "waitForCircuitBreaker",
                  SWITCH,
                  RetryConfig.Builder::waitForCircuitBreaker,
                  "Whether a refusal by an open breaker is waited for.")
              .ours()
              .judgedBy("maxElapsedTime"),
          setting(
                  "retryRefusals",
                  SWITCH,
                  RetryConfig.Builder::retryRefusals,
                  "Whether a refusal by an open breaker is judged like anything that is thrown.")
              .ours()
              .judgedBy("waitForCircuitBreaker"),
          setting(
                  "retryExceptions",
                  new ClassNames(),
                  RetryConfig.Builder::retryExceptions,
                  "The exceptions that are retried.")
              .byDefault("every Throwable"),
          setting(
              "ignoreExceptions",
              new ClassNames(),
              RetryConfig.Builder::ignoreExceptions,
              "The exceptions that are not retried."),
          setting(
                  "retryExceptionPredicate",
                  NamedObject.<Predicate<Throwable>>of(Predicate.class),
                  RetryConfig.Builder::retryOnException,
                  "A Predicate that finds further exceptions to retry.")
              .byDefault("none"),
          setting(
                  "resultPredicate",
                  NamedObject.<Predicate<@Nullable Object>>of(Predicate.class),
                  RetryConfig.Builder::retryOnResult,
                  "A Predicate that finds the results to retry.")
              .byDefault("none"),
          setting(
                  "classifier",
                  NamedObject.<Classifier>of(Classifier.class),
                  RetryConfig.Builder::classifier,
                  "A Classifier that says how calls ended; failures are retried.")
              .ours()
              .byDefault("none"),
          setting(
                  "intervalFunction",
                  NamedObject.<IntFunction<Duration>>of(IntFunction.class),
                  RetryConfig.Builder::intervalFunction,
                  "An IntFunction from the number of the failed attempt to the wait after it, in"
                      + " place of waitDuration and its growth.")
              .elsewhere("intervalBiFunction")
              .byDefault("none"),
          setting(
                  "retryAfter",
                  NamedObject
                      .<BiFunction<@Nullable Object, @Nullable Throwable, @Nullable Duration>>of(
                          BiFunction.class),
                  RetryConfig.Builder::retryAfter,
                  "A BiFunction from a result and what was thrown to the wait that the answer asks"
                      + " for.")
              .ours()
              .byDefault("none"),
          BudgetKeys.percentage("retries"),
          BudgetKeys.minimumPerSecond("retries"),
          BudgetKeys.shared(RetryConfig.Builder::budget),
          setting(
                  "executor",
                  NamedObject.<Executor>of(Executor.class),
                  RetryConfig.Builder::executor,
                  "An Executor that starts further attempts of stages.")
              .ours()
              .byDefault("the common pool, or the thread of a scheduler of one's own"),
          new Unused<>(
              "failAfterMaxAttempts",
              "not set from here; a last result that is a failure is what the caller gets"),
          new Unused<>(
              "intervalBiFunction",
              "not the same here; name an intervalFunction, or a retryAfter that sees the result"),
          new Unused<>(
              "consumeResultBeforeRetryAttempt",
              "not set from here; register a listener on the retry"),
          new Unused<>(
              "ignoreClassBindingExceptions",
              "not needed; the classes in the lists of exceptions need not be there"),
          new Unused<>("subscribeForEvents", "not set from here; register a listener on the retry"),
          new Unused<>(
              "eventConsumerBufferSize", "not set from here; register a listener on the retry"),
          new Unused<>("tags", "not set from here; tags belong to what makes the meters"));

  private RetryKeys() {}

  private static Jitter jitterOf(double factor) {
    return factor == 0 ? Jitter.NONE : factor < NEARER_TO_FULL ? Jitter.EQUAL : Jitter.FULL;
  }

  /** Resilience4j spreads to both sides of the wait; here it is what no wait exceeds. */
  private static String remark(Jitter jitter) {
    String least = jitter == Jitter.FULL ? "zero" : "half the wait";
    return "taken for jitter "
        + jitter
        + ", from "
        + least
        + " to the wait; no wait is lengthened at random";
  }

  private static <T> Setting<BudgetedDraft<RetryConfig.Builder>, T> setting(
      String name, Kind<T> kind, BiConsumer<RetryConfig.Builder, T> setter, String description) {
    return Draft.setting(name, kind, setter, description);
  }
}

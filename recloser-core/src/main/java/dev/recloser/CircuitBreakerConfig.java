package dev.recloser;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a circuit breaker. Immutable; made by {@link #of} or from another one by {@link
 * #with}.
 *
 * <p>Names and defaults are Resilience4j's where it has the setting and the default is sensible;
 * each setter of {@link Builder} says what happens when it is not called. Wrong or contradictory
 * settings fail when the configuration is made, all of them in one {@link
 * InvalidConfigurationException}. Nothing is clamped.
 *
 * <p>Two configurations are equal when all their settings are; functions are compared by identity.
 */
public final class CircuitBreakerConfig extends PolicyConfig {
  /** Default of {@code slidingWindowSize}: calls of a count window, seconds of a time window. */
  public static final int DEFAULT_SLIDING_WINDOW_SIZE = 100;

  /** Default of {@code slidingWindowSlices}: {@value}. */
  public static final int DEFAULT_SLIDING_WINDOW_SLICES = 10;

  /**
   * Default of {@code minimumNumberOfCalls}: {@value}, or the size of a smaller count window where
   * none was set.
   */
  public static final int DEFAULT_MINIMUM_NUMBER_OF_CALLS = 100;

  /** Default of {@code failureRateThreshold}: {@value} %. */
  public static final double DEFAULT_FAILURE_RATE_THRESHOLD = 50;

  /** Default of {@code slowCallRateThreshold}: {@value} %. */
  public static final double DEFAULT_SLOW_CALL_RATE_THRESHOLD = 100;

  /** Default of {@code slowCallDurationThreshold}: 60 s. */
  public static final Duration DEFAULT_SLOW_CALL_DURATION_THRESHOLD = Duration.ofSeconds(60);

  /** Default of {@code waitDurationInOpenState}: 60 s. */
  public static final Duration DEFAULT_WAIT_DURATION_IN_OPEN_STATE = Duration.ofSeconds(60);

  /** Default of {@code exponentialMaxWaitDurationInOpenState}: {@value} times the base wait. */
  public static final int DEFAULT_MAX_WAIT_FACTOR = 10;

  /** Default of {@code permittedNumberOfCallsInHalfOpenState}: {@value}. */
  public static final int DEFAULT_PERMITTED_NUMBER_OF_CALLS_IN_HALF_OPEN_STATE = 10;

  /** Default of {@code rampUpInitialPercentage}: {@value} %. */
  public static final double DEFAULT_RAMP_UP_INITIAL_PERCENTAGE = 10;

  private static final Duration MIN_TIME_WINDOW = Duration.ofMillis(10);
  private static final int MAX_COUNT_WINDOW = 10_000_000;
  private static final int MAX_SLICES = 1_000;

  // After the constants, which its checks use.
  private static final CircuitBreakerConfig DEFAULTS = new Builder().build();

  private final Builder source;

  // What the states use, in the units they use it in.
  final boolean timeBased;
  final int windowCalls;
  final long sliceNanos;
  final int slices;
  final int minimumCalls;
  final Threshold failureRate;
  final Threshold slowCallRate;
  final long slowCallNanos;
  final boolean countInFlight;
  final long waitNanos;
  final double backoffMultiplier;
  final long maxWaitNanos;
  final int probes;
  final long maxHalfOpenNanos;
  final long leaseNanos;
  final long probeSlowCallNanos;
  final long rampUpNanos;
  final Ticker ticker;
  final @Nullable Scheduler scheduler;
  final Classifier classifier;

  /** Whether a result may be anything but a success. */
  final boolean judgesResults;

  private final ExceptionRules rules;

  private CircuitBreakerConfig(Builder source) {
    this.source = source;
    timeBased = source.isTimeBased();
    slices = timeBased ? source.slidingWindowSlices : 0;
    sliceNanos = timeBased ? (source.windowDuration().toNanos() + slices - 1) / slices : 0;
    windowCalls = timeBased ? 0 : source.windowCalls();
    minimumCalls = source.minimumCalls();
    failureRate = Threshold.of(source.failureRateThreshold);
    slowCallRate = Threshold.of(source.slowCallRateThreshold);
    slowCallNanos = source.slowCallDurationThreshold.toNanos();
    countInFlight = source.countSlowCallsInFlight && slowCallNanos > 0;
    waitNanos = source.waitDurationInOpenState.toNanos();
    backoffMultiplier = source.exponentialBackoffMultiplier;
    maxWaitNanos = source.maxWait().toNanos();
    probes = source.permittedNumberOfCallsInHalfOpenState;
    maxHalfOpenNanos = source.maxWaitDurationInHalfOpenState.toNanos();
    leaseNanos = source.maxProbe().toNanos();
    probeSlowCallNanos = source.probeSlow().toNanos();
    rampUpNanos = source.rampUpDuration.toNanos();
    ticker = source.ticker;
    scheduler =
        source.scheduler == null && source.automaticTransitionFromOpenToHalfOpenEnabled
            ? Scheduler.system()
            : source.scheduler;
    rules = source.rules();
    classifier = source.classifier == null ? rules : source.classifier.orElse(rules);
    judgesResults = source.classifier != null || source.recordResult != null;
  }

  /** Returns the configuration in which nothing was set. */
  public static CircuitBreakerConfig defaults() {
    return DEFAULTS;
  }

  /**
   * Makes a configuration.
   *
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong or contradict each other; lists
   *     them all
   */
  public static CircuitBreakerConfig of(Consumer<? super Builder> settings) {
    return DEFAULTS.with(settings);
  }

  /**
   * Makes a configuration from this one. What was never set stays unset, and so follows what it
   * defaults to: the minimum of calls follows a smaller window, for example.
   *
   * @param settings sets what shall differ
   * @throws InvalidConfigurationException when settings are wrong or contradict each other; lists
   *     them all
   */
  public CircuitBreakerConfig with(Consumer<? super Builder> settings) {
    Builder builder = source.copy();
    settings.accept(builder);
    return builder.build();
  }

  /** What the window holds. */
  public SlidingWindowType slidingWindowType() {
    return timeBased ? SlidingWindowType.TIME_BASED : SlidingWindowType.COUNT_BASED;
  }

  /** The size of a count window in calls, 0 for a time window. */
  public int slidingWindowCalls() {
    return windowCalls;
  }

  /** The length of a time window, zero for a count window. */
  public Duration slidingWindowDuration() {
    return timeBased ? source.windowDuration() : Duration.ZERO;
  }

  /** How many slices a time window has, 0 for a count window. */
  public int slidingWindowSlices() {
    return slices;
  }

  /** How many calls it takes before a rate is believed. */
  public int minimumNumberOfCalls() {
    return minimumCalls;
  }

  /** The failure rate in percent that opens the breaker. */
  public double failureRateThreshold() {
    return failureRate.percent();
  }

  /** The slow-call rate in percent that opens the breaker. */
  public double slowCallRateThreshold() {
    return slowCallRate.percent();
  }

  /** The longest time a call may take without being slow; zero when slow calls are not tracked. */
  public Duration slowCallDurationThreshold() {
    return source.slowCallDurationThreshold;
  }

  /** Whether calls still running past the limit count as slow. */
  public boolean countSlowCallsInFlight() {
    return countInFlight;
  }

  /** The base wait in the open state. */
  public Duration waitDurationInOpenState() {
    return source.waitDurationInOpenState;
  }

  /** By how much the wait grows from one opening to the next; 1 when it does not. */
  public double exponentialBackoffMultiplier() {
    return backoffMultiplier;
  }

  /** The longest wait that can come about, by whatever means. */
  public Duration exponentialMaxWaitDurationInOpenState() {
    return source.maxWait();
  }

  /** The share of the wait, 0 to 1, by which it is shortened or lengthened at random. */
  public double randomizedWaitFactor() {
    return source.randomizedWaitFactor;
  }

  /** Whether a timer ends the open state, rather than the next call. */
  public boolean automaticTransitionFromOpenToHalfOpenEnabled() {
    return source.automaticTransitionFromOpenToHalfOpenEnabled;
  }

  /** How many probes a half-open breaker admits. */
  public int permittedNumberOfCallsInHalfOpenState() {
    return probes;
  }

  /** How the probes decide. */
  public HalfOpenRule halfOpenRule() {
    return source.halfOpenRule;
  }

  /** The longest time in the half-open state; zero for no limit of its own. */
  public Duration maxWaitDurationInHalfOpenState() {
    return source.maxWaitDurationInHalfOpenState;
  }

  /** The lease: how long a probe may take to report. */
  public Duration maxProbeDuration() {
    return source.maxProbe();
  }

  /** The longest time a probe may take without being slow; zero when that is not tracked. */
  public Duration probeSlowCallDurationThreshold() {
    return source.probeSlow();
  }

  /** How long it takes after closing until all calls are admitted; zero for at once. */
  public Duration rampUpDuration() {
    return source.rampUpDuration;
  }

  /** The share of calls in percent that is admitted right after closing. */
  public double rampUpInitialPercentage() {
    return source.rampUpInitialPercentage;
  }

  /** The names of the exception types that are failures; empty for all. */
  public Set<String> recordExceptions() {
    return source.recordExceptions;
  }

  /** The names of the exception types that are ignored. */
  public Set<String> ignoreExceptions() {
    return source.ignoreExceptions;
  }

  /** What an exception is that {@code recordExceptions} is set but does not list. */
  public Outcome unlistedExceptions() {
    return source.unlistedExceptions;
  }

  /** Whether a refusal's exception carries a stack trace. */
  public boolean writableStackTraceEnabled() {
    return source.writableStackTraceEnabled;
  }

  /**
   * The complete classifier: the one that was set, the lists and predicates, the defaults. It
   * always has an opinion.
   */
  public Classifier classifier() {
    return classifier;
  }

  /**
   * Classifies an exception of which only the class name is known, by the lists alone. Where the
   * class can be found its superclasses and interfaces count, else its name alone.
   *
   * @param className a fully qualified class name
   */
  public Outcome outcomeOfException(String className) {
    return rules.ofTypeNamed(className);
  }

  /** The ticker all times are read from. */
  public Ticker ticker() {
    return ticker;
  }

  /** The scheduler of timers, null when everything waits for the next call. */
  public @Nullable Scheduler scheduler() {
    return scheduler;
  }

  /**
   * All settings with their effective values, by name, in a fixed order. Functions that are not set
   * are left out. For printing and comparing; the values are immutable.
   */
  @Override
  public Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("slidingWindowType", slidingWindowType());
    all.put("slidingWindowSize", timeBased ? source.windowDuration() : (Object) windowCalls);
    if (timeBased) {
      all.put("slidingWindowSlices", slices);
    }
    all.put("minimumNumberOfCalls", minimumCalls);
    all.put("failureRateThreshold", failureRateThreshold());
    all.put("slowCallDurationThreshold", slowCallDurationThreshold());
    all.put("slowCallRateThreshold", slowCallRateThreshold());
    all.put("countSlowCallsInFlight", countInFlight);
    all.put("waitDurationInOpenState", waitDurationInOpenState());
    all.put("exponentialBackoffMultiplier", backoffMultiplier);
    all.put("exponentialMaxWaitDurationInOpenState", source.maxWait());
    all.put("randomizedWaitFactor", randomizedWaitFactor());
    all.put(
        "automaticTransitionFromOpenToHalfOpenEnabled",
        automaticTransitionFromOpenToHalfOpenEnabled());
    all.put("permittedNumberOfCallsInHalfOpenState", probes);
    all.put("halfOpenRule", halfOpenRule());
    all.put("maxWaitDurationInHalfOpenState", maxWaitDurationInHalfOpenState());
    all.put("maxProbeDuration", maxProbeDuration());
    all.put("probeSlowCallDurationThreshold", probeSlowCallDurationThreshold());
    all.put("rampUpDuration", rampUpDuration());
    all.put("rampUpInitialPercentage", rampUpInitialPercentage());
    all.put("recordExceptions", recordExceptions());
    all.put("ignoreExceptions", ignoreExceptions());
    all.put("unlistedExceptions", unlistedExceptions());
    all.put("writableStackTraceEnabled", writableStackTraceEnabled());
    putIfSet(all, "classifier", source.classifier);
    putIfSet(all, "recordException", source.recordExceptionIf);
    putIfSet(all, "ignoreException", source.ignoreExceptionIf);
    putIfSet(all, "recordResult", source.recordResult);
    putIfSet(all, "retryAfter", source.retryAfter);
    putIfSet(all, "waitIntervalFunctionInOpenState", source.waitFunction);
    putIfSet(all, "healthCheck", source.healthCheck);
    putIfSet(all, "random", source.random);
    all.put("ticker", ticker);
    putIfSet(all, "scheduler", scheduler);
    return Collections.unmodifiableMap(all);
  }

  boolean halfOpenByAllSucceed() {
    return source.halfOpenRule == HalfOpenRule.ALL_SUCCEED;
  }

  @Nullable IntFunction<Duration> waitFunction() {
    return source.waitFunction;
  }

  @Nullable Supplier<? extends CompletionStage<?>> healthCheck() {
    return source.healthCheck;
  }

  @Nullable BiFunction<@Nullable Object, @Nullable Throwable, @Nullable Duration> retryAfter() {
    return source.retryAfter;
  }

  /** A number from 0 to 1 for the jitter. */
  double random() {
    if (source.random == null) {
      return ThreadLocalRandom.current().nextDouble();
    }
    double random = source.random.getAsDouble();
    if (random >= 0 && random <= 1) {
      return random;
    }
    throw new IllegalArgumentException("random returned " + random + " (expected: 0 to 1)");
  }

  /**
   * Sets what a configuration shall differ in. A later call of the same setter replaces an earlier
   * one. Where a setting may be null, that takes it back to its default; elsewhere null is a {@code
   * NullPointerException} at once. Any other fault is found when the configuration is made. Not
   * thread-safe, and of no use once the configuration is made.
   */
  public static final class Builder implements Cloneable {
    private @Nullable SlidingWindowType slidingWindowType;
    private @Nullable Integer sizeInCalls;
    private @Nullable Duration sizeInTime;
    private int slidingWindowSlices = DEFAULT_SLIDING_WINDOW_SLICES;
    private @Nullable Integer minimumNumberOfCalls;
    private double failureRateThreshold = DEFAULT_FAILURE_RATE_THRESHOLD;
    private double slowCallRateThreshold = DEFAULT_SLOW_CALL_RATE_THRESHOLD;
    private Duration slowCallDurationThreshold = DEFAULT_SLOW_CALL_DURATION_THRESHOLD;
    private boolean countSlowCallsInFlight = true;
    private Duration waitDurationInOpenState = DEFAULT_WAIT_DURATION_IN_OPEN_STATE;
    private double exponentialBackoffMultiplier = 1;
    private @Nullable Duration exponentialMaxWait;
    private double randomizedWaitFactor;
    private @Nullable IntFunction<Duration> waitFunction;
    private boolean automaticTransitionFromOpenToHalfOpenEnabled;
    private int permittedNumberOfCallsInHalfOpenState =
        DEFAULT_PERMITTED_NUMBER_OF_CALLS_IN_HALF_OPEN_STATE;
    private HalfOpenRule halfOpenRule = HalfOpenRule.RATE;
    private Duration maxWaitDurationInHalfOpenState = Duration.ZERO;
    private @Nullable Duration maxProbeDuration;
    private @Nullable Duration probeSlowCallDurationThreshold;
    private @Nullable Supplier<? extends CompletionStage<?>> healthCheck;
    private Duration rampUpDuration = Duration.ZERO;
    private double rampUpInitialPercentage = DEFAULT_RAMP_UP_INITIAL_PERCENTAGE;
    private Set<String> recordExceptions = Set.of();
    private Set<String> ignoreExceptions = Set.of();
    private Outcome unlistedExceptions = Outcome.IGNORED;
    private @Nullable Predicate<? super Throwable> recordExceptionIf;
    private @Nullable Predicate<? super Throwable> ignoreExceptionIf;
    private @Nullable Predicate<@Nullable Object> recordResult;
    private @Nullable Classifier classifier;
    private @Nullable BiFunction<@Nullable Object, @Nullable Throwable, @Nullable Duration>
        retryAfter;
    private boolean writableStackTraceEnabled;
    private Ticker ticker = Ticker.system();
    private @Nullable Scheduler scheduler;
    private @Nullable DoubleSupplier random;

    private Builder() {}

    private Builder copy() {
      try {
        return (Builder) clone(); // All values are immutable or functions.
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }

    /**
     * Sets what the window holds. Default: what the first {@code slidingWindowSize} says, a count
     * window for a number and a time window for a duration; {@code COUNT_BASED} if that is not set
     * either. A type that was set so stays: after a duration, a number means seconds.
     */
    public Builder slidingWindowType(SlidingWindowType type) {
      slidingWindowType = Objects.requireNonNull(type, "slidingWindowType");
      return this;
    }

    /**
     * Sets the size of the window: that many calls, or seconds where the type is {@code
     * TIME_BASED}. Default: {@value #DEFAULT_SLIDING_WINDOW_SIZE}.
     *
     * @param size 1 to 10,000,000 calls
     */
    public Builder slidingWindowSize(int size) {
      sizeInCalls = size;
      sizeInTime = null;
      return this;
    }

    /**
     * Sets the length of a time window, and so its type if none was set.
     *
     * @param size at least 10 ms
     */
    public Builder slidingWindowSize(Duration size) {
      sizeInTime = Objects.requireNonNull(size, "slidingWindowSize");
      sizeInCalls = null;
      slidingWindowType =
          slidingWindowType == null ? SlidingWindowType.TIME_BASED : slidingWindowType;
      return this;
    }

    /**
     * Sets in how many slices a time window forgets: the oldest slice goes as a whole. Without
     * effect on a count window. Default: {@value #DEFAULT_SLIDING_WINDOW_SLICES}.
     *
     * @param slices 1 to 1,000, each at least 1 ms long
     */
    public Builder slidingWindowSlices(int slices) {
      slidingWindowSlices = slices;
      return this;
    }

    /**
     * Sets how many calls the window must hold before a rate is believed. Default: {@value
     * #DEFAULT_MINIMUM_NUMBER_OF_CALLS}, or the size of a smaller count window.
     *
     * @param calls at least 1, and at most the size of a count window
     */
    public Builder minimumNumberOfCalls(int calls) {
      minimumNumberOfCalls = calls;
      return this;
    }

    /**
     * Sets the failure rate that opens the breaker when it is reached, compared exactly. Default:
     * {@value #DEFAULT_FAILURE_RATE_THRESHOLD}.
     *
     * @param percent above 0, at most 100, at most six decimals
     */
    public Builder failureRateThreshold(double percent) {
      failureRateThreshold = percent;
      return this;
    }

    /**
     * Sets the slow-call rate that opens the breaker when it is reached, compared exactly. Default:
     * {@value #DEFAULT_SLOW_CALL_RATE_THRESHOLD}.
     *
     * @param percent above 0, at most 100, at most six decimals
     */
    public Builder slowCallRateThreshold(double percent) {
      slowCallRateThreshold = percent;
      return this;
    }

    /**
     * Sets the time that a call may take without being slow; one that takes longer is. Default: 60
     * s. Zero switches slow calls off, and with a count window the clock is then not read.
     *
     * @param limit zero or more
     */
    public Builder slowCallDurationThreshold(Duration limit) {
      slowCallDurationThreshold = Objects.requireNonNull(limit, "slowCallDurationThreshold");
      return this;
    }

    /**
     * Sets whether a call counts as slow the moment it passes the limit, rather than when it ends.
     * Default: true.
     */
    public Builder countSlowCallsInFlight(boolean enabled) {
      countSlowCallsInFlight = enabled;
      return this;
    }

    /**
     * Sets the base wait in the open state. Default: 60 s.
     *
     * @param wait more than zero
     */
    public Builder waitDurationInOpenState(Duration wait) {
      waitDurationInOpenState = Objects.requireNonNull(wait, "waitDurationInOpenState");
      return this;
    }

    /**
     * Lets the wait grow by this factor with each reopening, until the breaker has stayed closed
     * for the base wait. Default: 1, the wait does not grow.
     *
     * @param multiplier 1 to 1,000,000
     */
    public Builder exponentialBackoffMultiplier(double multiplier) {
      exponentialBackoffMultiplier = multiplier;
      return this;
    }

    /**
     * Sets the longest wait that can come about, whether by growth, jitter, function or {@code
     * Retry-After}. Default: {@value #DEFAULT_MAX_WAIT_FACTOR} times the base wait.
     *
     * @param wait at least the base wait
     */
    public Builder exponentialMaxWaitDurationInOpenState(@Nullable Duration wait) {
      exponentialMaxWait = wait;
      return this;
    }

    /**
     * Spreads the wait: it is drawn evenly from {@code wait * (1 - factor)} to {@code wait * (1 +
     * factor)}, or to the longest wait if that is less. Default: 0, no jitter.
     *
     * @param factor 0 to 1
     */
    public Builder randomizedWaitFactor(double factor) {
      randomizedWaitFactor = factor;
      return this;
    }

    /**
     * Computes the wait from the number of the opening: 1 for the first, one more for each
     * reopening. In place of {@code exponentialBackoffMultiplier}; longest wait and jitter apply. A
     * function that throws, or gives null or a negative time, means the base wait and is reported
     * to the listeners. Default: none.
     */
    public Builder waitIntervalFunctionInOpenState(@Nullable IntFunction<Duration> function) {
      waitFunction = function;
      return this;
    }

    /**
     * Sets whether a timer makes an open breaker half-open when the wait is over, rather than the
     * next call. Default: false.
     */
    public Builder automaticTransitionFromOpenToHalfOpenEnabled(boolean enabled) {
      automaticTransitionFromOpenToHalfOpenEnabled = enabled;
      return this;
    }

    /**
     * Sets how many probes a half-open breaker admits in all. Default: {@value
     * #DEFAULT_PERMITTED_NUMBER_OF_CALLS_IN_HALF_OPEN_STATE}.
     *
     * @param calls at least 1
     */
    public Builder permittedNumberOfCallsInHalfOpenState(int calls) {
      permittedNumberOfCallsInHalfOpenState = calls;
      return this;
    }

    /** Sets how the probes decide. Default: {@link HalfOpenRule#RATE}. */
    public Builder halfOpenRule(HalfOpenRule rule) {
      halfOpenRule = Objects.requireNonNull(rule, "halfOpenRule");
      return this;
    }

    /**
     * Sets after how long a half-open breaker without a verdict opens again. Default: zero, no such
     * limit; the lease of its probes is one.
     *
     * @param limit zero or more
     */
    public Builder maxWaitDurationInHalfOpenState(Duration limit) {
      maxWaitDurationInHalfOpenState =
          Objects.requireNonNull(limit, "maxWaitDurationInHalfOpenState");
      return this;
    }

    /**
     * Sets the lease of a probe: one that has not reported by then counts as failed and slow.
     * Default: {@code waitDurationInOpenState}.
     *
     * @param lease more than zero
     */
    public Builder maxProbeDuration(@Nullable Duration lease) {
      maxProbeDuration = lease;
      return this;
    }

    /**
     * Sets the time that a probe may take without being slow. Default: {@code
     * slowCallDurationThreshold}.
     *
     * @param limit zero, for probes that are never slow, or more
     */
    public Builder probeSlowCallDurationThreshold(@Nullable Duration limit) {
      probeSlowCallDurationThreshold = limit;
      return this;
    }

    /**
     * Probes with this check instead of real calls, which a half-open breaker then refuses. The
     * check runs as often as there are probes, one after the other, and is classified like a call.
     * It is started on the thread that made the breaker half-open and must not block there.
     * Default: none.
     *
     * @param check starts one check
     */
    public Builder healthCheck(@Nullable Supplier<? extends CompletionStage<?>> check) {
      healthCheck = check;
      return this;
    }

    /**
     * Sets how long after closing the breaker admits only a share of the calls, which grows evenly
     * to all of them. Default: zero, all at once.
     *
     * @param duration zero or more
     */
    public Builder rampUpDuration(Duration duration) {
      rampUpDuration = Objects.requireNonNull(duration, "rampUpDuration");
      return this;
    }

    /**
     * Sets the share of the calls that is admitted right after closing. Without effect if there is
     * no ramp. Default: {@value #DEFAULT_RAMP_UP_INITIAL_PERCENTAGE}.
     *
     * @param percent above 0, at most 100
     */
    public Builder rampUpInitialPercentage(double percent) {
      rampUpInitialPercentage = percent;
      return this;
    }

    /**
     * Sets the exceptions that are failures, subclasses included; replaces an earlier list. {@link
     * TimeoutExceededException} is one in any case. Default: none listed, and every {@code
     * Throwable} is a failure.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final Builder recordExceptions(Class<? extends Throwable>... types) {
      return recordExceptions(ExceptionRules.namesOf(types));
    }

    /**
     * Sets the exceptions that are failures by their class names, for types that are not on the
     * class path; replaces an earlier list.
     */
    public Builder recordExceptions(List<String> classNames) {
      recordExceptions = namesIn(classNames);
      return this;
    }

    /**
     * Sets the exceptions that say nothing about the dependency, subclasses included; replaces an
     * earlier list. Wins over {@code recordExceptions}. Default: none.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final Builder ignoreExceptions(Class<? extends Throwable>... types) {
      return ignoreExceptions(ExceptionRules.namesOf(types));
    }

    /**
     * Sets the exceptions that say nothing about the dependency by their class names, for types
     * that are not on the class path; replaces an earlier list.
     */
    public Builder ignoreExceptions(List<String> classNames) {
      ignoreExceptions = namesIn(classNames);
      return this;
    }

    /**
     * Sets what an exception is that is neither recorded nor ignored, where {@code
     * recordExceptions} or {@code recordException} is set. Default: {@link Outcome#IGNORED}.
     *
     * @param outcome not {@link Outcome#CANCELLED}
     */
    public Builder unlistedExceptions(Outcome outcome) {
      unlistedExceptions = Objects.requireNonNull(outcome, "unlistedExceptions");
      return this;
    }

    /** Adds the exceptions that match to {@code recordExceptions}. Default: none. */
    public Builder recordException(@Nullable Predicate<? super Throwable> predicate) {
      recordExceptionIf = predicate;
      return this;
    }

    /** Adds the exceptions that match to {@code ignoreExceptions}. Default: none. */
    public Builder ignoreException(@Nullable Predicate<? super Throwable> predicate) {
      ignoreExceptionIf = predicate;
      return this;
    }

    /**
     * Makes the results that match failures; the predicate is asked about null as well. Default:
     * none.
     */
    public Builder recordResult(@Nullable Predicate<@Nullable Object> predicate) {
      recordResult = predicate;
      return this;
    }

    /**
     * Sets a classifier that is asked before the lists and predicates, which decide what it has no
     * opinion on. Default: none.
     */
    public Builder classifier(@Nullable Classifier classifier) {
      this.classifier = classifier;
      return this;
    }

    /**
     * Finds the time after which a failed dependency wants to be called again, {@code Retry-After}
     * for example; it lengthens the wait of the opening that follows, up to the longest wait. Asked
     * about failures only, with the result or the exception; null and negative times mean none.
     * Default: none.
     */
    public Builder retryAfter(
        @Nullable BiFunction<@Nullable Object, @Nullable Throwable, @Nullable Duration>
            retryAfter) {
      this.retryAfter = retryAfter;
      return this;
    }

    /** Sets whether a refusal's exception carries a stack trace. Default: false. */
    public Builder writableStackTraceEnabled(boolean enabled) {
      writableStackTraceEnabled = enabled;
      return this;
    }

    /** Sets the ticker that all times are read from. Default: {@link Ticker#system()}. */
    public Builder ticker(Ticker ticker) {
      this.ticker = Objects.requireNonNull(ticker, "ticker");
      return this;
    }

    /**
     * Hands in a scheduler, so that calls in flight past the limit, leases and other limits act
     * when they are due and not at the next call. Default: none, or {@link Scheduler#system()}
     * where {@code automaticTransitionFromOpenToHalfOpenEnabled} is set.
     */
    public Builder scheduler(@Nullable Scheduler scheduler) {
      this.scheduler = scheduler;
      return this;
    }

    /**
     * Sets where jitter comes from: numbers from 0 to 1, drawn by many threads. Default: the
     * thread's own random numbers.
     */
    public Builder random(@Nullable DoubleSupplier random) {
      this.random = random;
      return this;
    }

    private CircuitBreakerConfig build() {
      Faults faults = new Faults();
      checkWindow(faults);
      checkThresholds(faults);
      checkOpen(faults);
      checkHalfOpen(faults);
      faults.throwIfAny("A circuit breaker");
      return new CircuitBreakerConfig(copy());
    }

    /** A list of failures is one of the dependency's; that it did not answer in time is one too. */
    private ExceptionRules rules() {
      boolean asByDefault =
          recordExceptions.isEmpty()
              && ignoreExceptions.isEmpty()
              && recordExceptionIf == null
              && ignoreExceptionIf == null
              && recordResult == null;
      return asByDefault
          ? ExceptionRules.NONE
          : new ExceptionRules(
              allRecordedExceptions(),
              Set.copyOf(ignoreExceptions),
              recordExceptionIf == null ? List.of() : List.of(recordExceptionIf),
              ignoreExceptionIf == null ? List.of() : List.of(ignoreExceptionIf),
              recordResult == null ? List.of() : List.of(recordResult),
              unlistedExceptions);
    }

    private Set<String> allRecordedExceptions() {
      if (recordExceptions.isEmpty() && recordExceptionIf == null) {
        return Set.of(); // which means all
      }
      Set<String> all = new LinkedHashSet<>(recordExceptions);
      all.add(TimeoutExceededException.class.getName());
      return all;
    }

    private boolean isTimeBased() {
      return slidingWindowType == null
          ? sizeInTime != null
          : slidingWindowType == SlidingWindowType.TIME_BASED;
    }

    private int windowCalls() {
      return sizeInCalls == null ? DEFAULT_SLIDING_WINDOW_SIZE : sizeInCalls;
    }

    private Duration windowDuration() {
      return sizeInTime == null ? Duration.ofSeconds(windowCalls()) : sizeInTime;
    }

    private int minimumCalls() {
      if (minimumNumberOfCalls != null) {
        return minimumNumberOfCalls;
      }
      return isTimeBased()
          ? DEFAULT_MINIMUM_NUMBER_OF_CALLS
          : Math.min(DEFAULT_MINIMUM_NUMBER_OF_CALLS, windowCalls());
    }

    private Duration maxWait() {
      if (exponentialMaxWait != null) {
        return exponentialMaxWait;
      }
      return waitDurationInOpenState.compareTo(
                  Faults.MAX_DURATION.dividedBy(DEFAULT_MAX_WAIT_FACTOR))
              > 0
          ? Faults.MAX_DURATION
          : waitDurationInOpenState.multipliedBy(DEFAULT_MAX_WAIT_FACTOR);
    }

    private Duration maxProbe() {
      return maxProbeDuration == null ? waitDurationInOpenState : maxProbeDuration;
    }

    private Duration probeSlow() {
      return probeSlowCallDurationThreshold == null
          ? slowCallDurationThreshold
          : probeSlowCallDurationThreshold;
    }

    private void checkWindow(Faults faults) {
      if (isTimeBased()) {
        Duration length = windowDuration();
        boolean longEnough = faults.checkDuration("slidingWindowSize", length, MIN_TIME_WINDOW);
        boolean fits =
            slidingWindowSlices >= 1
                && slidingWindowSlices <= MAX_SLICES
                && (!longEnough || length.compareTo(Duration.ofMillis(slidingWindowSlices)) >= 0);
        faults.check(
            fits,
            "slidingWindowSlices",
            slidingWindowSlices,
            "1 to 1,000, each at least 1 ms long");
      } else if (sizeInTime != null) {
        String expected = "a number of calls, since slidingWindowType is COUNT_BASED";
        faults.check(false, "slidingWindowSize", Text.of(sizeInTime), expected);
      } else {
        String expected = "1 to 10,000,000 calls";
        boolean fits = windowCalls() >= 1 && windowCalls() <= MAX_COUNT_WINDOW;
        faults.check(fits, "slidingWindowSize", windowCalls(), expected);
      }
      checkMinimum(faults);
    }

    private void checkMinimum(Faults faults) {
      if (minimumNumberOfCalls == null) {
        return;
      }
      int calls = minimumNumberOfCalls;
      faults.check(calls >= 1, "minimumNumberOfCalls", calls, "at least 1");
      boolean reachable = isTimeBased() || sizeInTime != null || calls <= windowCalls();
      faults.check(
          reachable,
          "minimumNumberOfCalls",
          calls,
          "at most slidingWindowSize, which is " + windowCalls() + ", or no rate is ever known");
    }

    private void checkThresholds(Faults faults) {
      faults.checkPercent("failureRateThreshold", failureRateThreshold);
      faults.checkDuration("slowCallDurationThreshold", slowCallDurationThreshold, Duration.ZERO);
      faults.checkPercent("slowCallRateThreshold", slowCallRateThreshold);
      faults.checkDuration("rampUpDuration", rampUpDuration, Duration.ZERO);
      faults.check(
          rampUpInitialPercentage > 0 && rampUpInitialPercentage <= 100,
          "rampUpInitialPercentage",
          rampUpInitialPercentage,
          "a percentage above 0, at most 100");
      faults.check(
          unlistedExceptions != Outcome.CANCELLED,
          "unlistedExceptions",
          unlistedExceptions,
          "IGNORED, SUCCESS or FAILURE");
    }

    private void checkOpen(Faults faults) {
      Duration least = Duration.ofNanos(1);
      boolean waitIsRight =
          faults.checkDuration("waitDurationInOpenState", waitDurationInOpenState, least);
      boolean grows =
          exponentialBackoffMultiplier >= 1 && exponentialBackoffMultiplier <= 1_000_000;
      faults.check(
          grows, "exponentialBackoffMultiplier", exponentialBackoffMultiplier, "1 to 1,000,000");
      faults.check(
          waitFunction == null || exponentialBackoffMultiplier == 1,
          "waitIntervalFunctionInOpenState",
          "set together with exponentialBackoffMultiplier " + exponentialBackoffMultiplier,
          "one of the two");
      if (exponentialMaxWait != null) {
        String name = "exponentialMaxWaitDurationInOpenState";
        Duration floor = waitIsRight ? waitDurationInOpenState : least;
        faults.checkDuration(name, exponentialMaxWait, floor);
      }
      boolean isShare = randomizedWaitFactor >= 0 && randomizedWaitFactor <= 1;
      faults.check(isShare, "randomizedWaitFactor", randomizedWaitFactor, "0 to 1");
    }

    private void checkHalfOpen(Faults faults) {
      faults.check(
          permittedNumberOfCallsInHalfOpenState >= 1,
          "permittedNumberOfCallsInHalfOpenState",
          permittedNumberOfCallsInHalfOpenState,
          "at least 1");
      faults.checkDuration(
          "maxWaitDurationInHalfOpenState", maxWaitDurationInHalfOpenState, Duration.ZERO);
      if (maxProbeDuration != null) {
        faults.checkDuration("maxProbeDuration", maxProbeDuration, Duration.ofNanos(1));
      }
      if (probeSlowCallDurationThreshold != null) {
        String name = "probeSlowCallDurationThreshold";
        faults.checkDuration(name, probeSlowCallDurationThreshold, Duration.ZERO);
      }
    }

    private static Set<String> namesIn(List<String> classNames) {
      return Collections.unmodifiableSet(new LinkedHashSet<>(List.copyOf(classNames)));
    }
  }
}

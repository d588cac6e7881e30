package dev.recloser;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a retry. Immutable; made by {@link #of} or from another one by {@link #with}.
 * Names are Resilience4j's where it has the setting. Wrong or contradictory settings fail when the
 * configuration is made, all of them in one {@link InvalidConfigurationException}.
 */
public final class RetryConfig extends PolicyConfig {
  /** Default of {@code maxAttempts}: {@value}, the first included. */
  public static final int DEFAULT_MAX_ATTEMPTS = 3;

  /** Default of {@code waitDuration}: 500 ms. */
  public static final Duration DEFAULT_WAIT_DURATION = Duration.ofMillis(500);

  /** Default of {@code maxWaitDuration}: {@value} times the base wait. */
  public static final int DEFAULT_MAX_WAIT_FACTOR = 10;

  private static final RetryConfig DEFAULTS = new Builder().build();

  private final Builder source;
  final long waitNanos;
  final long maxWaitNanos;
  final long maxElapsedNanos;
  final Classifier classifier;

  /** Whether every result is a success, but one that says itself what it is. */
  final boolean takesAllResults;

  final Ticker ticker;
  final Scheduler scheduler;

  private RetryConfig(Builder source) {
    this.source = source;
    waitNanos = source.waitDuration.toNanos();
    maxWaitNanos = source.maxWait().toNanos();
    maxElapsedNanos = source.maxElapsedTime.toNanos();
    ticker = source.ticker;
    scheduler = source.scheduler;
    ExceptionRules rules =
        new ExceptionRules(
            source.retryExceptions,
            source.ignoreExceptions,
            source.retryOnException == null ? List.of() : List.of(source.retryOnException),
            List.of(),
            source.retryOnResult == null ? List.of() : List.of(source.retryOnResult),
            Outcome.IGNORED);
    classifier = source.classifier == null ? rules : source.classifier.orElse(rules);
    takesAllResults = source.classifier == null && source.retryOnResult == null;
  }

  /** Returns the configuration in which nothing was set. */
  public static RetryConfig defaults() {
    return DEFAULTS;
  }

  /**
   * Makes a configuration.
   *
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static RetryConfig of(Consumer<? super Builder> settings) {
    return DEFAULTS.with(settings);
  }

  /**
   * Makes a configuration from this one.
   *
   * @param settings sets what shall differ
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public RetryConfig with(Consumer<? super Builder> settings) {
    Builder builder = source.copy();
    settings.accept(builder);
    return builder.build();
  }

  /** How often a call is made at most, the first time included. */
  public int maxAttempts() {
    return source.maxAttempts;
  }

  /** The base wait between attempts. */
  public Duration waitDuration() {
    return source.waitDuration;
  }

  /** By how much the wait grows from one attempt to the next; 1 when it does not. */
  public double exponentialBackoffMultiplier() {
    return source.exponentialBackoffMultiplier;
  }

  /** The longest wait that can come about. */
  public Duration maxWaitDuration() {
    return source.maxWait();
  }

  /** How waits are spread. */
  public Jitter jitter() {
    return source.jitter;
  }

  /** After how long no further attempt is begun; zero for no limit. */
  public Duration maxElapsedTime() {
    return source.maxElapsedTime;
  }

  /** Whether a refusal by an open breaker is waited for. */
  public boolean waitForCircuitBreaker() {
    return source.waitForCircuitBreaker;
  }

  /** Whether a refusal by an open breaker is judged as anything else that a call throws. */
  public boolean retryRefusals() {
    return source.retryRefusals;
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("maxAttempts", source.maxAttempts);
    all.put("waitDuration", source.waitDuration);
    all.put("exponentialBackoffMultiplier", source.exponentialBackoffMultiplier);
    all.put("maxWaitDuration", source.maxWait());
    all.put("jitter", source.jitter);
    all.put("maxElapsedTime", source.maxElapsedTime);
    all.put("waitForCircuitBreaker", source.waitForCircuitBreaker);
    all.put("retryRefusals", source.retryRefusals);
    all.put("retryExceptions", source.retryExceptions);
    all.put("ignoreExceptions", source.ignoreExceptions);
    putIfSet(all, "retryOnException", source.retryOnException);
    putIfSet(all, "retryOnResult", source.retryOnResult);
    putIfSet(all, "classifier", source.classifier);
    putIfSet(all, "retryAfter", source.retryAfter);
    putIfSet(all, "intervalFunction", source.intervalFunction);
    putIfSet(all, "budget", source.budget);
    putIfSet(all, "random", source.random);
    all.put("ticker", ticker);
    all.put("scheduler", scheduler);
    putIfSet(all, "executor", source.executor);
    return Collections.unmodifiableMap(all);
  }

  @Nullable RetryBudget budget() {
    return source.budget;
  }

  @Nullable IntFunction<Duration> intervalFunction() {
    return source.intervalFunction;
  }

  @Nullable BiFunction<@Nullable Object, @Nullable Throwable, @Nullable Duration> retryAfter() {
    return source.retryAfter;
  }

  /** A number from 0 to 1 for the jitter. */
  double random() {
    return source.random == null
        ? ThreadLocalRandom.current().nextDouble()
        : source.random.getAsDouble();
  }

  /** What starts calls that have waited. */
  Executor starter() {
    return Workers.starter(source.executor, scheduler);
  }

  /**
   * Sets what a configuration shall differ in. A later call of the same setter replaces an earlier
   * one. Where a setting may be null, that takes it back to its default. Not thread-safe.
   */
  public static final class Builder implements Cloneable {
    private int maxAttempts = DEFAULT_MAX_ATTEMPTS;
    private Duration waitDuration = DEFAULT_WAIT_DURATION;
    private double exponentialBackoffMultiplier = 2;
    private @Nullable Duration maxWaitDuration;
    private Jitter jitter = Jitter.FULL;
    private @Nullable IntFunction<Duration> intervalFunction;
    private Duration maxElapsedTime = Duration.ZERO;
    private @Nullable RetryBudget budget;
    private boolean waitForCircuitBreaker;
    private boolean retryRefusals;
    private Set<String> retryExceptions = Set.of();
    private Set<String> ignoreExceptions = Set.of();
    private @Nullable Predicate<? super Throwable> retryOnException;
    private @Nullable Predicate<@Nullable Object> retryOnResult;
    private @Nullable Classifier classifier;
    private @Nullable BiFunction<@Nullable Object, @Nullable Throwable, @Nullable Duration>
        retryAfter;
    private Ticker ticker = Ticker.system();
    private Scheduler scheduler = Scheduler.system();
    private @Nullable Executor executor;
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
     * Sets how often a call is made at most, the first time included. Default: {@value
     * #DEFAULT_MAX_ATTEMPTS}.
     *
     * @param attempts at least 1; {@code Integer.MAX_VALUE} for as many as it takes
     */
    public Builder maxAttempts(int attempts) {
      maxAttempts = attempts;
      return this;
    }

    /**
     * Sets the base wait before the second attempt. Default: 500 ms.
     *
     * @param wait zero or more
     */
    public Builder waitDuration(Duration wait) {
      waitDuration = Objects.requireNonNull(wait, "waitDuration");
      return this;
    }

    /**
     * Lets the wait grow by this factor with each attempt. Default: 2.
     *
     * @param multiplier 1, for a wait that does not grow, to 1,000,000
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
    public Builder maxWaitDuration(@Nullable Duration wait) {
      maxWaitDuration = wait;
      return this;
    }

    /** Sets how waits are spread. Default: {@link Jitter#FULL}. */
    public Builder jitter(Jitter jitter) {
      this.jitter = Objects.requireNonNull(jitter, "jitter");
      return this;
    }

    /**
     * Computes the wait from the number of the attempt that has failed, from 1, in place of {@code
     * waitDuration} and its growth; longest wait and jitter apply. A negative time means that there
     * is no further attempt. A function that throws, or gives null, means the base wait. Default:
     * none.
     */
    public Builder intervalFunction(@Nullable IntFunction<Duration> function) {
      intervalFunction = function;
      return this;
    }

    /**
     * Sets after how long, counted from the first attempt, no further one is begun; a wait that
     * would end later is not waited for. Default: zero, no limit.
     *
     * @param limit zero or more
     */
    public Builder maxElapsedTime(Duration limit) {
      maxElapsedTime = Objects.requireNonNull(limit, "maxElapsedTime");
      return this;
    }

    /**
     * Sets the budget, which others may share. Default: one of its own with the default figures.
     */
    public Builder budget(@Nullable RetryBudget budget) {
      this.budget = budget;
      return this;
    }

    /**
     * Sets whether a call that an open breaker has refused is made again when the breaker's wait is
     * over, if that is known and within {@code maxElapsedTime}, which must then be set. Default:
     * false, such a call is not retried, for the refusal was the sign to stop.
     */
    public Builder waitForCircuitBreaker(boolean wait) {
      waitForCircuitBreaker = wait;
      return this;
    }

    /**
     * Sets whether a call that an open breaker has refused is judged as one that threw anything
     * else: by the lists and the predicate, which mean a refusal only where they name its type, and
     * by the classifier. It is then made again after this retry's own wait, which is seldom that of
     * the breaker; MicroProfile Fault Tolerance leaves that to the user. Default: false, such a
     * call is not retried, whatever they say.
     */
    public Builder retryRefusals(boolean judged) {
      retryRefusals = judged;
      return this;
    }

    /**
     * Sets the exceptions that are retried, subclasses included. Default: none listed, and every
     * {@code Throwable} is, but cancellations and refusals by this library.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final Builder retryExceptions(Class<? extends Throwable>... types) {
      return retryExceptions(ExceptionRules.namesOf(types));
    }

    /**
     * Sets the exceptions that are retried by their class names, for types that are not on the
     * class path; replaces an earlier list.
     */
    public Builder retryExceptions(List<String> classNames) {
      retryExceptions = Set.copyOf(classNames);
      return this;
    }

    /** Sets the exceptions that are not retried, subclasses included. Default: none. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final Builder ignoreExceptions(Class<? extends Throwable>... types) {
      return ignoreExceptions(ExceptionRules.namesOf(types));
    }

    /**
     * Sets the exceptions that are not retried by their class names, for types that are not on the
     * class path; replaces an earlier list.
     */
    public Builder ignoreExceptions(List<String> classNames) {
      ignoreExceptions = Set.copyOf(classNames);
      return this;
    }

    /** Adds the exceptions that match to {@code retryExceptions}. Default: none. */
    public Builder retryOnException(@Nullable Predicate<? super Throwable> predicate) {
      retryOnException = predicate;
      return this;
    }

    /** Retries calls whose result matches; asked about null as well. Default: none. */
    public Builder retryOnResult(@Nullable Predicate<@Nullable Object> predicate) {
      retryOnResult = predicate;
      return this;
    }

    /**
     * Sets a classifier that is asked before the lists and predicates: what is a {@link
     * Outcome#FAILURE} is retried. Default: none.
     */
    public Builder classifier(@Nullable Classifier classifier) {
      this.classifier = classifier;
      return this;
    }

    /**
     * Finds the time after which a failed dependency wants to be called again, {@code Retry-After}
     * for example; it lengthens the wait, up to the longest. Default: none.
     */
    public Builder retryAfter(
        @Nullable BiFunction<@Nullable Object, @Nullable Throwable, @Nullable Duration>
            retryAfter) {
      this.retryAfter = retryAfter;
      return this;
    }

    /** Sets the ticker that all times are read from. Default: {@link Ticker#system()}. */
    public Builder ticker(Ticker ticker) {
      this.ticker = Objects.requireNonNull(ticker, "ticker");
      return this;
    }

    /**
     * Sets what waits: on the calling thread for calls, with a timer for stages. Default: {@link
     * Scheduler#system()}.
     */
    public Builder scheduler(Scheduler scheduler) {
      this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
      return this;
    }

    /**
     * Sets what starts attempts of stages that have waited: one whose threads they may hold, if
     * starting them takes time. Where it rejects one, the thread of the scheduler starts it.
     * Default: the common pool, or, with a scheduler of one's own, that one's thread.
     */
    public Builder executor(@Nullable Executor executor) {
      this.executor = executor;
      return this;
    }

    /** Sets where jitter comes from: numbers from 0 to 1. Default: the thread's random numbers. */
    public Builder random(@Nullable DoubleSupplier random) {
      this.random = random;
      return this;
    }

    private Duration maxWait() {
      return maxWaitDuration == null
          ? waitDuration.multipliedBy(DEFAULT_MAX_WAIT_FACTOR)
          : maxWaitDuration;
    }

    private RetryConfig build() {
      Faults faults = new Faults();
      faults.check(maxAttempts >= 1, "maxAttempts", maxAttempts, "at least 1");
      boolean waitIsRight = faults.checkDuration("waitDuration", waitDuration, Duration.ZERO);
      boolean grows = exponentialBackoffMultiplier >= 1 && exponentialBackoffMultiplier <= 1e6;
      faults.check(
          grows, "exponentialBackoffMultiplier", exponentialBackoffMultiplier, "1 to 1,000,000");
      if (waitIsRight) {
        faults.checkDuration("maxWaitDuration", maxWait(), waitDuration);
      }
      faults.checkDuration("maxElapsedTime", maxElapsedTime, Duration.ZERO);
      faults.check(
          !waitForCircuitBreaker || !maxElapsedTime.isZero(),
          "waitForCircuitBreaker",
          "true without maxElapsedTime",
          "a limit to what is waited for");
      faults.check(
          !waitForCircuitBreaker || !retryRefusals,
          "retryRefusals",
          "true together with waitForCircuitBreaker",
          "one of the two");
      faults.throwIfAny("A retry");
      return new RetryConfig(copy());
    }
  }
}

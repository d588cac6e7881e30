package dev.recloser;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a hedge. Immutable; made by {@link #of} or from another one by {@link #with}.
 * Wrong or contradictory settings fail when the configuration is made, all of them in one {@link
 * InvalidConfigurationException}.
 */
public final class HedgeConfig extends PolicyConfig {
  /** Default of {@code maxAttempts}: {@value}, the first included. */
  public static final int DEFAULT_MAX_ATTEMPTS = 2;

  /** Default of {@code delay}: 100 ms. */
  public static final Duration DEFAULT_DELAY = Duration.ofMillis(100);

  /** Most attempts of a call: {@value}. */
  public static final int MOST_ATTEMPTS = 10;

  private static final HedgeConfig DEFAULTS = new HedgeConfig(new Builder());

  private final Builder source;
  final long delayNanos;
  final Ticker ticker;
  final Scheduler scheduler;

  private HedgeConfig(Builder source) {
    this.source = source;
    delayNanos = source.delay.toNanos();
    ticker = source.ticker;
    scheduler = source.scheduler;
  }

  /**
   * Returns the configuration in which nothing was set: something to start from, with which no
   * hedge can be made, for it does not declare calls to be idempotent.
   */
  public static HedgeConfig defaults() {
    return DEFAULTS;
  }

  /**
   * Makes a configuration.
   *
   * @param settings sets what shall differ from the defaults, and {@code idempotent}
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static HedgeConfig of(Consumer<? super Builder> settings) {
    return DEFAULTS.with(settings);
  }

  /**
   * Makes a configuration from this one.
   *
   * @param settings sets what shall differ
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public HedgeConfig with(Consumer<? super Builder> settings) {
    Builder builder = source.copy();
    settings.accept(builder);
    return builder.build();
  }

  /** How often a call is made at most, the first time included. */
  public int maxAttempts() {
    return source.maxAttempts;
  }

  /** How long an attempt has before another one is begun; or has until that was measured. */
  public Duration delay() {
    return source.delay;
  }

  /** The percentile of measured times that is the delay; zero for a fixed delay. */
  public double delayPercentile() {
    return source.delayPercentile;
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("maxAttempts", source.maxAttempts);
    all.put("delay", source.delay);
    if (followsCalls()) {
      all.put("delayPercentile", source.delayPercentile);
    }
    all.put("idempotent", source.idempotent);
    putIfSet(all, "budget", source.budget);
    putIfSet(all, "executor", source.executor);
    all.put("ticker", ticker);
    all.put("scheduler", scheduler);
    return Collections.unmodifiableMap(all);
  }

  /** Whether the delay is a percentile of measured times. */
  boolean followsCalls() {
    return source.delayPercentile != 0;
  }

  @Nullable RetryBudget budget() {
    return source.budget;
  }

  /** What plain calls run on. */
  Executor callExecutor() {
    return source.executor == null ? Workers.SHARED : source.executor;
  }

  /** What further attempts of stages are started on. */
  Executor starter() {
    return Workers.starter(source.executor, scheduler);
  }

  /**
   * Returns this configuration.
   *
   * @throws InvalidConfigurationException if it does not declare calls to be idempotent
   */
  HedgeConfig checked(String name) {
    Faults faults = new Faults();
    source.checkIdempotent(faults);
    faults.throwIfAny(name);
    return this;
  }

  /**
   * Sets what a configuration shall differ in. A later call of the same setter replaces an earlier
   * one. Where a setting may be null, that takes it back to its default. Not thread-safe.
   */
  public static final class Builder implements Cloneable {
    private int maxAttempts = DEFAULT_MAX_ATTEMPTS;
    private Duration delay = DEFAULT_DELAY;
    private double delayPercentile;
    private boolean idempotent;
    private @Nullable RetryBudget budget;
    private @Nullable Executor executor;
    private Ticker ticker = Ticker.system();
    private Scheduler scheduler = Scheduler.system();

    private Builder() {}

    private Builder copy() {
      try {
        return (Builder) clone(); // All values are immutable or functions.
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }

    /**
     * Declares that the calls may be made twice, and at the same time. Must be true: a hedge around
     * other calls charges a card twice.
     */
    public Builder idempotent(boolean idempotent) {
      this.idempotent = idempotent;
      return this;
    }

    /**
     * Sets how often a call is made at most, the first time included. Default: {@value
     * #DEFAULT_MAX_ATTEMPTS}.
     *
     * @param attempts 2 to {@value #MOST_ATTEMPTS}
     */
    public Builder maxAttempts(int attempts) {
      maxAttempts = attempts;
      return this;
    }

    /**
     * Sets how long an attempt has before another one is begun: the time within which most calls
     * are over, their p95 for example. With a {@code delayPercentile}, it holds until enough calls
     * have been measured. Default: 100 ms.
     *
     * @param delay zero or more; zero begins all attempts at once
     */
    public Builder delay(Duration delay) {
      this.delay = Objects.requireNonNull(delay, "delay");
      return this;
    }

    /**
     * Lets the delay follow the calls: it is this percentile of the times that the last 100 first
     * attempts took, once 20 have been measured. 95 means that about one call in twenty is made
     * twice. Default: zero.
     *
     * @param percentile above zero and below 100; or zero, which is no percentile but says that the
     *     delay is fixed
     */
    public Builder delayPercentile(double percentile) {
      delayPercentile = percentile;
      return this;
    }

    /**
     * Sets the budget that further attempts are charged to, which others may share: that of the
     * retry around the hedge for example. Default: one of its own with the default figures.
     */
    public Builder budget(@Nullable RetryBudget budget) {
      this.budget = budget;
      return this;
    }

    /**
     * Sets what plain calls run on, one thread an attempt, and what starts further attempts of
     * stages. Default: a pool of daemon threads that grows as needed; and the common pool, or the
     * thread of a scheduler of one's own, for the attempts of stages.
     */
    public Builder executor(@Nullable Executor executor) {
      this.executor = executor;
      return this;
    }

    /** Sets the ticker that times are measured with. Default: {@link Ticker#system()}. */
    public Builder ticker(Ticker ticker) {
      this.ticker = Objects.requireNonNull(ticker, "ticker");
      return this;
    }

    /** Sets what tells when a delay is over. Default: {@link Scheduler#system()}. */
    public Builder scheduler(Scheduler scheduler) {
      this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
      return this;
    }

    private HedgeConfig build() {
      Faults faults = new Faults();
      faults.check(
          maxAttempts >= 2 && maxAttempts <= MOST_ATTEMPTS,
          "maxAttempts",
          maxAttempts,
          "2 to " + MOST_ATTEMPTS);
      faults.checkDuration("delay", delay, Duration.ZERO);
      faults.check(
          delayPercentile >= 0 && delayPercentile < 100,
          "delayPercentile",
          delayPercentile,
          "zero or more, below 100");
      checkIdempotent(faults);
      faults.throwIfAny("A hedge");
      return new HedgeConfig(copy());
    }

    private void checkIdempotent(Faults faults) {
      faults.check(
          idempotent,
          "idempotent",
          idempotent,
          "true, for calls that may be made twice at the same time; others must not be hedged");
    }
  }
}

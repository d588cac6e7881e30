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
 * The settings of a rate limiter. Immutable; made by {@link #of} or from another one by {@link
 * #with}. Names are Resilience4j's where it has the setting. Wrong or contradictory settings fail
 * when the configuration is made, all of them in one {@link InvalidConfigurationException}.
 */
public final class RateLimiterConfig extends PolicyConfig {
  /** Default of {@code limitForPeriod}: {@value}. */
  public static final int DEFAULT_LIMIT_FOR_PERIOD = 50;

  /** Default of {@code limitRefreshPeriod}: 1 s. */
  public static final Duration DEFAULT_LIMIT_REFRESH_PERIOD = Duration.ofSeconds(1);

  /** Default of {@code timeoutDuration}: 5 s. */
  public static final Duration DEFAULT_TIMEOUT_DURATION = Duration.ofSeconds(5);

  private static final RateLimiterConfig DEFAULTS = new Builder().build();

  private final Builder source;
  final Pace pace;
  final long timeoutNanos;
  final Ticker ticker;
  final Scheduler scheduler;

  private RateLimiterConfig(Builder source) {
    this.source = source;
    pace = source.pace();
    timeoutNanos = source.timeoutDuration.toNanos();
    ticker = source.ticker;
    scheduler = source.scheduler;
  }

  /** Returns the configuration in which nothing was set. */
  public static RateLimiterConfig defaults() {
    return DEFAULTS;
  }

  /**
   * Makes a configuration.
   *
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static RateLimiterConfig of(Consumer<? super Builder> settings) {
    return DEFAULTS.with(settings);
  }

  /**
   * Makes a configuration from this one.
   *
   * @param settings sets what shall differ
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public RateLimiterConfig with(Consumer<? super Builder> settings) {
    Builder builder = source.copy();
    settings.accept(builder);
    return builder.build();
  }

  /** How many permits come in a period. */
  public int limitForPeriod() {
    return source.limitForPeriod;
  }

  /** The period in which they come. */
  public Duration limitRefreshPeriod() {
    return source.limitRefreshPeriod;
  }

  /** How many permits there are at most at once. */
  public int maxBurst() {
    return source.burst();
  }

  /** How many permits a call costs. */
  public int permitsPerCall() {
    return source.permitsPerCall;
  }

  /** The longest that a request waits. */
  public Duration timeoutDuration() {
    return source.timeoutDuration;
  }

  /** Whether refusals carry a stack trace. */
  public boolean writableStackTraceEnabled() {
    return source.writableStackTraceEnabled;
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("limitForPeriod", source.limitForPeriod);
    all.put("limitRefreshPeriod", source.limitRefreshPeriod);
    all.put("maxBurst", source.burst());
    all.put("permitsPerCall", source.permitsPerCall);
    all.put("timeoutDuration", source.timeoutDuration);
    all.put("writableStackTraceEnabled", source.writableStackTraceEnabled);
    all.put("ticker", ticker);
    all.put("scheduler", scheduler);
    putIfSet(all, "executor", source.executor);
    return Collections.unmodifiableMap(all);
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
    private int limitForPeriod = DEFAULT_LIMIT_FOR_PERIOD;
    private Duration limitRefreshPeriod = DEFAULT_LIMIT_REFRESH_PERIOD;
    private @Nullable Integer maxBurst;
    private int permitsPerCall = 1;
    private Duration timeoutDuration = DEFAULT_TIMEOUT_DURATION;
    private boolean writableStackTraceEnabled;
    private Ticker ticker = Ticker.system();
    private Scheduler scheduler = Scheduler.system();
    private @Nullable Executor executor;

    private Builder() {}

    private Builder copy() {
      try {
        return (Builder) clone(); // All values are immutable or functions.
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }

    /**
     * Sets how many permits come in a period. They come evenly, not all at its beginning. Default:
     * {@value #DEFAULT_LIMIT_FOR_PERIOD}.
     *
     * @param limit at least 1
     */
    public Builder limitForPeriod(int limit) {
      limitForPeriod = limit;
      return this;
    }

    /**
     * Sets the period in which they come. Default: 1 s. Resilience4j's default of 500 ns, 100
     * million permits a second, limits nothing.
     *
     * @param period more than zero
     */
    public Builder limitRefreshPeriod(Duration period) {
      limitRefreshPeriod = Objects.requireNonNull(period, "limitRefreshPeriod");
      return this;
    }

    /**
     * Sets how many permits there are at most, after an idle time and at the start; never are more
     * than that and those of the meantime made use of. 1 keeps calls evenly apart. Default: {@code
     * limitForPeriod}.
     *
     * @param permits at least 1; must fill within 36,500 days
     */
    public Builder maxBurst(@Nullable Integer permits) {
      maxBurst = permits;
      return this;
    }

    /**
     * Sets how many permits a call costs. Default: 1.
     *
     * @param permits at least 1, at most {@code maxBurst}
     */
    public Builder permitsPerCall(int permits) {
      permitsPerCall = permits;
      return this;
    }

    /**
     * Sets the longest that a request waits for its permits; one that would have to wait longer is
     * refused at once. Zero refuses whatever cannot be served at once. Default: 5 s, as in
     * Resilience4j: a short excess is smoothed instead of turned into errors, and as it is known
     * how long the line is, nobody waits in vain.
     *
     * @param timeout zero or more
     */
    public Builder timeoutDuration(Duration timeout) {
      timeoutDuration = Objects.requireNonNull(timeout, "timeoutDuration");
      return this;
    }

    /** Sets whether {@link RequestNotPermittedException} carries a stack trace. Default: false. */
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
     * Sets what waits: on the calling thread for calls, with a timer for stages. Default: {@link
     * Scheduler#system()}.
     */
    public Builder scheduler(Scheduler scheduler) {
      this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
      return this;
    }

    /**
     * Sets what starts stages that have waited: one whose threads they may hold, if starting them
     * takes time. Where it rejects one, the thread of the scheduler starts it. Default: the common
     * pool, or, with a scheduler of one's own, that one's thread.
     */
    public Builder executor(@Nullable Executor executor) {
      this.executor = executor;
      return this;
    }

    private int burst() {
      return maxBurst == null ? limitForPeriod : maxBurst;
    }

    private Pace pace() {
      return new Pace(limitForPeriod, limitRefreshPeriod.toNanos(), burst());
    }

    private RateLimiterConfig build() {
      Faults faults = new Faults();
      boolean limitIsRight = limitForPeriod >= 1;
      faults.check(limitIsRight, "limitForPeriod", limitForPeriod, "at least 1");
      boolean periodIsRight =
          faults.checkDuration("limitRefreshPeriod", limitRefreshPeriod, Duration.ofNanos(1));
      boolean burstIsRight = maxBurst == null ? limitIsRight : maxBurst >= 1;
      faults.check(maxBurst == null || burstIsRight, "maxBurst", burst(), "at least 1");
      if (limitIsRight && periodIsRight && burstIsRight) {
        faults.check(
            pace().isMeasurable(), "maxBurst", burst(), "so few that they come in 36,500 days");
      }
      faults.check(
          permitsPerCall >= 1 && (!burstIsRight || permitsPerCall <= burst()),
          "permitsPerCall",
          permitsPerCall,
          "at least 1, at most maxBurst");
      faults.checkDuration("timeoutDuration", timeoutDuration, Duration.ZERO);
      faults.throwIfAny("A rate limiter");
      return new RateLimiterConfig(copy());
    }
  }
}

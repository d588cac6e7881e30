package dev.recloser;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a bulkhead. Immutable; made by {@link #of} or from another one by {@link #with}.
 * Names are Resilience4j's where it has the setting. Wrong or contradictory settings fail when the
 * configuration is made, all of them in one {@link InvalidConfigurationException}.
 */
public final class BulkheadConfig extends PolicyConfig {
  /** Default of {@code maxConcurrentCalls}: {@value}. */
  public static final int DEFAULT_MAX_CONCURRENT_CALLS = 25;

  /** Default of {@code maxWaitDuration}: zero, no waiting. */
  public static final Duration DEFAULT_MAX_WAIT_DURATION = Duration.ZERO;

  /** Largest {@code maxConcurrentCalls} and {@code maxQueuedCalls}: {@value}. */
  public static final int MOST_CALLS = Slots.MOST;

  private static final BulkheadConfig DEFAULTS = new Builder().build();

  private final Builder source;
  final boolean fair;
  final long maxWaitNanos;
  final Scheduler scheduler;
  final Executor executor;
  final Ticker ticker;
  final @Nullable AdaptiveLimitConfig adaptive;

  private BulkheadConfig(Builder source) {
    this.source = source;
    fair = source.fairCallHandlingEnabled;
    maxWaitNanos = source.maxWaitDuration.toNanos();
    scheduler = source.scheduler;
    executor = source.starter();
    ticker = source.ticker;
    adaptive =
        source.adaptiveLimit == null ? null : source.adaptiveLimit.build(source.maxConcurrentCalls);
  }

  /** Returns the configuration in which nothing was set. */
  public static BulkheadConfig defaults() {
    return DEFAULTS;
  }

  /**
   * Makes a configuration.
   *
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static BulkheadConfig of(Consumer<? super Builder> settings) {
    return DEFAULTS.with(settings);
  }

  /**
   * Makes a configuration from this one.
   *
   * @param settings sets what shall differ
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public BulkheadConfig with(Consumer<? super Builder> settings) {
    Builder builder = source.copy();
    settings.accept(builder);
    return builder.build();
  }

  /** How many calls may run at once; with an adaptive limit, at first. */
  public int maxConcurrentCalls() {
    return source.mostAtOnce();
  }

  /** How the bulkhead finds its limit by itself; null when it does not. */
  public @Nullable AdaptiveLimitConfig adaptiveLimit() {
    return adaptive;
  }

  /** How long a call waits for a slot at most; zero when it does not wait. */
  public Duration maxWaitDuration() {
    return source.maxWaitDuration;
  }

  /** How many calls may wait at once, if calls wait at all. */
  public int maxQueuedCalls() {
    return source.maxQueued();
  }

  /** Whether a call stands back behind those that wait. */
  public boolean fairCallHandlingEnabled() {
    return fair;
  }

  /** Whether a {@link BulkheadFullException} carries a stack trace. */
  public boolean writableStackTraceEnabled() {
    return source.writableStackTraceEnabled;
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("maxConcurrentCalls", source.mostAtOnce());
    putIfSet(all, "adaptiveLimit", adaptive);
    all.put("maxWaitDuration", source.maxWaitDuration);
    if (waits()) {
      all.put("maxQueuedCalls", maxQueuedCalls());
      all.put("fairCallHandlingEnabled", fair);
    }
    all.put("writableStackTraceEnabled", source.writableStackTraceEnabled);
    putIfSet(all, "executor", source.executor);
    putIfSet(all, "callExecutor", source.callExecutor);
    all.put("scheduler", scheduler);
    all.put("ticker", ticker);
    return Collections.unmodifiableMap(all);
  }

  /** How many calls may run at once to begin with. */
  int initialLimit() {
    return adaptive == null ? source.mostAtOnce() : adaptive.initialLimit();
  }

  @Nullable Executor callExecutor() {
    return source.callExecutor;
  }

  boolean waits() {
    return !source.maxWaitDuration.isZero();
  }

  /**
   * Sets what a configuration shall differ in. A later call of the same setter replaces an earlier
   * one. Where a setting may be null, that takes it back to its default. Not thread-safe.
   */
  public static final class Builder implements Cloneable {
    private @Nullable Integer maxConcurrentCalls;
    private Duration maxWaitDuration = DEFAULT_MAX_WAIT_DURATION;
    private @Nullable Integer maxQueuedCalls;
    private boolean fairCallHandlingEnabled = true;
    private boolean writableStackTraceEnabled;
    private Scheduler scheduler = Scheduler.system();
    private @Nullable Executor executor;
    private @Nullable Executor callExecutor;
    private Ticker ticker = Ticker.system();
    private AdaptiveLimitConfig.@Nullable Builder adaptiveLimit;

    private Builder() {}

    private Builder copy() {
      try {
        return (Builder) clone(); // All values are immutable, functions, or copied when changed.
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }

    /**
     * Sets how many calls may run at once; with an adaptive limit, how many at first, unless that
     * has an {@code initialLimit}. Default: {@value #DEFAULT_MAX_CONCURRENT_CALLS}.
     *
     * @param calls 1 to {@value #MOST_CALLS}
     */
    public Builder maxConcurrentCalls(int calls) {
      maxConcurrentCalls = calls;
      return this;
    }

    /**
     * Lets the bulkhead find its limit by itself, by how long calls take. Called again, it changes
     * the settings made before. Default: none, the limit is {@code maxConcurrentCalls}.
     *
     * <p>A living bulkhead that is given other settings for it goes on from the limit it has, and
     * from what it has learnt. It measures the calls made under it, and slots taken by hand where
     * it is told how their calls ended, see {@link BulkheadSlot}.
     *
     * @param settings sets what shall differ from the defaults; null takes it back
     */
    public Builder adaptiveLimit(@Nullable Consumer<? super AdaptiveLimitConfig.Builder> settings) {
      if (settings == null) {
        adaptiveLimit = null;
        return this;
      }
      var changed =
          adaptiveLimit == null ? new AdaptiveLimitConfig.Builder() : adaptiveLimit.copy();
      settings.accept(changed);
      adaptiveLimit = changed;
      return this;
    }

    /**
     * Sets what an adaptive limit measures calls with, what events tell their times by, and by
     * which a {@link BulkheadRegistry} finds a bulkhead idle. Without an adaptive limit, and
     * without a listener, calls do not read it. Default: {@link Ticker#system()}.
     */
    public Builder ticker(Ticker ticker) {
      this.ticker = Objects.requireNonNull(ticker, "ticker");
      return this;
    }

    /**
     * Sets how long a call waits for a slot at most: on its thread, or without one if it is
     * asynchronous. Default: zero, it is refused at once.
     *
     * @param wait zero or more
     */
    public Builder maxWaitDuration(Duration wait) {
      maxWaitDuration = Objects.requireNonNull(wait, "maxWaitDuration");
      return this;
    }

    /**
     * Sets how many calls may wait at once; any further one is refused at once. Default: as many as
     * may run, at first if that changes, so that the last in the queue waits about as long as a
     * call takes. Whoever stood further back would mostly hold its caller up only to be refused in
     * the end. It is the proportion of MicroProfile's and Helidon's defaults; Resilience4j has no
     * such bound.
     *
     * @param calls 0 to {@value #MOST_CALLS}; more than 0 needs a {@code maxWaitDuration}
     */
    public Builder maxQueuedCalls(@Nullable Integer calls) {
      maxQueuedCalls = calls;
      return this;
    }

    /**
     * Sets whether a call stands back behind those that wait, so that slots are given in the order
     * of arrival. If not, a call that comes just when a slot has been given back may take it before
     * the first of those that wait. Default: true.
     */
    public Builder fairCallHandlingEnabled(boolean enabled) {
      fairCallHandlingEnabled = enabled;
      return this;
    }

    /** Sets whether {@link BulkheadFullException} carries a stack trace. Default: false. */
    public Builder writableStackTraceEnabled(boolean enabled) {
      writableStackTraceEnabled = enabled;
      return this;
    }

    /**
     * Sets what ends the waiting in time. If it takes no timer, calls do not wait. Default: {@link
     * Scheduler#system()}.
     */
    public Builder scheduler(Scheduler scheduler) {
      this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
      return this;
    }

    /**
     * Sets what starts stages that have waited for their turn: not the thread that gave its slot
     * back, which has its own call to end, and its own interrupts. An executor that rejects makes
     * that thread do it all the same. Plain calls go on on their own thread. Default: the common
     * pool.
     */
    public Builder executor(@Nullable Executor executor) {
      this.executor = executor;
      return this;
    }

    /**
     * Sets what calls run on once they have a slot, stages in so far as they are started there,
     * while their callers wait or go their way: so a dependency holds threads of its own and no
     * others. It needs no bound, which the slots are, and should start what it is given at once;
     * where it rejects a call, that is refused with {@link CallNotStartedException}. An interrupted
     * caller of a plain call gets a {@code CancellationException}, with its interrupt flag set.
     * Default: none, calls run on the threads of their callers.
     */
    public Builder callExecutor(@Nullable Executor executor) {
      callExecutor = executor;
      return this;
    }

    /** What begins stages that have waited; with a call executor, that hands them over anyway. */
    private Executor starter() {
      if (callExecutor != null) {
        return Runnable::run;
      }
      return executor == null ? ForkJoinPool.commonPool() : executor;
    }

    private int maxQueued() {
      if (maxQueuedCalls != null) {
        return maxQueuedCalls;
      }
      return adaptiveLimit == null ? mostAtOnce() : adaptiveLimit.initial(maxConcurrentCalls);
    }

    /** As set; else the default, within the bounds of an adaptive limit. */
    private int mostAtOnce() {
      if (maxConcurrentCalls != null) {
        return maxConcurrentCalls;
      }
      return adaptiveLimit == null ? DEFAULT_MAX_CONCURRENT_CALLS : adaptiveLimit.initial(null);
    }

    private BulkheadConfig build() {
      Faults faults = new Faults();
      if (maxConcurrentCalls != null) {
        boolean limitIsRight = maxConcurrentCalls >= 1 && maxConcurrentCalls <= MOST_CALLS;
        faults.check(limitIsRight, "maxConcurrentCalls", maxConcurrentCalls, "1 to 1,000,000");
      }
      faults.checkDuration("maxWaitDuration", maxWaitDuration, Duration.ZERO);
      if (maxQueuedCalls != null) {
        boolean queueIsRight = maxQueuedCalls >= 0 && maxQueuedCalls <= MOST_CALLS;
        faults.check(queueIsRight, "maxQueuedCalls", maxQueuedCalls, "0 to 1,000,000");
        faults.check(
            maxQueuedCalls <= 0 || !maxWaitDuration.isZero(),
            "maxQueuedCalls",
            maxQueuedCalls + " without maxWaitDuration",
            "a time for which calls may wait");
      }
      if (adaptiveLimit != null) {
        adaptiveLimit.check(faults, maxConcurrentCalls);
      }
      faults.throwIfAny("A bulkhead");
      return new BulkheadConfig(copy());
    }
  }
}

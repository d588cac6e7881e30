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
 * The settings of a timeout. Immutable; made by {@link #of} or from another one by {@link #with}.
 * Names are Resilience4j's where it has the setting. Wrong settings fail when the configuration is
 * made, all of them in one {@link InvalidConfigurationException}.
 */
public final class TimeoutConfig extends PolicyConfig {
  /** Default of {@code timeoutDuration}: 1 s. */
  public static final Duration DEFAULT_TIMEOUT_DURATION = Duration.ofSeconds(1);

  private static final TimeoutConfig DEFAULTS = new Builder().build();

  private final Builder source;
  final long timeoutNanos;
  final Ticker ticker;
  final Scheduler scheduler;
  final boolean onSystemTime;

  private TimeoutConfig(Builder source) {
    this.source = source;
    timeoutNanos = source.timeoutDuration.toNanos();
    ticker = source.ticker;
    scheduler = source.scheduler;
    onSystemTime = ticker == Ticker.system() && scheduler == Scheduler.system();
  }

  /** Returns the configuration in which nothing was set. */
  public static TimeoutConfig defaults() {
    return DEFAULTS;
  }

  /**
   * Makes a configuration.
   *
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static TimeoutConfig of(Consumer<? super Builder> settings) {
    return DEFAULTS.with(settings);
  }

  /**
   * Makes a configuration from this one.
   *
   * @param settings sets what shall differ
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public TimeoutConfig with(Consumer<? super Builder> settings) {
    Builder builder = source.copy();
    settings.accept(builder);
    return builder.build();
  }

  /** How long a call may take. */
  public Duration timeoutDuration() {
    return source.timeoutDuration;
  }

  /** What plain calls run on; null when they run on the calling thread. */
  public @Nullable Executor executor() {
    return source.executor;
  }

  /** Whether the exception carries a stack trace of its own. */
  public boolean writableStackTraceEnabled() {
    return source.writableStackTraceEnabled;
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("timeoutDuration", source.timeoutDuration);
    all.put("writableStackTraceEnabled", source.writableStackTraceEnabled);
    putIfSet(all, "executor", source.executor);
    all.put("ticker", ticker);
    all.put("scheduler", scheduler);
    return Collections.unmodifiableMap(all);
  }

  /**
   * Sets what a configuration shall differ in. A later call of the same setter replaces an earlier
   * one. Where a setting may be null, that takes it back to its default. Not thread-safe.
   */
  public static final class Builder implements Cloneable {
    private Duration timeoutDuration = DEFAULT_TIMEOUT_DURATION;
    private @Nullable Executor executor;
    private boolean writableStackTraceEnabled;
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
     * Sets how long a call may take; one that takes as long or longer is timed out. Waiting for a
     * thread of the executor is part of it. Default: 1 s.
     *
     * @param limit more than zero
     */
    public Builder timeoutDuration(Duration limit) {
      timeoutDuration = Objects.requireNonNull(limit, "timeoutDuration");
      return this;
    }

    /**
     * Sets what plain calls run on, while their callers wait for them: one thread a call, a virtual
     * one for example. Then the timeout comes on time even if the call ignores interruption. Stages
     * are started on the calling thread in any case. Default: none, plain calls run on the calling
     * thread.
     *
     * @param executor one that lets its tasks wait; where it rejects one, the caller gets {@link
     *     CallNotStartedException}
     */
    public Builder executor(@Nullable Executor executor) {
      this.executor = executor;
      return this;
    }

    /** Sets whether the exception carries a stack trace of its own. Default: false. */
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
     * Sets what tells when the time is over, with a timer a call. Stages that are timed out are
     * cancelled and completed on its thread. Default: {@link Scheduler#system()}.
     */
    public Builder scheduler(Scheduler scheduler) {
      this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
      return this;
    }

    private TimeoutConfig build() {
      Faults faults = new Faults();
      faults.checkDuration("timeoutDuration", timeoutDuration, Duration.ofNanos(1));
      faults.throwIfAny("A timeout");
      return new TimeoutConfig(copy());
    }
  }
}

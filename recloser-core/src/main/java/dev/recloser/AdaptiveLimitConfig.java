package dev.recloser;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a limit that a bulkhead finds by itself. Immutable; part of a {@link
 * BulkheadConfig}, and made and checked with it by {@link BulkheadConfig.Builder#adaptiveLimit}.
 */
public final class AdaptiveLimitConfig extends PolicyConfig {
  /** Default of {@code algorithm}: {@code GRADIENT}. */
  public static final LimitAlgorithm DEFAULT_ALGORITHM = LimitAlgorithm.GRADIENT;

  /** Default of {@code minLimit}: {@value}. */
  public static final int DEFAULT_MIN_LIMIT = 3;

  /** Default of {@code maxLimit}: {@value}. */
  public static final int DEFAULT_MAX_LIMIT = 200;

  /** Default of {@code latencyTolerance}: {@value}. */
  public static final double DEFAULT_LATENCY_TOLERANCE = 1.5;

  /** Default of {@code maxSlowSpellDuration}: a day. */
  public static final Duration DEFAULT_MAX_SLOW_SPELL_DURATION = Duration.ofDays(1);

  /** Default of {@code failureRateThreshold}: {@value} %. */
  public static final double DEFAULT_FAILURE_RATE_THRESHOLD = 20;

  /** Default of {@code backoffFactor}: {@value}. */
  public static final double DEFAULT_BACKOFF_FACTOR = 0.75;

  /** Default of {@code adjustmentInterval}: 100 ms. */
  public static final Duration DEFAULT_ADJUSTMENT_INTERVAL = Duration.ofMillis(100);

  private final Builder source;
  private final int initialLimit;
  final int minLimit;
  final int maxLimit;
  final Threshold failureRate;
  final long intervalNanos;
  final Classifier classifier;

  private AdaptiveLimitConfig(Builder source, int initialLimit) {
    this.source = source;
    this.initialLimit = initialLimit;
    minLimit = source.minLimit;
    maxLimit = source.maxLimit;
    failureRate = Threshold.of(source.failureRateThreshold);
    intervalNanos = source.adjustmentInterval.toNanos();
    classifier =
        source.classifier == null
            ? Classifier.defaults()
            : source.classifier.orElse(Classifier.defaults());
  }

  /** How the limit goes up and down. */
  public LimitAlgorithm algorithm() {
    return source.algorithm;
  }

  /** What the limit begins with. */
  public int initialLimit() {
    return initialLimit;
  }

  /** The floor: the limit never falls below it. */
  public int minLimit() {
    return minLimit;
  }

  /** The ceiling: the limit never rises above it. */
  public int maxLimit() {
    return maxLimit;
  }

  /** How many times as long as normal calls may take before the limit is lowered. */
  public double latencyTolerance() {
    return source.latencyTolerance;
  }

  /** How long calls may take in any case before the limit is lowered; null for no such bound. */
  public @Nullable Duration maxLatency() {
    return source.maxLatency;
  }

  /** How long calls normally take, if that is given; null if it is measured. */
  public @Nullable Duration baselineLatency() {
    return source.baselineLatency;
  }

  /** How long calls must have been slow, though few ran, until that is normal. */
  public Duration maxSlowSpellDuration() {
    return source.maxSlowSpellDuration;
  }

  /** The share of failed calls at which the limit is lowered, in percent. */
  public double failureRateThreshold() {
    return source.failureRateThreshold;
  }

  /** What is left of the limit in a step down for failures, or in any of {@code AIMD}. */
  public double backoffFactor() {
    return source.backoffFactor;
  }

  /** How far apart changes are at least, other than those for failures. */
  public Duration adjustmentInterval() {
    return source.adjustmentInterval;
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("algorithm", source.algorithm);
    all.put("initialLimit", initialLimit);
    all.put("minLimit", minLimit);
    all.put("maxLimit", maxLimit);
    all.put("latencyTolerance", source.latencyTolerance);
    putIfSet(all, "maxLatency", source.maxLatency);
    if (source.baselineLatency == null) {
      all.put("maxSlowSpellDuration", source.maxSlowSpellDuration);
    } else {
      all.put("baselineLatency", source.baselineLatency);
    }
    all.put("failureRateThreshold", source.failureRateThreshold);
    all.put("backoffFactor", source.backoffFactor);
    all.put("adjustmentInterval", source.adjustmentInterval);
    putIfSet(all, "classifier", source.classifier);
    return Collections.unmodifiableMap(all);
  }

  LimitSearch search() {
    return source.algorithm == LimitAlgorithm.AIMD
        ? new Aimd(source.backoffFactor)
        : new Gradient();
  }

  int clamp(int limit) {
    return Math.max(minLimit, Math.min(maxLimit, limit));
  }

  /**
   * Sets what an adaptive limit shall differ in. A later call of the same setter replaces an
   * earlier one. Where a setting may be null, that takes it back to its default. Not thread-safe.
   */
  public static final class Builder implements Cloneable {
    private LimitAlgorithm algorithm = DEFAULT_ALGORITHM;
    private @Nullable Integer initialLimit;
    private int minLimit = DEFAULT_MIN_LIMIT;
    private int maxLimit = DEFAULT_MAX_LIMIT;
    private double latencyTolerance = DEFAULT_LATENCY_TOLERANCE;
    private @Nullable Duration maxLatency;
    private @Nullable Duration baselineLatency;
    private Duration maxSlowSpellDuration = DEFAULT_MAX_SLOW_SPELL_DURATION;
    private double failureRateThreshold = DEFAULT_FAILURE_RATE_THRESHOLD;
    private double backoffFactor = DEFAULT_BACKOFF_FACTOR;
    private Duration adjustmentInterval = DEFAULT_ADJUSTMENT_INTERVAL;
    private @Nullable Classifier classifier;

    Builder() {}

    Builder copy() {
      try {
        return (Builder) clone(); // All values are immutable or functions.
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }

    /** Sets how the limit goes up and down. Default: {@link LimitAlgorithm#GRADIENT}. */
    public Builder algorithm(LimitAlgorithm algorithm) {
      this.algorithm = Objects.requireNonNull(algorithm, "algorithm");
      return this;
    }

    /**
     * Sets what the limit begins with. Default: the bulkhead's {@code maxConcurrentCalls} if that
     * is set, else what comes nearest to its default between {@code minLimit} and {@code maxLimit}.
     *
     * @param limit from {@code minLimit} to {@code maxLimit}
     */
    public Builder initialLimit(@Nullable Integer limit) {
      initialLimit = limit;
      return this;
    }

    /**
     * Sets the floor. It is also how many calls at once are few: what is normal is measured while
     * no more run. So the dependency should take that many with ease; with a floor above its
     * capacity, the limit takes an overload for normal. Default: {@value #DEFAULT_MIN_LIMIT}.
     *
     * @param limit 1 to {@code maxLimit}
     */
    public Builder minLimit(int limit) {
      minLimit = limit;
      return this;
    }

    /**
     * Sets the ceiling. Default: {@value #DEFAULT_MAX_LIMIT}.
     *
     * @param limit {@code minLimit} to 1,000,000
     */
    public Builder maxLimit(int limit) {
      maxLimit = limit;
      return this;
    }

    /**
     * Sets how many times as long as normal calls may take: the median of some, so that a few slow
     * ones among them do not matter. Default: {@value #DEFAULT_LATENCY_TOLERANCE}.
     *
     * @param factor more than 1, at most 100
     */
    public Builder latencyTolerance(double factor) {
      latencyTolerance = factor;
      return this;
    }

    /**
     * Sets how long calls may take in any case, the median of some, whatever is normal. Default:
     * none.
     *
     * @param latency more than zero; null for none
     */
    public Builder maxLatency(@Nullable Duration latency) {
      maxLatency = latency;
      return this;
    }

    /**
     * Sets how long calls normally take, when few run; then it is not measured. Default: none, it
     * is measured.
     *
     * @param latency more than zero; null to measure it
     */
    public Builder baselineLatency(@Nullable Duration latency) {
      baselineLatency = latency;
      return this;
    }

    /**
     * Sets how long calls must have been slow, though few ran, until that is taken for normal. It
     * should be longer than any incident. Default: a day.
     *
     * @param duration more than zero
     */
    public Builder maxSlowSpellDuration(Duration duration) {
      maxSlowSpellDuration = Objects.requireNonNull(duration, "maxSlowSpellDuration");
      return this;
    }

    /**
     * Sets the share of failed calls at which the limit is lowered. With a smaller share, or a
     * refusal by a policy inside the bulkhead, it is not raised. Default: {@value
     * #DEFAULT_FAILURE_RATE_THRESHOLD}.
     *
     * @param percent above 0, at most 100, with at most six decimals
     */
    public Builder failureRateThreshold(double percent) {
      failureRateThreshold = percent;
      return this;
    }

    /**
     * Sets what is left of the limit in a step down for failures, or in any of {@code AIMD}. There
     * is one such step for all calls that run at once. Default: {@value #DEFAULT_BACKOFF_FACTOR}.
     *
     * @param factor 0.1 to 0.99
     */
    public Builder backoffFactor(double factor) {
      backoffFactor = factor;
      return this;
    }

    /**
     * Sets how far apart changes are at least, other than those for failures. Default: 100 ms.
     *
     * @param interval zero or more
     */
    public Builder adjustmentInterval(Duration interval) {
      adjustmentInterval = Objects.requireNonNull(interval, "adjustmentInterval");
      return this;
    }

    /**
     * Sets what tells successes, whose latency counts, from failures. Default: {@link
     * Classifier#defaults()}, which is asked as well where this one has no opinion.
     */
    public Builder classifier(@Nullable Classifier classifier) {
      this.classifier = classifier;
      return this;
    }

    /**
     * What it begins with.
     *
     * @param maxConcurrentCalls those of the bulkhead if they were set; else null
     */
    int initial(@Nullable Integer maxConcurrentCalls) {
      if (initialLimit != null) {
        return initialLimit;
      }
      return maxConcurrentCalls != null
          ? maxConcurrentCalls
          : Math.max(minLimit, Math.min(maxLimit, BulkheadConfig.DEFAULT_MAX_CONCURRENT_CALLS));
    }

    AdaptiveLimitConfig build(@Nullable Integer maxConcurrentCalls) {
      return new AdaptiveLimitConfig(copy(), initial(maxConcurrentCalls));
    }

    /** Adds what is wrong with it to what is wrong with its bulkhead. */
    void check(Faults faults, @Nullable Integer maxConcurrentCalls) {
      checkLimits(faults, initial(maxConcurrentCalls));
      faults.check(
          latencyTolerance > 1 && latencyTolerance <= 100,
          "adaptiveLimit.latencyTolerance",
          latencyTolerance,
          "more than 1, at most 100");
      faults.check(
          backoffFactor >= 0.1 && backoffFactor <= 0.99,
          "adaptiveLimit.backoffFactor",
          backoffFactor,
          "0.1 to 0.99");
      faults.checkPercent("adaptiveLimit.failureRateThreshold", failureRateThreshold);
      checkTimes(faults);
    }

    private void checkLimits(Faults faults, int initial) {
      boolean floorIsRight = minLimit >= 1 && minLimit <= BulkheadConfig.MOST_CALLS;
      boolean ceilingIsRight = maxLimit >= 1 && maxLimit <= BulkheadConfig.MOST_CALLS;
      faults.check(floorIsRight, "adaptiveLimit.minLimit", minLimit, "1 to 1,000,000");
      faults.check(ceilingIsRight, "adaptiveLimit.maxLimit", maxLimit, "1 to 1,000,000");
      if (!floorIsRight || !ceilingIsRight) {
        return;
      }
      faults.check(
          minLimit <= maxLimit,
          "adaptiveLimit.minLimit",
          minLimit,
          "at most " + maxLimit + ", the maxLimit");
      faults.check(
          minLimit > maxLimit || (initial >= minLimit && initial <= maxLimit),
          "adaptiveLimit.initialLimit",
          initial + (initialLimit == null ? ", the maxConcurrentCalls" : ""),
          minLimit + " to " + maxLimit);
    }

    private void checkTimes(Faults faults) {
      Duration least = Duration.ofNanos(1);
      faults.checkDuration("adaptiveLimit.maxSlowSpellDuration", maxSlowSpellDuration, least);
      faults.checkDuration("adaptiveLimit.adjustmentInterval", adjustmentInterval, Duration.ZERO);
      if (maxLatency != null) {
        faults.checkDuration("adaptiveLimit.maxLatency", maxLatency, least);
      }
      if (baselineLatency != null) {
        faults.checkDuration("adaptiveLimit.baselineLatency", baselineLatency, least);
      }
    }
  }
}

package dev.recloser.config;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the calls that a configuration is for, and of who makes them. Rules of {@link
 * Lint} that need what is not known find nothing.
 *
 * <p>It is taken to be so for each policy of which a file does not say otherwise under {@code
 * recloser.lint.workload}. Immutable.
 */
public final class Workload {
  private static final Workload UNKNOWN = new Workload(new Builder());
  private static final double NANOS_PER_SECOND = 1e9;

  private final @Nullable Double callsPerSecond;
  private final @Nullable Duration p99;
  private final @Nullable Double errorRate;
  private final @Nullable Integer pool;
  private final @Nullable Integer replicas;

  private Workload(Builder builder) {
    callsPerSecond = builder.callsPerSecond;
    p99 = builder.p99;
    errorRate = builder.errorRate;
    pool = builder.pool;
    replicas = builder.replicas;
  }

  /** One of which nothing is known. */
  public static Workload unknown() {
    return UNKNOWN;
  }

  /**
   * Makes one.
   *
   * @param settings sets what is known
   * @throws dev.recloser.InvalidConfigurationException when something cannot be; lists it all
   */
  public static Workload of(Consumer<? super Builder> settings) {
    Builder builder = new Builder();
    settings.accept(builder);
    builder.check();
    return new Workload(builder);
  }

  /** This one, and what another one knows where this one does not. */
  Workload orElse(Workload other) {
    return new Workload(new Builder().with(other).with(this));
  }

  @Nullable Double callsPerSecond() {
    return callsPerSecond;
  }

  @Nullable Duration p99() {
    return p99;
  }

  @Nullable Double errorRate() {
    return errorRate;
  }

  @Nullable Integer pool() {
    return pool;
  }

  @Nullable Integer replicas() {
    return replicas;
  }

  /** How many calls come in a time, by Little's law the number in flight if each takes it. */
  static double callsIn(Duration time, double callsPerSecond) {
    return seconds(time) * callsPerSecond;
  }

  static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / NANOS_PER_SECOND;
  }

  /** Sets what is known; nothing is by default. Not thread-safe. */
  public static final class Builder {
    private @Nullable Double callsPerSecond;
    private @Nullable Duration p99;
    private @Nullable Double errorRate;
    private @Nullable Integer pool;
    private @Nullable Integer replicas;

    private Builder() {}

    /** Sets how many calls one process makes to a dependency in a second; more than zero. */
    public Builder callsPerSecond(double calls) {
      callsPerSecond = calls;
      return this;
    }

    /** Sets the time within which 99 of 100 calls end on a usual day; more than zero. */
    public Builder p99(Duration time) {
      p99 = Objects.requireNonNull(time, "p99");
      return this;
    }

    /** Sets how many calls fail on a usual day, in percent, 0 to 100. */
    public Builder errorRate(double percent) {
      errorRate = percent;
      return this;
    }

    /** Sets how many workers, threads or connections make the calls; at least 1. */
    public Builder pool(int workers) {
      pool = workers;
      return this;
    }

    /** Sets how many processes call the same dependency; at least 1. */
    public Builder replicas(int processes) {
      replicas = processes;
      return this;
    }

    private Builder with(Workload known) {
      callsPerSecond = known.callsPerSecond == null ? callsPerSecond : known.callsPerSecond;
      p99 = known.p99 == null ? p99 : known.p99;
      errorRate = known.errorRate == null ? errorRate : known.errorRate;
      pool = known.pool == null ? pool : known.pool;
      replicas = known.replicas == null ? replicas : known.replicas;
      return this;
    }

    private void check() {
      FaultList faults = new FaultList();
      if (callsPerSecond != null) {
        boolean right = callsPerSecond > 0 && callsPerSecond < Double.POSITIVE_INFINITY;
        faults.check(right, "callsPerSecond", callsPerSecond, "more than 0");
      }
      if (p99 != null) {
        faults.check(!p99.isZero() && !p99.isNegative(), "p99", p99, "more than zero");
      }
      if (errorRate != null) {
        faults.check(errorRate >= 0 && errorRate <= 100, "errorRate", errorRate, "0 to 100");
      }
      if (pool != null) {
        faults.check(pool >= 1, "pool", pool, "at least 1");
      }
      if (replicas != null) {
        faults.check(replicas >= 1, "replicas", replicas, "at least 1");
      }
      faults.throwIfAny("A workload");
    }
  }
}

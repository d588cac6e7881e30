package dev.recloser.lab;

import dev.recloser.InvalidConfigurationException;
import dev.recloser.InvalidConfigurationException.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many workers of a pool the calls to a dependency take, by Little's law: the mean number of
 * calls in flight is their rate times the mean time of each, {@code L = λ W} (J. D. C. Little, "A
 * Proof for the Queuing Formula: L = λW", Operations Research 9, 1961).
 *
 * <p>Immutable.
 *
 * @param callsPerSecond how many calls come in, more than zero
 * @param time how long each holds its worker, more than zero
 * @param pool how many workers there are, at least 1
 */
public record Occupancy(double callsPerSecond, Duration time, int pool) {
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Checks the numbers.
   *
   * @throws InvalidConfigurationException when one cannot be; lists them all
   */
  public Occupancy {
    List<Fault> faults = new ArrayList<>();
    if (!(callsPerSecond > 0 && callsPerSecond < Double.POSITIVE_INFINITY)) {
      faults.add(new Fault("callsPerSecond", String.valueOf(callsPerSecond), "more than 0"));
    }
    if (time.isNegative() || time.isZero()) {
      faults.add(new Fault("time", String.valueOf(time), "more than zero"));
    }
    if (pool < 1) {
      faults.add(new Fault("pool", String.valueOf(pool), "at least 1"));
    }
    if (!faults.isEmpty()) {
      throw new InvalidConfigurationException("An occupancy", faults);
    }
  }

  /** The same calls and workers, where each call takes another time. */
  public Occupancy taking(Duration time) {
    return new Occupancy(callsPerSecond, time, pool);
  }

  /** How many workers it would take for no call to wait. */
  public double needed() {
    return callsPerSecond * seconds();
  }

  /** How many workers are busy: those needed, as far as there are any. */
  public double busy() {
    return Math.min(pool, needed());
  }

  /** Whether all workers are busy. */
  public boolean isFull() {
    return needed() >= pool;
  }

  /** How many calls a second the pool can serve at most. */
  public double ceiling() {
    return pool / seconds();
  }

  /**
   * How long it takes until all workers are busy, if calls begin to take this time at once; null if
   * that never happens. Calls under way at that moment are taken to end as usual; if they hang,
   * too, it is sooner by the time that a usual call takes.
   */
  public @Nullable Duration timeToFill() {
    return isFull() ? ofSeconds(pool / callsPerSecond) : null;
  }

  /** How long calls may take before all workers are busy. */
  public Duration longestTime() {
    return ofSeconds(pool / callsPerSecond);
  }

  /** How many workers those calls hold that came in since calls began to take this time. */
  public double busyAfter(Duration elapsed) {
    return Math.min(busy(), callsPerSecond * seconds(elapsed));
  }

  private double seconds() {
    return seconds(time);
  }

  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / NANOS_PER_SECOND;
  }

  private static Duration ofSeconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * NANOS_PER_SECOND));
  }
}

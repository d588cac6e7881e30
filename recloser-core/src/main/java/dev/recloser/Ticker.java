package dev.recloser;

/**
 * The only clock of the library: monotonic nanoseconds from an arbitrary origin.
 *
 * <p>Readings mean nothing by themselves; only the difference of two does, and it is taken by
 * subtraction, so that a reading may be negative and may wrap around. A ticker is called from many
 * threads at once, must not throw and must not go backwards.
 */
@FunctionalInterface
public interface Ticker {
  /** Returns the present reading in nanoseconds. */
  long nanoTime();

  /** Returns the ticker that reads {@link System#nanoTime()}. */
  static Ticker system() {
    return SystemTime.TICKER;
  }
}

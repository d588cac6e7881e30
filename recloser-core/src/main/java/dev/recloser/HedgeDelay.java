package dev.recloser;

import java.util.Arrays;

/**
 * The delay of a hedge: fixed, or a percentile of the times that first attempts took.
 *
 * <p>The last {@value #SIZE} times stand in a ring, and the percentile is the nearest rank of them,
 * computed anew at every {@value #STEP}th, which costs a sort of the ring. An attempt that was
 * cancelled because another one was faster counts with the time that it had taken until then: it
 * would have taken longer, and leaving it out would let the delay shrink with each hedge.
 */
final class HedgeDelay {
  private static final int SIZE = 100;
  private static final int MINIMUM = 20;
  private static final int STEP = 10;

  // Guarded by this.
  private final long[] ring = new long[SIZE];
  private long added;

  private volatile long measured = -1;

  /** How long an attempt has, in nanoseconds. */
  long nanos(HedgeConfig config) {
    long now = measured;
    return !config.followsCalls() || now < 0 ? config.delayNanos : now;
  }

  /** Takes how long a first attempt took. */
  void add(long nanos, HedgeConfig config) {
    if (!config.followsCalls()) {
      return;
    }
    synchronized (this) {
      ring[(int) (added % SIZE)] = Math.max(0, nanos);
      added++;
      if (added >= MINIMUM && added % STEP == 0) {
        measured = rank(config.delayPercentile());
      }
    }
  }

  /** Forgets what was computed for another percentile. */
  synchronized void reconfigured(HedgeConfig config) {
    boolean isKnown = config.followsCalls() && added >= MINIMUM;
    measured = isKnown ? rank(config.delayPercentile()) : -1;
  }

  private long rank(double percentile) {
    long[] sorted = Arrays.copyOf(ring, (int) Math.min(added, SIZE));
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(percentile * sorted.length / 100);
    return sorted[Math.max(1, rank) - 1];
  }
}

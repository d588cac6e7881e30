package dev.recloser;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Admits a share of the calls that grows evenly from a first share to all of them.
 *
 * <p>Every call earns the present share as credit, and one that brings the credit to a whole call
 * is admitted and spends it. So a share of a tenth admits every tenth call, not one in ten by
 * chance: no burst, and the same calls give the same answers. The first call is admitted.
 *
 * <p>Shares are whole millionths. A ramp of more than an hour or so measures time more coarsely
 * than in nanoseconds, so that a product of the two fits.
 */
final class RampUp {
  static final RampUp NONE = new RampUp(0, 0, 0);

  private static final long WHOLE = 1_000_000;
  private static final int WHOLE_BITS = 20;

  private final long start;
  private final long nanos;
  private final int coarseness;
  private final long initialShare;

  /**
   * One atomic addition a call both earns and spends: the sum only grows, and a call is admitted if
   * its addition carries the sum over a multiple of a whole.
   */
  private final AtomicLong credit;

  /** Written by whoever sees the end first; a stale read costs one more look at the clock. */
  private volatile boolean running;

  private RampUp(long start, long nanos, long initialShare) {
    this.start = start;
    this.nanos = nanos;
    this.initialShare = initialShare;
    int bits = Long.SIZE - Long.numberOfLeadingZeros(nanos);
    coarseness = Math.max(0, bits + WHOLE_BITS - (Long.SIZE - 1));
    credit = new AtomicLong(WHOLE - initialShare);
    running = nanos > 0;
  }

  static RampUp of(CircuitBreakerConfig config, long start) {
    return config.rampUpNanos == 0
        ? NONE
        : new RampUp(
            start, config.rampUpNanos, Math.round(config.rampUpInitialPercentage() * WHOLE / 100));
  }

  boolean isRunning() {
    return running;
  }

  boolean admits(long now) {
    if (!running) {
      return true;
    }
    if (now - start >= nanos) {
      running = false;
      return true;
    }
    long earned = share(now);
    long before = credit.getAndAdd(earned);
    return before / WHOLE != (before + earned) / WHOLE;
  }

  long nanosLeft(long now) {
    return Math.max(0, nanos - (now - start));
  }

  double percentage(long now) {
    return running && now - start < nanos ? 100.0 * share(now) / WHOLE : 100;
  }

  private long share(long now) {
    long elapsed = Math.max(0, now - start) >> coarseness;
    return initialShare + (WHOLE - initialShare) * elapsed / (nanos >> coarseness);
  }
}

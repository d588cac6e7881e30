package dev.recloser;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Admits a share of the calls that grows evenly from a first share to all of them.
 *
 * <p>Every call earns the present share as credit, and one that brings the credit to a whole call
 * is admitted and spends it. So a share of a tenth admits every tenth call, not one in ten by
 * chance: no burst, and the same calls give the same answers. The first call is admitted.
 */
final class RampUp {
  static final RampUp NONE = new RampUp(0, 0, 1);

  private static final long WHOLE = 1_000_000;

  private final long start;
  private final long nanos;
  private final double initialShare;

  /**
   * Millionths of a call. One atomic addition a call, which both earns and spends: the sum only
   * grows, and a call is admitted if its addition carries the sum over a multiple of a whole.
   */
  private final AtomicLong credit;

  /** Written by whoever sees the end first; a stale read costs one more look at the clock. */
  private volatile boolean running;

  private RampUp(long start, long nanos, double initialShare) {
    this.start = start;
    this.nanos = nanos;
    this.initialShare = initialShare;
    credit = new AtomicLong(WHOLE - (long) (initialShare * WHOLE));
    running = nanos > 0;
  }

  static RampUp of(CircuitBreakerConfig config, long start) {
    return config.rampUpNanos == 0
        ? NONE
        : new RampUp(start, config.rampUpNanos, config.rampUpInitialPercentage() / 100);
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
    long earned = (long) (share(now) * WHOLE);
    long before = credit.getAndAdd(earned);
    return before / WHOLE != (before + earned) / WHOLE;
  }

  double percentage(long now) {
    return running && now - start < nanos ? 100 * share(now) : 100;
  }

  private double share(long now) {
    double elapsed = Math.max(0, now - start) / (double) nanos;
    return initialShare + (1 - initialShare) * elapsed;
  }
}

package dev.recloser;

/**
 * The ramp-up in whole numbers: every call earns the present share as credit, and one that fills a
 * whole is admitted and spends it.
 */
final class NaiveRamp {
  /** Shares are whole millionths. */
  private static final long WHOLE = 1_000_000;

  private final long start;
  private final long nanos;
  private final long initial;
  private long credit;

  NaiveRamp(CircuitBreakerConfig config, long start) {
    this.start = start;
    nanos = config.rampUpDuration().toNanos();
    initial = Math.round(config.rampUpInitialPercentage() * 10_000);
    credit = WHOLE - initial;
  }

  boolean isOver(long now) {
    return now - start >= nanos;
  }

  long end() {
    return start + nanos;
  }

  boolean admits(long now) {
    if (isOver(now)) {
      return true;
    }
    credit += share(now);
    if (credit < WHOLE) {
      return false;
    }
    credit -= WHOLE;
    return true;
  }

  double percentage(long now) {
    return isOver(now) ? 100 : 100.0 * share(now) / WHOLE;
  }

  private long share(long now) {
    return initial + (WHOLE - initial) * (now - start) / nanos;
  }
}

package dev.recloser;

import java.util.List;

/**
 * The recorded calls that count now, and their sums. Not thread-safe: {@link Evidence} guards it.
 */
abstract sealed class Window permits CountWindow, TimeWindow {
  int calls;
  int failed;
  int slow;

  /** Counted in the two above as well. */
  int slowFailed;

  /** Records a call that ended at {@code now}. */
  abstract void add(boolean callFailed, boolean callSlow, long now);

  /** Records successes that were not slow, in a run, as having ended just now. */
  abstract void addSuccesses(int count);

  /** Whether {@link #expire} would have anything to do. */
  abstract boolean isStale(long now);

  /** Forgets what is too old at {@code now}. */
  abstract void expire(long now);

  /**
   * What it is made of, oldest first.
   *
   * @param most how many parts there may be, at least 1
   */
  abstract List<WindowSlice> slices(int most);

  /** Returns a window for new settings, with the calls of this one as far as its shape allows. */
  abstract Window reshaped(CircuitBreakerConfig config, long now);

  static Window of(CircuitBreakerConfig config, long now) {
    return config.timeBased
        ? new TimeWindow(config.slices, config.sliceNanos, now)
        : new CountWindow(config.windowCalls);
  }
}

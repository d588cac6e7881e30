package dev.recloser;

import java.util.ArrayList;
import java.util.List;

/**
 * The calls that ended in the last slices of time, the present one included, as a ring of counts.
 *
 * <p>Slices are counted from the origin of the window. A call is certainly in the window while less
 * than all slices but one have passed since it ended, and certainly out once all of them have.
 */
final class TimeWindow extends Window {
  private static final int CALLS = 0;
  private static final int FAILED = 1;
  private static final int SLOW = 2;
  private static final int SLOW_FAILED = 3;
  private static final int FIELDS = 4;

  private final int slices;
  private final long sliceNanos;
  private final long origin;
  private final int[] counts;

  /** The newest slice, counted from the origin. */
  private long head;

  TimeWindow(int slices, long sliceNanos, long origin) {
    this.slices = slices;
    this.sliceNanos = sliceNanos;
    this.origin = origin;
    counts = new int[slices * FIELDS];
  }

  @Override
  void add(boolean callFailed, boolean callSlow, long now) {
    expire(now);
    int at = offset(head);
    counts[at + CALLS]++;
    calls++;
    if (callFailed) {
      counts[at + FAILED]++;
      failed++;
    }
    if (callSlow) {
      counts[at + SLOW]++;
      slow++;
      int both = callFailed ? 1 : 0;
      counts[at + SLOW_FAILED] += both;
      slowFailed += both;
    }
  }

  @Override
  void addSuccesses(int count) {
    counts[offset(head) + CALLS] += count;
    calls += count;
  }

  @Override
  boolean isStale(long now) {
    return now - nextSliceAt() >= 0;
  }

  /** When the newest slice ends. */
  long nextSliceAt() {
    return origin + (head + 1) * sliceNanos;
  }

  /** A reading taken before another thread's, but used after it, falls into the newest slice. */
  @Override
  void expire(long now) {
    long slice = Math.floorDiv(now - origin, sliceNanos);
    if (slice <= head) {
      return;
    }
    long stale = Math.min(slice - head, slices);
    for (long i = 1; i <= stale; i++) {
      clear(offset(head + i));
    }
    head = slice;
  }

  /** As many slices in each part as it takes, empty ones included. */
  @Override
  List<WindowSlice> slices(int most) {
    int each = (slices - 1) / most + 1;
    List<WindowSlice> parts = new ArrayList<>();
    for (int oldest = slices; oldest > 0; ) {
      int length = oldest % each == 0 ? each : oldest % each;
      parts.add(sum(oldest, length));
      oldest -= length;
    }
    return parts;
  }

  private WindowSlice sum(int oldest, int length) {
    int[] sums = new int[FIELDS];
    for (int age = oldest; age > oldest - length; age--) {
      int at = Math.floorMod(head - age + 1, slices) * FIELDS;
      for (int field = 0; field < FIELDS; field++) {
        sums[field] += counts[at + field];
      }
    }
    return new WindowSlice(sums[CALLS], sums[FAILED], sums[SLOW], sums[SLOW_FAILED]);
  }

  @Override
  Window reshaped(CircuitBreakerConfig config, long now) {
    boolean same = config.timeBased && config.slices == slices && config.sliceNanos == sliceNanos;
    return same ? this : Window.of(config, now);
  }

  private void clear(int at) {
    calls -= counts[at + CALLS];
    failed -= counts[at + FAILED];
    slow -= counts[at + SLOW];
    slowFailed -= counts[at + SLOW_FAILED];
    counts[at + CALLS] = 0;
    counts[at + FAILED] = 0;
    counts[at + SLOW] = 0;
    counts[at + SLOW_FAILED] = 0;
  }

  private int offset(long slice) {
    return (int) (slice % slices) * FIELDS;
  }
}

package dev.recloser;

import java.util.ArrayList;
import java.util.List;

/** The last {@code size} calls as a ring of two bits a call. */
final class CountWindow extends Window {
  private final int size;
  private final long[] failedBits;
  private final long[] slowBits;
  private int next;

  CountWindow(int size) {
    this.size = size;
    failedBits = new long[(size + 63) / 64];
    slowBits = new long[(size + 63) / 64];
  }

  @Override
  void add(boolean callFailed, boolean callSlow, long now) {
    if (calls == size) {
      failed -= bit(failedBits, next);
      slow -= bit(slowBits, next);
      slowFailed -= bit(failedBits, next) & bit(slowBits, next);
    } else {
      calls++;
    }
    set(failedBits, next, callFailed);
    set(slowBits, next, callSlow);
    failed += callFailed ? 1 : 0;
    slow += callSlow ? 1 : 0;
    slowFailed += callFailed && callSlow ? 1 : 0;
    next = next + 1 == size ? 0 : next + 1;
  }

  @Override
  void addSuccesses(int count) {
    int run = Math.min(count, size);
    int upToEnd = Math.min(run, size - next);
    clear(next, next + upToEnd);
    clear(0, run - upToEnd);
    next = (int) ((next + (long) count) % size);
    calls = Math.min(size, calls + run);
  }

  /** Only calls push calls out. */
  @Override
  boolean isStale(long now) {
    return false;
  }

  @Override
  void expire(long now) {
    // See above.
  }

  /** As many calls in each part as it takes; fewer in the oldest, which is the next to go. */
  @Override
  List<WindowSlice> slices(int most) {
    int each = calls == 0 ? 1 : (calls - 1) / most + 1;
    List<WindowSlice> slices = new ArrayList<>();
    for (int oldest = calls; oldest > 0; ) {
      int length = oldest % each == 0 ? each : oldest % each;
      slices.add(slice(oldest, length));
      oldest -= length;
    }
    return slices;
  }

  private WindowSlice slice(int oldest, int length) {
    int sliceFailed = 0;
    int sliceSlow = 0;
    int sliceSlowFailed = 0;
    for (int age = oldest; age > oldest - length; age--) {
      int index = Math.floorMod(next - age, size);
      sliceFailed += bit(failedBits, index);
      sliceSlow += bit(slowBits, index);
      sliceSlowFailed += bit(failedBits, index) & bit(slowBits, index);
    }
    return new WindowSlice(length, sliceFailed, sliceSlow, sliceSlowFailed);
  }

  @Override
  Window reshaped(CircuitBreakerConfig config, long now) {
    if (config.timeBased) {
      return Window.of(config, now);
    }
    if (config.windowCalls == size) {
      return this;
    }
    CountWindow other = new CountWindow(config.windowCalls);
    for (int age = calls; age >= 1; age--) {
      int index = Math.floorMod(next - age, size);
      other.add(bit(failedBits, index) == 1, bit(slowBits, index) == 1, now);
    }
    return other;
  }

  /** Makes successes of the calls in these places. */
  private void clear(int from, int to) {
    for (int index = from; index < to; index = (index | 63) + 1) {
      int word = index >> 6;
      boolean last = (to - 1) >> 6 == word;
      // The places below "from" and those from "to" on; a shift takes its distance modulo 64.
      long kept = ~(-1L << index) | (last ? ~(-1L >>> -to) : 0);
      failed -= Long.bitCount(failedBits[word] & ~kept);
      slow -= Long.bitCount(slowBits[word] & ~kept);
      slowFailed -= Long.bitCount(failedBits[word] & slowBits[word] & ~kept);
      failedBits[word] &= kept;
      slowBits[word] &= kept;
    }
  }

  private static int bit(long[] bits, int index) {
    return (int) (bits[index >> 6] >>> index) & 1;
  }

  private static void set(long[] bits, int index, boolean value) {
    if (value) {
      bits[index >> 6] |= 1L << index;
    } else {
      bits[index >> 6] &= ~(1L << index);
    }
  }
}

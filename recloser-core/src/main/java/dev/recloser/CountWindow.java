package dev.recloser;

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
    } else {
      calls++;
    }
    set(failedBits, next, callFailed);
    set(slowBits, next, callSlow);
    failed += callFailed ? 1 : 0;
    slow += callSlow ? 1 : 0;
    next = next + 1 == size ? 0 : next + 1;
  }

  @Override
  void expire(long now) {
    // Only calls push calls out.
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

package dev.recloser;

/**
 * The longest of the calls of about the last two windows, without remembering each: the longest of
 * the present spell, which is as long as a window, and of the spell before. Not thread-safe: {@link
 * Evidence} guards it.
 */
final class SlowestCall {
  private long nanos = -1;
  private long nanosBefore = -1;
  private long spellStart;
  private int spellCalls;

  SlowestCall(long now) {
    spellStart = now;
  }

  /** Takes the longest of so many calls. */
  void add(int calls, long durationNanos, CircuitBreakerConfig config, long now) {
    expire(config, now);
    if (!config.timeBased && spellCalls >= config.windowCalls) {
      roll(nanos, now);
    }
    spellCalls += calls;
    nanos = Math.max(nanos, durationNanos);
  }

  /** Ends the spell if its time is over, and forgets both if that of the next is over as well. */
  void expire(CircuitBreakerConfig config, long now) {
    long length = config.sliceNanos * config.slices;
    if (config.timeBased && now - spellStart >= length) {
      roll(now - spellStart >= 2 * length ? -1 : nanos, now);
    }
  }

  /** The longest duration in nanoseconds; -1 if no call was timed. */
  long nanos() {
    return Math.max(nanos, nanosBefore);
  }

  private void roll(long before, long now) {
    nanosBefore = before;
    nanos = -1;
    spellStart = now;
    spellCalls = 0;
  }
}

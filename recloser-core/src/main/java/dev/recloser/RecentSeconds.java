package dev.recloser;

/**
 * The calls and the retries of the last seconds, the present one included, as a ring of counts.
 *
 * <p>Not thread-safe: {@link RetryBudget} guards it.
 */
final class RecentSeconds {
  static final int LENGTH = 10;
  static final long SECOND = 1_000_000_000L;

  private final long origin;
  private final long[] callsOf = new long[LENGTH];
  private final long[] retriesOf = new long[LENGTH];
  private long calls;
  private long retries;

  /** The newest second, counted from the origin. */
  private long head;

  RecentSeconds(long origin) {
    this.origin = origin;
  }

  long calls() {
    return calls;
  }

  long retries() {
    return retries;
  }

  /**
   * Forgets what is too old at {@code now}. A reading taken before another thread's, but used after
   * it, falls into the newest second.
   */
  void moveTo(long now) {
    long second = Math.floorDiv(now - origin, SECOND);
    if (second <= head) {
      return;
    }
    long stale = Math.min(second - head, LENGTH);
    for (long i = 1; i <= stale; i++) {
      clear(placeOf(head + i));
    }
    head = second;
  }

  /** Counts calls into the newest second. */
  void addCalls(long number) {
    callsOf[placeOf(head)] += number;
    calls += number;
  }

  /** Counts a retry into the newest second. */
  void addRetry() {
    retriesOf[placeOf(head)]++;
    retries++;
  }

  private void clear(int place) {
    calls -= callsOf[place];
    retries -= retriesOf[place];
    callsOf[place] = 0;
    retriesOf[place] = 0;
  }

  private static int placeOf(long second) {
    return (int) (second % LENGTH);
  }
}

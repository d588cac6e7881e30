package dev.recloser;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What a breaker counts in its whole life. Each number is added to atomically and never set back;
 * numbers read together may be a few calls apart.
 */
final class Counters {
  private static final RefusalReason[] REASONS = RefusalReason.values();
  private static final Outcome[] OUTCOMES = Outcome.values();

  private static final int ADMITTED = 0;
  private static final int SLOW = 1;
  private static final int LATE = 2;
  private static final int EXPIRED = 3;
  private static final int WOULD_HAVE_OPENED = 4;
  private static final int REFUSED = 5;
  private static final int ENDED = REFUSED + REASONS.length;
  private static final int PROBES = ENDED + OUTCOMES.length;
  private static final int SIZE = PROBES + OUTCOMES.length;

  private final AtomicLongArray counts = new AtomicLongArray(SIZE);

  /** Counts calls that no {@link Stripes} have any more, or none that ever had. */
  void admitted(long calls) {
    counts.getAndAdd(ADMITTED, calls);
  }

  /** Counts successes that only stripes have counted so far, admission and end. */
  void succeeded(int calls) {
    counts.getAndAdd(ADMITTED, calls);
    counts.getAndAdd(ENDED + Outcome.SUCCESS.ordinal(), calls);
  }

  void refused(RefusalReason reason) {
    counts.getAndIncrement(REFUSED + reason.ordinal());
  }

  void ended(Outcome outcome, boolean slow, boolean late, boolean probe) {
    if (slow) {
      counts.getAndIncrement(SLOW);
    }
    if (late) {
      counts.getAndIncrement(LATE);
    }
    if (probe) {
      counts.getAndIncrement(PROBES + outcome.ordinal());
    }
    // Last, so that a call is never out of flight with its other numbers missing.
    counts.getAndIncrement(ENDED + outcome.ordinal());
  }

  void probeExpired() {
    counts.getAndIncrement(EXPIRED);
  }

  void wouldHaveOpened() {
    counts.getAndIncrement(WOULD_HAVE_OPENED);
  }

  long slow() {
    return counts.get(SLOW);
  }

  long late() {
    return counts.get(LATE);
  }

  long expiredProbes() {
    return counts.get(EXPIRED);
  }

  long timesWouldHaveOpened() {
    return counts.get(WOULD_HAVE_OPENED);
  }

  long admittedCalls() {
    return counts.get(ADMITTED);
  }

  long ended(Outcome outcome) {
    return counts.get(ENDED + outcome.ordinal());
  }

  Map<RefusalReason, Long> refusals() {
    Map<RefusalReason, Long> refusals = new EnumMap<>(RefusalReason.class);
    for (RefusalReason reason : REASONS) {
      refusals.put(reason, counts.get(REFUSED + reason.ordinal()));
    }
    return Collections.unmodifiableMap(refusals);
  }

  Map<Outcome, Long> probes() {
    Map<Outcome, Long> probes = new EnumMap<>(Outcome.class);
    for (Outcome outcome : OUTCOMES) {
      probes.put(outcome, counts.get(PROBES + outcome.ordinal()));
    }
    return Collections.unmodifiableMap(probes);
  }

  /** All ends, of whichever kind. */
  long ended() {
    long ended = 0;
    for (Outcome outcome : OUTCOMES) {
      ended += ended(outcome);
    }
    return ended;
  }
}

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
  private static final int ENDED = 3;
  private static final int OFTEN = ENDED + OUTCOMES.length;

  private static final int EXPIRED = 0;
  private static final int WOULD_HAVE_OPENED = 1;
  private static final int REFUSED = 2;
  private static final int PROBES = REFUSED + REASONS.length;
  private static final int SELDOM = PROBES + OUTCOMES.length;

  private static final AtomicLongArray NONE = new AtomicLongArray(SELDOM);

  private final AtomicLongArray counts = new AtomicLongArray(OFTEN);

  /** What a breaker that has never opened does without; made under the lock, when it is needed. */
  private volatile AtomicLongArray seldom = NONE;

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
    countSeldom(REFUSED + reason.ordinal());
  }

  void ended(Outcome outcome, boolean slow, boolean late, boolean probe) {
    if (slow) {
      counts.getAndIncrement(SLOW);
    }
    if (late) {
      counts.getAndIncrement(LATE);
    }
    if (probe) {
      countSeldom(PROBES + outcome.ordinal());
    }
    // Last, so that a call is never out of flight with its other numbers missing.
    counts.getAndIncrement(ENDED + outcome.ordinal());
  }

  void probeExpired() {
    countSeldom(EXPIRED);
  }

  void wouldHaveOpened() {
    countSeldom(WOULD_HAVE_OPENED);
  }

  long slow() {
    return counts.get(SLOW);
  }

  long late() {
    return counts.get(LATE);
  }

  long expiredProbes() {
    return seldom.get(EXPIRED);
  }

  long timesWouldHaveOpened() {
    return seldom.get(WOULD_HAVE_OPENED);
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
      refusals.put(reason, seldom.get(REFUSED + reason.ordinal()));
    }
    return Collections.unmodifiableMap(refusals);
  }

  Map<Outcome, Long> probes() {
    Map<Outcome, Long> probes = new EnumMap<>(Outcome.class);
    for (Outcome outcome : OUTCOMES) {
      probes.put(outcome, seldom.get(PROBES + outcome.ordinal()));
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

  private void countSeldom(int index) {
    AtomicLongArray present = seldom;
    (present == NONE ? made() : present).getAndIncrement(index);
  }

  private synchronized AtomicLongArray made() {
    if (seldom == NONE) {
      seldom = new AtomicLongArray(SELDOM);
    }
    return seldom;
  }
}

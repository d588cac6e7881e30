package dev.recloser;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a breaker that admits calls knows about them: those recorded, those in flight past the
 * limit, samples of the failures, the slowest call.
 *
 * <p>All that matters is done under the lock of this object, for a few instructions, and without
 * user code but the ticker. The lock is what makes a result either part of the window or late,
 * never both: whoever finds a threshold reached marks the evidence as passed under the same hold,
 * and so exactly one caller finds it.
 *
 * <p>Most calls do not matter. A success can only lower the rates, or leave them, once there are as
 * many calls as the minimum; until the moment {@link #quietUntil}, time changes nothing either. So
 * such successes only add themselves to the {@link Stripes}, without the lock, and are taken over
 * as a run by the next who has it. A run of successes has no order in itself, and those that end
 * while somebody holds the lock could have ended before or after that as well. The stripes are
 * sealed whenever this is not so: while there are fewer calls than the minimum, while a rate is at
 * its threshold or the next call could bring it there, while slices expire or settings change, and
 * for ever when the evidence has passed.
 */
final class Evidence {
  private static final long FOREVER = Long.MAX_VALUE / 4;
  private static final VarHandle TAKING_OVER;

  static {
    try {
      TAKING_OVER =
          MethodHandles.lookup().findVarHandle(Evidence.class, "takingOver", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final CircuitBreaker breaker;
  private final Stripes stripes = new Stripes(this);
  private final FailureNotes failures = new FailureNotes();

  private final SlowestCall slowest;

  /** Whether a reached threshold is only told, and the evidence goes on. */
  private final boolean observing;

  /** Whether somebody who has the lock, or waits for it, will take the successes over. */
  @SuppressWarnings("UnusedVariable") // through TAKING_OVER
  private volatile boolean takingOver;

  /** Before this moment no slice expires, and no call in flight gets past the limit. */
  private volatile long quietUntil;

  /** What the ticker threw under the lock, until listeners have been told; null for nothing. */
  private volatile @Nullable Throwable clockFault;

  // All guarded by this.
  private CircuitBreakerConfig shape;

  /** The timed calls that found no slot in the stripes. */
  private InFlight listed = InFlight.NOBODY;

  private Window window;
  private long lastUse;
  private long nextOverdueAt;
  private boolean passed;
  private @Nullable Verdict decision;
  private boolean told;

  Evidence(CircuitBreaker breaker, long now, boolean observing) {
    this.breaker = breaker;
    this.observing = observing;
    shape = breaker.config();
    window = Window.of(shape, now);
    slowest = new SlowestCall(now);
    lastUse = now;
    nextOverdueAt = now;
    quietUntil = now;
    stripes.takeEvery(shape.windowCalls);
  }

  /**
   * Whether time alone has changed nothing since the evidence was last looked at. A call that was
   * held up between its reading of the clock and its slot may be seen past the limit that much
   * late.
   */
  boolean isQuiet(long now) {
    return now - quietUntil < 0;
  }

  /**
   * Begins a call, without the lock.
   *
   * @param startedAt the present time, if the settings ask for slow calls
   * @return its slot; {@link Stripes#NONE} if there is none
   */
  int begin(CircuitBreakerConfig config, long startedAt) {
    if (!config.countInFlight) {
      return stripes.beginUntimed();
    }
    return startedAt == Stripes.NO_TIME ? Stripes.NONE : stripes.begin(startedAt);
  }

  /**
   * Admits a call, with a slot or without.
   *
   * @param reading whether {@code now} is one
   */
  BreakerPermit admit(BreakerState issuer, long now, boolean reading) {
    CircuitBreakerConfig config = breaker.config();
    if (!reading || config.slowCallNanos == 0) {
      int slot = stripes.beginUntimed();
      return new BreakerPermit(issuer, /* probe= */ false, /* timed= */ false, now, slot);
    }
    int slot = begin(config, now);
    BreakerPermit permit =
        new BreakerPermit(issuer, /* probe= */ false, /* timed= */ true, now, slot);
    if (config.countInFlight) {
      if (slot == Stripes.NONE) {
        list(permit);
      }
      issuer.alarm.setInTime(now + config.slowCallNanos + 1, now);
    }
    return permit;
  }

  private synchronized void list(BreakerPermit permit) {
    lastUse = permit.startedAt;
    listed = listed == InFlight.NOBODY ? new InFlight() : listed;
    listed.add(permit);
    long overdueAt = permit.startedAt + shape.slowCallNanos + 1;
    nextOverdueAt = earlier(nextOverdueAt, overdueAt);
    quietUntil = earlier(quietUntil, overdueAt);
  }

  /**
   * Ends a call that has succeeded, without the lock, if nothing comes of it.
   *
   * @param timed whether the call was
   * @param now the present time, if the settings ask for it at the end of calls
   * @param nanos how long it took, if it was timed
   * @return false if it must end by {@link #end}
   */
  boolean succeed(CircuitBreakerConfig config, int slot, boolean timed, long now, long nanos) {
    if (timed) {
      boolean plain = nanos <= config.slowCallNanos && isQuiet(now);
      return plain && succeed(slot, now, now, Math.max(0, nanos));
    }
    if (config.timeBased) {
      return isQuiet(now) && succeed(slot, now, now, -1);
    }
    return succeed(slot, now, Stripes.NO_TIME, -1);
  }

  private boolean succeed(int slot, long now, long lastUse, long nanos) {
    return stripes.succeed(slot, lastUse, nanos)
        || (stripes.isFull(slot) && succeedWhenFull(slot, now, lastUse, nanos));
  }

  /** Takes over what has gathered. One will do: a second would only wait for the first. */
  private boolean succeedWhenFull(int slot, long now, long lastUse, long nanos) {
    if (TAKING_OVER.compareAndSet(this, false, true)) {
      try {
        takeOverNow(now);
      } finally {
        takingOver = false;
      }
    }
    return stripes.succeed(slot, lastUse, nanos);
  }

  private synchronized void takeOverNow(long now) {
    takeOver(now);
  }

  /**
   * Takes an ended call off those in flight and, if it counts, records it.
   *
   * @return {@link Verdict#LATE} if the state has passed, else what follows from the call's end
   */
  synchronized Verdict end(BreakerPermit permit, Result result) {
    if (passed) {
      remove(permit);
      return Verdict.LATE;
    }
    long now = timeOf(result);
    lastUse = needsTime() ? now : lastUse;
    refresh(now, /* looking= */ false);
    forgetWhatWasTold();
    // Between these two the call is counted nowhere, which is nothing to judge by.
    remove(permit);
    boolean recorded = result.outcome().isRecorded();
    if (recorded) {
      if (couldReachARate(result)) {
        close(now);
      }
      record(result, now);
    }
    forgetWhatWasTold();
    Verdict verdict = judge(now, recorded ? rateReached() : slowRateReachedInFlight());
    settle(now);
    return verdict;
  }

  /** What follows from the calls in flight by themselves, as time passes. */
  synchronized Verdict check(long now) {
    if (passed) {
      return decision == null ? Verdict.LATE : decision;
    }
    refresh(now, /* looking= */ true);
    forgetWhatWasTold();
    Verdict verdict = judge(now, slowRateReachedInFlight());
    settle(now);
    return verdict;
  }

  /** When a call last began or ended, as far as the clock was read for it; else the beginning. */
  synchronized long lastUse() {
    return stripes.lastUse(lastUse);
  }

  /** The verdict that ended this evidence; null if there is none. */
  synchronized @Nullable Verdict decision() {
    return decision;
  }

  /** From here on every result is late. Returns what was known by then. */
  synchronized Findings conclude(long now) {
    look(now);
    Findings findings = currentFindings(now);
    pass(now);
    return findings;
  }

  /** Takes a conclusion back that has led to nothing. */
  synchronized void resume(long now) {
    if (passed && decision == null) {
      passed = false;
      breaker.counters().admitted(-stripes.resume());
      look(now);
    }
  }

  /** Takes up a configuration that has changed; otherwise the next look would. */
  synchronized void reconfigured(long now) {
    look(now);
  }

  synchronized Findings findings(long now) {
    look(now);
    return currentFindings(now);
  }

  /** What the window is made of, oldest first, in at most so many parts. */
  synchronized List<WindowSlice> slices(long now, int most) {
    look(now);
    return window.slices(most);
  }

  /** When the next call in flight will pass the limit; null if none can. */
  synchronized @Nullable Long nextOverdueAt(long now) {
    look(now);
    if (!shape.countInFlight) {
      return null;
    }
    Long start = earliest(stripes.earliestInTime(), listed.earliestInTime());
    return start == null ? null : (Long) (start + shape.slowCallNanos + 1);
  }

  /** Counts the successes that nobody has counted yet. */
  synchronized void count(long now) {
    takeOver(now);
  }

  /** The calls in flight, whichever state has admitted them, while the breaker's state is this. */
  synchronized long callsInFlight() {
    long ended = breaker.counters().ended();
    return breaker.counters().admittedCalls() + (passed ? 0 : stripes.callsInFlight()) - ended;
  }

  /** All calls that the breaker has admitted up to now, while its state is this one's. */
  synchronized long admittedCalls() {
    return breaker.counters().admittedCalls() + (passed ? 0 : stripes.calls());
  }

  private Verdict judge(long now, @Nullable TransitionCause cause) {
    if (cause == null || told) {
      return Verdict.NONE;
    }
    Long at = needsTime() ? (Long) now : read();
    if (at == null) {
      return Verdict.NONE; // The next call judges again.
    }
    Verdict verdict = new Verdict(/* late= */ false, at, cause, currentFindings(at));
    // Only now that it exists: should the memory not suffice for it, the next call judges again.
    if (observing) {
      told = true;
    } else {
      decision = verdict;
      pass(now);
    }
    return verdict;
  }

  private void pass(long now) {
    if (!passed) {
      close(now);
      passed = true;
      quietUntil = now; // Whoever asks shall come and see.
      breaker.counters().admitted(stripes.pass());
    }
  }

  /** A threshold is told of again once both rates have been below. */
  private void forgetWhatWasTold() {
    told = told && rateReached() != null;
  }

  /**
   * Which rate has reached its threshold. The minimum counts the recorded calls for the failure
   * rate, and those in flight past the limit as well for the slow-call rate.
   */
  private @Nullable TransitionCause rateReached() {
    return window.calls >= shape.minimumCalls
            && shape.failureRate.isReachedBy(window.failed, window.calls)
        ? TransitionCause.FAILURE_RATE
        : slowRateReached();
  }

  private @Nullable TransitionCause slowRateReached() {
    int calls = window.calls + overdue();
    return calls >= shape.minimumCalls
            && shape.slowCallRate.isReachedBy(window.slow + overdue(), calls)
        ? TransitionCause.SLOW_CALL_RATE
        : null;
  }

  private @Nullable TransitionCause slowRateReachedInFlight() {
    return overdue() == 0 ? null : slowRateReached();
  }

  /** Whether a result might bring a rate to its threshold; never no if it does. */
  private boolean couldReachARate(Result result) {
    boolean failed = result.outcome() == Outcome.FAILURE;
    return (failed && shape.failureRate.isReachedBy(window.failed + 1, window.calls))
        || (result.slow()
            && shape.slowCallRate.isReachedBy(
                window.slow + overdue() + 1, window.calls + overdue()));
  }

  private int overdue() {
    return stripes.overdue() + listed.overdue();
  }

  private void look(long now) {
    refresh(now, /* looking= */ true);
    settle(now);
  }

  /**
   * Brings everything up to the present time and the present configuration.
   *
   * @param looking whether to look at the calls in flight, though it may not be time to
   */
  @SuppressWarnings("ReferenceEquality") // This very object, whatever it is equal to.
  private void refresh(long now, boolean looking) {
    boolean changed = shape != breaker.config();
    if (changed) {
      reshape(breaker.config(), now);
    } else if (window.isStale(now)) {
      close(now);
    } else {
      takeOver(now);
    }
    window.expire(now);
    slowest.expire(shape, now);
    if (shape.countInFlight && (looking || changed || !isQuiet(now))) {
      listed.advance(now, shape.slowCallNanos);
      stripes.markOverdue(now, shape.slowCallNanos);
      Long start = earliest(stripes.earliestInTime(), listed.earliestInTime());
      nextOverdueAt = (start == null ? now : earlier(start, now)) + shape.slowCallNanos + 1;
    }
    if (rateReached() != null) {
      close(now);
    }
  }

  /** Leaves the successes to the stripes until the moment when they might matter again. */
  private void settle(long now) {
    if (passed) {
      return;
    }
    if (rateReached() != null && !told) {
      quietUntil = now; // The next call judges.
      return;
    }
    long until = shape.countInFlight ? nextOverdueAt : now + FOREVER;
    quietUntil = window instanceof TimeWindow slices ? earlier(until, slices.nextSliceAt()) : until;
    if (window.calls >= shape.minimumCalls) {
      stripes.unseal();
    }
  }

  /** From here on every success comes here, and those before are in the window. */
  private void close(long now) {
    stripes.seal();
    takeOver(now);
  }

  private void takeOver(long now) {
    int successes = stripes.take();
    if (successes > 0) {
      window.addSuccesses(successes);
      slowest.add(successes, stripes.takeSlowest(), shape, now);
      breaker.counters().succeeded(successes);
      forgetWhatWasTold();
    }
  }

  private void remove(BreakerPermit permit) {
    if (permit.slot == Stripes.NONE) {
      listed.remove(permit);
      return;
    }
    stripes.end(permit.slot);
    if (!passed) {
      breaker.counters().admitted(1);
    }
  }

  /**
   * The end of a call that was not timed, when the settings did not ask for it, is now if they have
   * come to ask for it since.
   */
  @SuppressWarnings("ReferenceEquality") // This very object, whatever it is equal to.
  private long timeOf(Result result) {
    boolean read = !result.timed() && (needsTime() || shape != breaker.config());
    if (!read) {
      return result.now();
    }
    Long now = read();
    return now == null ? lastUse : now;
  }

  /** Reads the clock under the lock; null if it throws. */
  private @Nullable Long read() {
    try {
      return breaker.ticker().nanoTime();
    } catch (Throwable e) {
      clockFault = e;
      return null;
    }
  }

  /** Tells listeners of a clock that has thrown under the lock; without the lock. */
  void tellFault() {
    Throwable fault = clockFault;
    if (fault != null) {
      clockFault = null;
      breaker.userCodeFailed("ticker", fault);
    }
  }

  private boolean needsTime() {
    return shape.timeBased || shape.slowCallNanos > 0;
  }

  private void reshape(CircuitBreakerConfig config, long now) {
    close(now);
    shape = config;
    window.expire(now);
    window = window.reshaped(config, now);
    stripes.forgetOverdue();
    stripes.takeEvery(config.windowCalls);
    listed.rewind();
  }

  private Findings currentFindings(long now) {
    return new Findings(
        snapshot(), failures.samples(), slowestCall(now), failures.retryAfterNanos(now));
  }

  private WindowSnapshot snapshot() {
    return new WindowSnapshot(
        window.calls,
        window.failed,
        window.slow,
        window.slowFailed,
        overdue(),
        shape.minimumCalls,
        shape.failureRateThreshold(),
        shape.slowCallRateThreshold());
  }

  /** The longest call, one still running past the limit included; null if none was timed. */
  private @Nullable Duration slowestCall(long now) {
    Long start = earliest(stripes.earliestOverdue(), listed.earliestOverdue());
    long nanos = Math.max(slowest.nanos(), start == null ? -1 : now - start);
    return nanos < 0 ? null : Duration.ofNanos(nanos);
  }

  private void record(Result result, long now) {
    boolean failed = result.outcome() == Outcome.FAILURE;
    window.add(failed, result.slow(), now);
    slowest.add(1, result.durationNanos(), shape, now);
    if (failed) {
      failures.add(result);
    }
  }

  private static @Nullable Long earliest(@Nullable Long one, @Nullable Long other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return earlier(one, other);
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }
}

package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a breaker that admits calls knows about them: those recorded, those in flight past the
 * limit, samples of the failures, the slowest call.
 *
 * <p><b>Calls in flight.</b> A timed call stands in a list from its admission to its end, ordered
 * by its start. The list has two parts: at the old end the calls that are past the limit, which are
 * counted, and behind them the rest. Since the order is that of the starts, the border only ever
 * moves towards the young end as time passes, and moving it up to the present costs one step for
 * each call that has become overdue: no thread, no timer a call, and an exact number whenever it is
 * asked for. Clock readings of two threads may arrive here in the wrong order, so a call is
 * inserted from the young end past those that began later; that is no step at all in nearly all
 * cases.
 *
 * <p><b>Slowest call.</b> The longest of this spell of one window, and of the spell before, so that
 * it covers between one and two windows without remembering each call.
 *
 * <p>All methods hold the lock of this object for a few instructions and run no user code. The lock
 * is what makes a result either part of the window or late, never both: whoever finds a threshold
 * reached marks the evidence as passed under the same hold, and so exactly one caller finds it.
 */
final class Evidence {
  private final CircuitBreaker breaker;
  private final FailureNotes failures = new FailureNotes();

  /** Whether a reached threshold is only told, and the evidence goes on. */
  private final boolean observing;

  private CircuitBreakerConfig shape;
  private Window window;
  private boolean passed;
  private boolean told;

  private @Nullable Permit oldest;
  private @Nullable Permit newest;
  private @Nullable Permit oldestInTime;
  private int overdue;

  private long slowestNanos = -1;
  private long slowestNanosBefore = -1;
  private long spellStart;
  private int spellCalls;

  Evidence(CircuitBreaker breaker, long now, boolean observing) {
    this.breaker = breaker;
    this.observing = observing;
    shape = breaker.config();
    window = Window.of(shape, now);
    spellStart = now;
  }

  /** Puts an admitted call on the list. */
  synchronized void begin(Permit permit) {
    Permit before = newest;
    while (before != null && before.startedAt - permit.startedAt > 0) {
      before = before.older;
    }
    Permit after = before == null ? oldest : before.newer;
    permit.older = before;
    permit.newer = after;
    if (before == null) {
      oldest = permit;
    } else {
      before.newer = permit;
    }
    if (after == null) {
      newest = permit;
    } else {
      after.older = permit;
    }
    permit.listed = true;
    if (after == oldestInTime) {
      oldestInTime = permit;
    } else if (after != null && after.overdue) {
      permit.overdue = true;
      overdue++;
    }
  }

  /**
   * Takes an ended call off the list and, if it counts, records it.
   *
   * @return {@link Verdict#LATE} if the state has passed, else what follows from the call's end
   */
  synchronized Verdict end(Permit permit, Result result) {
    unlist(permit);
    if (passed) {
      return Verdict.LATE;
    }
    long now = timeOf(result);
    refresh(now);
    forgetWhatWasTold();
    if (result.outcome().isRecorded()) {
      record(result, now);
      forgetWhatWasTold();
      return judge(now, rateReached());
    }
    return judge(now, slowRateReachedInFlight());
  }

  /** What follows from the calls in flight by themselves, as time passes. */
  synchronized Verdict check(long now) {
    if (passed) {
      return Verdict.LATE;
    }
    refresh(now);
    forgetWhatWasTold();
    return judge(now, slowRateReachedInFlight());
  }

  /** From here on every result is late. */
  synchronized void pass() {
    passed = true;
  }

  /** Takes up a configuration that has changed; otherwise the next look would. */
  synchronized void reconfigured(long now) {
    refresh(now);
  }

  synchronized Findings findings(long now) {
    refresh(now);
    return currentFindings(now);
  }

  /** When the next call in flight will pass the limit; null if none can. */
  synchronized @Nullable Long nextOverdueAt(long now) {
    refresh(now);
    return oldestInTime == null || !shape.countInFlight
        ? null
        : (Long) (oldestInTime.startedAt + shape.slowCallNanos + 1);
  }

  private Verdict judge(long now, @Nullable TransitionCause cause) {
    if (cause == null || told) {
      return Verdict.NONE;
    }
    passed = !observing;
    told = observing;
    long at = needsTime() ? now : breaker.ticker().nanoTime();
    return new Verdict(/* late= */ false, at, cause, currentFindings(at));
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
    int calls = window.calls + overdue;
    return calls >= shape.minimumCalls
            && shape.slowCallRate.isReachedBy(window.slow + overdue, calls)
        ? TransitionCause.SLOW_CALL_RATE
        : null;
  }

  private @Nullable TransitionCause slowRateReachedInFlight() {
    return overdue == 0 ? null : slowRateReached();
  }

  /** Brings everything up to the present time and the present configuration. */
  @SuppressWarnings("ReferenceEquality") // This very object, whatever it is equal to.
  private void refresh(long now) {
    if (shape != breaker.config()) {
      reshape(breaker.config(), now);
    }
    window.expire(now);
    while (shape.countInFlight
        && oldestInTime != null
        && now - oldestInTime.startedAt > shape.slowCallNanos) {
      oldestInTime.overdue = true;
      overdue++;
      oldestInTime = oldestInTime.newer;
    }
  }

  /**
   * The end of a call that was not timed, when the settings did not ask for it, is now if they have
   * come to ask for it since.
   */
  @SuppressWarnings("ReferenceEquality") // This very object, whatever it is equal to.
  private long timeOf(Result result) {
    boolean read = !result.timed() && (needsTime() || shape != breaker.config());
    return read ? breaker.ticker().nanoTime() : result.now();
  }

  private boolean needsTime() {
    return shape.timeBased || shape.slowCallNanos > 0;
  }

  private void reshape(CircuitBreakerConfig config, long now) {
    shape = config;
    window.expire(now);
    window = window.reshaped(config, now);
    // The limit may have moved in either direction: find the border again from the old end.
    for (Permit p = oldest; p != oldestInTime && p != null; p = p.newer) {
      p.overdue = false;
    }
    overdue = 0;
    oldestInTime = oldest;
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
        overdue,
        shape.minimumCalls,
        shape.failureRateThreshold(),
        shape.slowCallRateThreshold());
  }

  /** The longest call, one still running past the limit included; null if none was timed. */
  private @Nullable Duration slowestCall(long now) {
    long slowest = Math.max(slowestNanos, slowestNanosBefore);
    if (overdue > 0 && oldest != null) {
      slowest = Math.max(slowest, now - oldest.startedAt);
    }
    return slowest < 0 ? null : Duration.ofNanos(slowest);
  }

  private void record(Result result, long now) {
    boolean failed = result.outcome() == Outcome.FAILURE;
    window.add(failed, result.slow(), now);
    noteDuration(result, now);
    if (failed) {
      failures.add(result);
    }
  }

  private void unlist(Permit permit) {
    if (!permit.listed) {
      return;
    }
    permit.listed = false;
    if (permit == oldestInTime) {
      oldestInTime = permit.newer;
    }
    if (permit.overdue) {
      overdue--;
    }
    if (permit.older == null) {
      oldest = permit.newer;
    } else {
      permit.older.newer = permit.newer;
    }
    if (permit.newer == null) {
      newest = permit.older;
    } else {
      permit.newer.older = permit.older;
    }
    permit.older = null;
    permit.newer = null;
  }

  private void noteDuration(Result result, long now) {
    boolean spellIsOver =
        shape.timeBased
            ? now - spellStart >= shape.sliceNanos * shape.slices
            : spellCalls >= shape.windowCalls;
    if (spellIsOver) {
      slowestNanosBefore = slowestNanos;
      slowestNanos = -1;
      spellStart = now;
      spellCalls = 0;
    }
    spellCalls++;
    slowestNanos = Math.max(slowestNanos, result.durationNanos());
  }
}

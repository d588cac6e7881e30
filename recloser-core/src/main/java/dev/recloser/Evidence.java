package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a breaker that admits calls knows about them: those recorded, those in flight past the
 * limit, samples of the failures, the slowest call.
 *
 * <p>All methods hold the lock of this object for a few instructions and run no user code but the
 * ticker. The lock is what makes a result either part of the window or late, never both: whoever
 * finds a threshold reached marks the evidence as passed under the same hold, and so exactly one
 * caller finds it.
 */
final class Evidence {
  private final CircuitBreaker breaker;
  private final FailureNotes failures = new FailureNotes();
  private final InFlight inFlight = new InFlight();
  private final SlowestCall slowest;

  /** Whether a reached threshold is only told, and the evidence goes on. */
  private final boolean observing;

  private CircuitBreakerConfig shape;
  private Window window;
  private long lastUse;
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
  }

  /** Puts an admitted call on the list. */
  synchronized void begin(BreakerPermit permit) {
    lastUse = permit.startedAt;
    inFlight.add(permit);
  }

  /**
   * Takes an ended call off the list and, if it counts, records it.
   *
   * @return {@link Verdict#LATE} if the state has passed, else what follows from the call's end
   */
  synchronized Verdict end(BreakerPermit permit, Result result) {
    if (passed) {
      inFlight.remove(permit);
      return Verdict.LATE;
    }
    long now = timeOf(result);
    lastUse = needsTime() ? now : lastUse;
    refresh(now);
    forgetWhatWasTold();
    // Between these two the call is counted nowhere, which is nothing to judge by.
    inFlight.remove(permit);
    boolean recorded = result.outcome().isRecorded();
    if (recorded) {
      record(result, now);
    }
    forgetWhatWasTold();
    return judge(now, recorded ? rateReached() : slowRateReachedInFlight());
  }

  /** What follows from the calls in flight by themselves, as time passes. */
  synchronized Verdict check(long now) {
    if (passed) {
      return decision == null ? Verdict.LATE : decision;
    }
    refresh(now);
    forgetWhatWasTold();
    return judge(now, slowRateReachedInFlight());
  }

  /** When a call last began or ended, as far as the clock was read for it; else the beginning. */
  synchronized long lastUse() {
    return lastUse;
  }

  /** The verdict that ended this evidence; null if there is none. */
  synchronized @Nullable Verdict decision() {
    return decision;
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
    return shape.countInFlight ? inFlight.nextOverdueAt(shape.slowCallNanos) : null;
  }

  private Verdict judge(long now, @Nullable TransitionCause cause) {
    if (cause == null || told) {
      return Verdict.NONE;
    }
    long at = needsTime() ? now : breaker.ticker().nanoTime();
    Verdict verdict = new Verdict(/* late= */ false, at, cause, currentFindings(at));
    // Only now that it exists: should the memory not suffice for it, the next call judges again.
    if (observing) {
      told = true;
    } else {
      decision = verdict;
      passed = true;
    }
    return verdict;
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
    int calls = window.calls + inFlight.overdue();
    return calls >= shape.minimumCalls
            && shape.slowCallRate.isReachedBy(window.slow + inFlight.overdue(), calls)
        ? TransitionCause.SLOW_CALL_RATE
        : null;
  }

  private @Nullable TransitionCause slowRateReachedInFlight() {
    return inFlight.overdue() == 0 ? null : slowRateReached();
  }

  /** Brings everything up to the present time and the present configuration. */
  @SuppressWarnings("ReferenceEquality") // This very object, whatever it is equal to.
  private void refresh(long now) {
    if (shape != breaker.config()) {
      reshape(breaker.config(), now);
    }
    window.expire(now);
    slowest.expire(shape, now);
    if (shape.countInFlight) {
      inFlight.advance(now, shape.slowCallNanos);
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
    inFlight.rewind();
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
        inFlight.overdue(),
        shape.minimumCalls,
        shape.failureRateThreshold(),
        shape.slowCallRateThreshold());
  }

  /** The longest call, one still running past the limit included; null if none was timed. */
  private @Nullable Duration slowestCall(long now) {
    long nanos = Math.max(slowest.nanos(), inFlight.longestOverdueNanos(now));
    return nanos < 0 ? null : Duration.ofNanos(nanos);
  }

  private void record(Result result, long now) {
    boolean failed = result.outcome() == Outcome.FAILURE;
    window.add(failed, result.slow(), now);
    slowest.add(result.durationNanos(), shape, now);
    if (failed) {
      failures.add(result);
    }
  }
}

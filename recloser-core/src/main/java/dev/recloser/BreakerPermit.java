package dev.recloser;

import dev.recloser.CircuitBreakerEvent.CallFinished;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A permit of one state of one breaker. It brings the end of its call to that state: how the call
 * ended, as the classifier or the caller has judged it, and how long it took, as far as anybody
 * needs to know.
 */
final class BreakerPermit extends Permit {
  private static final VarHandle DONE;

  static {
    try {
      DONE = MethodHandles.lookup().findVarHandle(BreakerPermit.class, "done", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final BreakerState issuer;
  final boolean probe;

  /** Whether {@link #startedAt} is a reading of the ticker; it is not where nobody needs it. */
  final boolean timed;

  final long startedAt;

  /** The place of the call in the {@link Stripes} of its issuer; {@link Stripes#NONE} for none. */
  final int slot;

  // Links of a list of calls in flight, and whether this one is counted as overdue there. They
  // belong to the issuer and are guarded by its lock.
  @Nullable BreakerPermit older;
  @Nullable BreakerPermit newer;
  boolean listed;
  boolean overdue;

  @SuppressWarnings("UnusedVariable") // through DONE
  private volatile boolean done;

  /** One without a slot. */
  BreakerPermit(BreakerState issuer, boolean probe, boolean timed, long startedAt) {
    this(issuer, probe, timed, startedAt, Stripes.NONE);
  }

  BreakerPermit(BreakerState issuer, boolean probe, boolean timed, long startedAt, int slot) {
    this.issuer = issuer;
    this.probe = probe;
    this.timed = timed;
    this.startedAt = startedAt;
    this.slot = slot;
  }

  @Override
  public boolean isProbe() {
    return probe;
  }

  @Override
  public void complete(@Nullable Object result) {
    if (end()) {
      judge(result, null);
    }
  }

  @Override
  public void fail(Throwable thrown) {
    Objects.requireNonNull(thrown, "thrown");
    if (end()) {
      judge(null, thrown);
    }
  }

  @Override
  public void record(Outcome outcome) {
    Objects.requireNonNull(outcome, "outcome");
    if (end()) {
      report(outcome, null);
    }
  }

  @Override
  public void record(Outcome outcome, String what) {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(what, "what");
    if (end()) {
      report(outcome, what);
    }
  }

  @Override
  void abandon() {
    if (!end()) {
      return;
    }
    TimeoutExceededException exceeded = Scope.currentTimeout(null);
    if (exceeded == null) {
      report(Outcome.CANCELLED, null);
    } else {
      judge(null, exceeded);
    }
  }

  /** Ends a health check. One that says nothing of the dependency has not shown it healthy. */
  void completeCheck(@Nullable Object result, @Nullable Throwable thrown) {
    if (!end()) {
      return;
    }
    CircuitBreaker breaker = issuer.breaker;
    long now = breaker.ticker().nanoTime();
    Outcome outcome = breaker.classify(result, thrown);
    Outcome verdict = outcome == Outcome.SUCCESS ? outcome : Outcome.FAILURE;
    conclude(/* read= */ true, now, verdict, result, thrown);
  }

  /** Reports what the classifier makes of the end, or of the timeout that has brought it. */
  private void judge(@Nullable Object result, @Nullable Throwable thrown) {
    boolean read = needsTimeAtEnd();
    long now = read ? timeAtEnd() : 0;
    Throwable judged = Scope.judged(thrown);
    conclude(read, now, issuer.breaker.classify(result, judged), result, judged);
  }

  /** Reports what the caller has judged the end to be. */
  private void report(Outcome outcome, @Nullable String what) {
    boolean read = needsTimeAtEnd();
    long now = read ? timeAtEnd() : 0;
    FailureSample sample =
        outcome == Outcome.FAILURE && what != null
            ? new FailureSample(what, null, durationAt(now))
            : null;
    settle(read, now, outcome, sample, /* retryAfterNanos= */ 0, /* thrown= */ null);
  }

  /**
   * Brings an end that has been judged to the state.
   *
   * @param read whether {@code now} is a reading of the ticker
   */
  void conclude(
      boolean read,
      long now,
      Outcome outcome,
      @Nullable Object result,
      @Nullable Throwable thrown) {
    if (outcome != Outcome.FAILURE) {
      settle(read, now, outcome, /* sample= */ null, /* retryAfterNanos= */ 0, thrown);
      return;
    }
    FailureSample sample = FailureSample.of(result, thrown, durationAt(now));
    long retryAfter = issuer.breaker.retryAfterNanos(result, thrown);
    boolean needed = !read && retryAfter > 0; // It counts from the present time.
    settle(read || needed, needed ? timeAtEnd() : now, outcome, sample, retryAfter, thrown);
  }

  private void settle(
      boolean read,
      long now,
      Outcome outcome,
      @Nullable FailureSample sample,
      long retryAfterNanos,
      @Nullable Throwable thrown) {
    CircuitBreaker breaker = issuer.breaker;
    CircuitBreakerConfig config = breaker.config();
    long nanos = timed ? now - startedAt : -1;
    if (outcome == Outcome.SUCCESS && endsQuietly(config, read, now, nanos)) {
      return;
    }
    long limit = probe ? config.probeSlowCallNanos : config.slowCallNanos;
    boolean slow = outcome.isRecorded() && limit > 0 && nanos > limit;
    breaker.settle(
        this, new Result(outcome, slow, read, now, nanos, sample, retryAfterNanos), thrown);
  }

  /** Ends a success by {@link BreakerState#succeed}, if its time is known as far as it must be. */
  private boolean endsQuietly(CircuitBreakerConfig config, boolean read, long now, long nanos) {
    return slot != Stripes.NONE
        && (read || !(config.timeBased || timed))
        && !issuer.breaker.listeners.want(CallFinished.class)
        && issuer.succeed(config, slot, timed, now, nanos);
  }

  private boolean needsTimeAtEnd() {
    return timed || issuer.timesResults();
  }

  private long timeAtEnd() {
    return issuer.breaker.endOf(timed ? startedAt : issuer.enteredAt);
  }

  private @Nullable Duration durationAt(long now) {
    return timed ? Duration.ofNanos(now - startedAt) : null;
  }

  /** Exactly one caller gets true: the compare-and-set is what makes a permit one-shot. */
  private boolean end() {
    return DONE.compareAndSet(this, false, true);
  }
}

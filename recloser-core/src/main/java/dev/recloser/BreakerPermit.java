package dev.recloser;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A permit of one state of one breaker. */
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
      issuer.breaker.finish(this, result, null);
    }
  }

  @Override
  public void fail(Throwable thrown) {
    Objects.requireNonNull(thrown, "thrown");
    if (end()) {
      issuer.breaker.finish(this, null, thrown);
    }
  }

  /** Ends a health check, which ends with a verdict in any case. */
  void completeCheck(@Nullable Object result, @Nullable Throwable thrown) {
    if (end()) {
      issuer.breaker.finishCheck(this, result, thrown);
    }
  }

  @Override
  public void record(Outcome outcome) {
    Objects.requireNonNull(outcome, "outcome");
    if (end()) {
      issuer.breaker.finishAs(this, outcome, null);
    }
  }

  @Override
  public void record(Outcome outcome, String what) {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(what, "what");
    if (end()) {
      issuer.breaker.finishAs(this, outcome, what);
    }
  }

  @Override
  void abandon() {
    if (!end()) {
      return;
    }
    TimeoutExceededException exceeded = Scope.currentTimeout(null);
    if (exceeded == null) {
      issuer.breaker.finishAs(this, Outcome.CANCELLED, null);
    } else {
      issuer.breaker.finish(this, null, exceeded);
    }
  }

  /** A moment before its end, as far as one is known. */
  long lowerBound() {
    return timed ? startedAt : issuer.enteredAt;
  }

  /** Exactly one caller gets true: the compare-and-set is what makes a permit one-shot. */
  private boolean end() {
    return DONE.compareAndSet(this, false, true);
  }
}

package dev.recloser;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The right to make one call, and the duty to say once how it ended.
 *
 * <p>It reports to the state that issued it: if that state has passed by then, the result is
 * counted as late and moves nothing. The first completion counts and any further one does nothing,
 * from whichever thread they come. Leaving a {@code try} block without one means that the call was
 * {@link Outcome#CANCELLED}:
 *
 * <pre>{@code
 * try (Permit permit = breaker.acquire()) {
 *   Response response = send();
 *   permit.complete(response);
 * }
 * }</pre>
 *
 * <p>No method of a permit throws, whatever classifiers and listeners do; null where it is not
 * allowed is the exception.
 */
public final class Permit implements AutoCloseable {
  private static final VarHandle DONE;

  static {
    try {
      DONE = MethodHandles.lookup().findVarHandle(Permit.class, "done", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final BreakerState issuer;
  final boolean probe;

  /** Whether {@link #startedAt} is a reading of the ticker; it is not where nobody needs it. */
  final boolean timed;

  final long startedAt;

  // Links of a list of calls in flight, and whether this one is counted as overdue there. They
  // belong to the issuer and are guarded by its lock.
  @Nullable Permit older;
  @Nullable Permit newer;
  boolean listed;
  boolean overdue;

  @SuppressWarnings("UnusedVariable") // through DONE
  private volatile boolean done;

  Permit(BreakerState issuer, boolean probe, boolean timed, long startedAt) {
    this.issuer = issuer;
    this.probe = probe;
    this.timed = timed;
    this.startedAt = startedAt;
  }

  /** Whether the call tests a half-open breaker, and so may deserve more patience than others. */
  public boolean isProbe() {
    return probe;
  }

  /**
   * Ends the call with a result, which the breaker's classifier judges.
   *
   * @param result what the call returned; may be null
   */
  public void complete(@Nullable Object result) {
    if (end()) {
      issuer.breaker.finish(this, result, null);
    }
  }

  /**
   * Ends the call with what it threw, which the breaker's classifier judges.
   *
   * @param thrown what the call threw
   */
  public void fail(Throwable thrown) {
    Objects.requireNonNull(thrown, "thrown");
    if (end()) {
      issuer.breaker.finish(this, null, thrown);
    }
  }

  /**
   * Ends the call with an outcome that the caller has judged itself.
   *
   * @param outcome how the call ended
   */
  public void record(Outcome outcome) {
    record(outcome, "outcome");
  }

  /**
   * Ends the call with an outcome that the caller has judged itself.
   *
   * @param outcome how the call ended
   * @param what what it was that ended the call, a status for example; it stands for the
   *     exception's type where failures are told of
   */
  public void record(Outcome outcome, String what) {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(what, "what");
    if (end()) {
      issuer.breaker.finish(this, outcome, what);
    }
  }

  /** Ends the call as {@link Outcome#CANCELLED} if it has not ended yet. */
  @Override
  public void close() {
    record(Outcome.CANCELLED);
  }

  /** Exactly one caller gets true: the compare-and-set is what makes a permit one-shot. */
  private boolean end() {
    return DONE.compareAndSet(this, false, true);
  }
}

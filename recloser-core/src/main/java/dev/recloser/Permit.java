package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * The right to make one call, and the duty to say once how it ended, to a {@link CircuitBreaker} or
 * to all policies of a {@link Pipeline}.
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
 * <p>A permit that is never ended counts as a call in flight for ever, and as slow once it has
 * passed the limit. No method of a permit throws, whatever classifiers and listeners do; null where
 * it is not allowed is the exception.
 */
public abstract sealed class Permit implements AutoCloseable permits BreakerPermit, PipelinePermit {
  Permit() {}

  /** Whether the call tests a half-open breaker, and so may deserve more patience than others. */
  public abstract boolean isProbe();

  /**
   * Ends the call with a result, which the breaker's classifier judges.
   *
   * @param result what the call returned; may be null
   */
  public abstract void complete(@Nullable Object result);

  /**
   * Ends the call with what it threw, which the breaker's classifier judges.
   *
   * @param thrown what the call threw
   */
  public abstract void fail(Throwable thrown);

  /**
   * Ends the call with an outcome that the caller has judged itself.
   *
   * @param outcome how the call ended
   */
  public abstract void record(Outcome outcome);

  /**
   * Ends the call with an outcome that the caller has judged itself.
   *
   * @param outcome how the call ended
   * @param what what it was that ended the call, a status for example; it stands for the
   *     exception's type where failures are told of
   */
  public abstract void record(Outcome outcome, String what);

  /**
   * Ends the call as {@link Outcome#CANCELLED} if it has not ended yet; or, when a {@link Timeout}
   * around it has ended it, as that.
   */
  @Override
  public final void close() {
    abandon();
  }

  /** Ends a call of which nobody has said how it ended. */
  abstract void abandon();
}

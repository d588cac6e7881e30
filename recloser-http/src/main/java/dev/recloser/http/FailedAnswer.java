package dev.recloser.http;

import org.jspecify.annotations.Nullable;

/**
 * An answer that is a failure, as a hedge has to see it: one that came quickly must not win over an
 * attempt that still goes on and may do better.
 */
final class FailedAnswer extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Attempt<?> attempt;

  private FailedAnswer(Attempt<?> attempt) {
    super(attempt.what(), /* cause= */ null, /* enableSuppression= */ true, /* trace= */ false);
    this.attempt = attempt;
  }

  /** Throws itself in place of an answer that is a failure. */
  static <R> Attempt<R> orThrow(Attempt<R> attempt) {
    if (attempt.isFailure()) {
      throw new FailedAnswer(attempt);
    }
    return attempt;
  }

  /** Makes an answer of it again: if no attempt does better, the caller gets it. */
  static final class Unwrapping<R> implements Futures.Step<Attempt<R>, Attempt<R>> {
    @Override
    public Attempt<R> of(Attempt<R> attempt) {
      return attempt;
    }

    @Override
    @SuppressWarnings("unchecked") // All attempts of a call have the same type of response.
    public @Nullable Attempt<R> insteadOf(Throwable thrown) {
      return thrown instanceof FailedAnswer failed ? (Attempt<R>) failed.attempt : null;
    }
  }
}

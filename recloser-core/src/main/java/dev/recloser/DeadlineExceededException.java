package dev.recloser;

/**
 * Thrown by a {@link Timeout} for a call that it did not make, since the time of what is around it
 * was over: a {@link Deadline}, or another timeout. It has no stack trace unless {@code
 * writableStackTraceEnabled} is set.
 *
 * <p>As nothing was asked of the dependency it is a refusal, and no evidence for a breaker: callers
 * that come too late do not open it.
 */
public final class DeadlineExceededException extends CallRejectedException {
  private static final long serialVersionUID = 1L;

  private final String policy;

  DeadlineExceededException(String policy, boolean writableStackTrace) {
    super(null, writableStackTrace);
    this.policy = policy;
  }

  /** The name of the timeout that did not make the call. */
  @Override
  public String policy() {
    return policy;
  }

  @Override
  public String getMessage() {
    return policy + " did not make the call: the deadline around it is over";
  }
}

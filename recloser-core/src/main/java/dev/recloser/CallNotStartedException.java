package dev.recloser;

/**
 * Thrown when an executor rejects a call that a policy wanted to run on it, so that the call was
 * not made. Its cause is what the executor threw. It has no stack trace of its own.
 */
public final class CallNotStartedException extends CallRejectedException {
  private static final long serialVersionUID = 1L;

  private final String policy;

  CallNotStartedException(String policy, Throwable rejection) {
    super(null, rejection, /* writableStackTrace= */ false);
    this.policy = policy;
  }

  @Override
  public String policy() {
    return policy;
  }

  @Override
  public String getMessage() {
    return policy + " could not start the call: its executor rejected it (" + getCause() + ")";
  }
}

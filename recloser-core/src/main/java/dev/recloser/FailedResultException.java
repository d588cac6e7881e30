package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * What the rules of a fallback see of a call that returned a result which {@link
 * Fallback.Builder#recordResult recordResult} takes for a failure. It has no stack trace.
 */
public final class FailedResultException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String policy;
  private final transient @Nullable Object result;

  /**
   * Creates one.
   *
   * @param unjudged what the predicate threw; null if it has judged
   */
  FailedResultException(String policy, @Nullable Object result, @Nullable Throwable unjudged) {
    super(null, unjudged, /* enableSuppression= */ true, /* writableStackTrace= */ false);
    this.policy = policy;
    this.result = result;
  }

  /** The name of the pipeline. */
  public String policy() {
    return policy;
  }

  /** The result; null if the call returned null, or after serialization. */
  public @Nullable Object result() {
    return result;
  }

  /** Whether nobody knows if it is a failure. */
  boolean isUnjudged() {
    return getCause() != null;
  }

  @Override
  public String getMessage() {
    return policy
        + " takes a result for a failure, of type "
        + (result == null ? "null" : result.getClass().getSimpleName());
  }
}

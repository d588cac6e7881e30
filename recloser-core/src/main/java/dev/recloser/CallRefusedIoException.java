package dev.recloser;

import java.io.IOException;

/**
 * A refusal for callers that can be told of it only by an {@code IOException}, as some clients have
 * it. Policies take it for the refusal that is its cause. It has no stack trace.
 */
public final class CallRefusedIoException extends IOException {
  private static final long serialVersionUID = 1L;

  private final CallRejectedException refusal;

  /**
   * Creates one.
   *
   * @param refusal what a policy threw
   */
  public CallRefusedIoException(CallRejectedException refusal) {
    super(refusal.getMessage(), refusal);
    this.refusal = refusal;
  }

  /** What the policy threw; the cause as well. */
  public CallRejectedException refusal() {
    return refusal;
  }

  /** None: a refusal is no place in the code to look for. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}

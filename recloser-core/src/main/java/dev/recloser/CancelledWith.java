package dev.recloser;

import java.util.concurrent.CancellationException;

/**
 * A cancellation that knows what it came of: somebody has ended the future that stands for a stage
 * with an exception, a time-out for example, and what goes on inside is cancelled for that. To
 * policies inside it is that exception, as it would be if they had been ended themselves; to
 * everybody else it is a cancellation.
 */
final class CancelledWith extends CancellationException {
  private static final long serialVersionUID = 1L;

  private CancelledWith(Throwable thrown) {
    super("cancelled since the call was ended with " + thrown.getClass().getName());
    initCause(thrown);
  }

  /** The cancellation for an exception; one that is a cancellation stays what it is. */
  static CancellationException of(Throwable thrown) {
    return thrown instanceof CancellationException cancelled
        ? cancelled
        : new CancelledWith(thrown);
  }

  /** None: it comes about where nothing has gone wrong. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}

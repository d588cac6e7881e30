package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a call under a {@link Timeout} has not ended in time.
 *
 * <p>Its cause is what the call threw when it was interrupted, which shows where it was; there is
 * none if the call is still running or returned a result too late. It carries no stack trace of its
 * own unless {@code writableStackTraceEnabled} is set.
 *
 * <p>Every breaker classifies it as {@link Outcome#FAILURE}, unless told to ignore it: also one
 * whose {@code recordExceptions} do not list it.
 */
public final class TimeoutExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String timeout;
  private final Duration limit;

  TimeoutExceededException(
      String timeout, Duration limit, @Nullable Throwable cause, boolean writableStackTrace) {
    super(null, cause, /* enableSuppression= */ true, writableStackTrace);
    this.timeout = timeout;
    this.limit = limit;
  }

  /** The name of the timeout that ended the call. */
  public String policy() {
    return timeout;
  }

  /** How long the call was given. */
  public Duration limit() {
    return limit;
  }

  @Override
  public String getMessage() {
    return timeout + " timed out: no answer within " + Text.of(limit);
  }
}

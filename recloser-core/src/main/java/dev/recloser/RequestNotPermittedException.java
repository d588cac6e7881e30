package dev.recloser;

import java.time.Duration;
import java.util.Optional;

/**
 * Thrown instead of making a call that a rate limiter refuses. Carries no stack trace unless {@code
 * writableStackTraceEnabled} is set, and builds its message only when asked for it.
 */
public final class RequestNotPermittedException extends CallRejectedException {
  private static final long serialVersionUID = 1L;

  private final String rateLimiter;
  private final String because;
  private final long retryAfterNanos;

  RequestNotPermittedException(
      String rateLimiter, String because, long retryAfterNanos, boolean writableStackTrace) {
    super(null, writableStackTrace);
    this.rateLimiter = rateLimiter;
    this.because = because;
    this.retryAfterNanos = retryAfterNanos;
  }

  @Override
  public String policy() {
    return rateLimiter;
  }

  /** The time until its permits would be there, with all who wait now; never empty. */
  @Override
  public Optional<Duration> retryAfter() {
    return Optional.of(Duration.ofNanos(retryAfterNanos));
  }

  @Override
  public String getMessage() {
    return rateLimiter
        + " refused the call, "
        + because
        + "; it could be served in "
        + Text.ofNanos(retryAfterNanos);
  }
}

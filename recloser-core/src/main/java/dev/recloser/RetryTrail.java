package dev.recloser;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What a {@link Retry} did before it gave a call up. It is never thrown: it hangs on the last
 * failure, which is what the caller gets, as a suppressed exception, so that it stands in every
 * stack trace; or is found with {@link #of}.
 *
 * <p>There is none on a failure that was not retried at all, or that takes no suppressed
 * exceptions.
 */
public final class RetryTrail extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int MAX_SUPPRESSED = 8;

  private final String retry;
  private final int attempts;
  private final Duration waited;
  private final RetryEnd reason;

  private RetryTrail(String retry, int attempts, Duration waited, RetryEnd reason) {
    super(null, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    this.retry = retry;
    this.attempts = attempts;
    this.waited = waited;
    this.reason = reason;
  }

  /**
   * Finds what the outermost retry around a failure did.
   *
   * @param failure what a caller got
   */
  public static Optional<RetryTrail> of(Throwable failure) {
    Throwable[] suppressed =
        ExceptionRules.unwrap(Objects.requireNonNull(failure, "failure")).getSuppressed();
    for (int i = suppressed.length - 1; i >= 0; i--) {
      if (suppressed[i] instanceof RetryTrail trail) {
        return Optional.of(trail);
      }
    }
    return Optional.empty();
  }

  /** The name of the retry. */
  public String policy() {
    return retry;
  }

  /** How many attempts were made, the first included. */
  public int attempts() {
    return attempts;
  }

  /** How long it was waited between the attempts, all in all. */
  public Duration waited() {
    return waited;
  }

  /** Why there was no other attempt. */
  public RetryEnd reason() {
    return reason;
  }

  @Override
  public String getMessage() {
    return retry
        + " made "
        + Text.count(attempts, "attempt")
        + ", with waits of "
        + Text.of(waited)
        + " in all, and no other: "
        + reason;
  }

  /** Hangs one on a failure; not on one that has many already, as when it is thrown again. */
  static void hang(
      Throwable failure, String retry, int attempts, long waitedNanos, RetryEnd reason) {
    Throwable bare = ExceptionRules.unwrap(failure);
    if (bare.getSuppressed().length < MAX_SUPPRESSED) {
      bare.addSuppressed(new RetryTrail(retry, attempts, Duration.ofNanos(waitedNanos), reason));
    }
  }
}

package dev.recloser;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown instead of making a call that a circuit breaker refuses. Carries no stack trace unless
 * {@code writableStackTraceEnabled} is set, and builds its message only when asked for it.
 */
public final class CallNotPermittedException extends CallRejectedException {
  private static final long serialVersionUID = 1L;

  /** No time known. */
  static final long UNKNOWN = -1;

  private final String breaker;
  private final CircuitBreaker.State state;
  private final RefusalReason reason;
  private final @Nullable String because;
  private final long retryAfterNanos;

  CallNotPermittedException(
      String breaker,
      CircuitBreaker.State state,
      RefusalReason reason,
      @Nullable String because,
      long retryAfterNanos,
      boolean writableStackTrace) {
    super(null, writableStackTrace);
    this.breaker = breaker;
    this.state = state;
    this.reason = reason;
    this.because = because;
    this.retryAfterNanos = retryAfterNanos;
  }

  @Override
  public String policy() {
    return breaker;
  }

  /** The state that refused it. */
  public CircuitBreaker.State state() {
    return state;
  }

  /** Why it was refused. */
  public RefusalReason reason() {
    return reason;
  }

  /**
   * The rest of the wait in the open state, or of the time an operator gave a forced state. Empty
   * where that is not known.
   */
  @Override
  public Optional<Duration> retryAfter() {
    return retryAfterNanos == UNKNOWN
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(retryAfterNanos));
  }

  @Override
  public String getMessage() {
    String why = because == null ? "" : ": " + because;
    String when =
        retryAfterNanos == UNKNOWN ? "" : "; try again in " + Text.ofNanos(retryAfterNanos);
    return breaker + " refused the call, it is " + stateInWords() + why + when;
  }

  private String stateInWords() {
    return switch (reason) {
      case RAMP_UP -> state + " and still ramping up";
      case HALF_OPEN -> state + " and its probes are out";
      case OPEN, FORCED_OPEN -> state.toString();
    };
  }
}

package dev.recloser;

/** What moved a breaker from one state to another. */
public enum TransitionCause {
  /** The failure rate reached its threshold. Named as well where both rates did on one call. */
  FAILURE_RATE,
  /** The slow-call rate reached its threshold, calls still running past the limit included. */
  SLOW_CALL_RATE,
  /** The wait in the open state, or the time an operator gave a forced state, is over. */
  WAIT_ELAPSED,
  /** The probes showed that the dependency is healthy. */
  PROBES_SUCCEEDED,
  /** Too many probes failed, were slow, or did not report within their lease. */
  PROBES_FAILED,
  /** {@code maxWaitDurationInHalfOpenState} passed without a verdict. */
  HALF_OPEN_TIMEOUT,
  /** Somebody called {@link CircuitBreaker#transitionTo}. */
  OPERATOR,
  /** Somebody called {@link CircuitBreaker#reset}. */
  RESET
}

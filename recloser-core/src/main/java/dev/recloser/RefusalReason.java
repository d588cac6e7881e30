package dev.recloser;

/** Why a call was refused. */
public enum RefusalReason {
  /** The breaker is open and its wait is not over. */
  OPEN,
  /** The breaker is half-open and all its probes are out or used up. */
  HALF_OPEN,
  /** An operator forced the breaker open. */
  FORCED_OPEN,
  /** The breaker has just closed and admits only a share of the calls. */
  RAMP_UP
}

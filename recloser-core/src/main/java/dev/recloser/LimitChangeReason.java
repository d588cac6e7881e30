package dev.recloser;

/** Why the limit of a bulkhead has changed. */
public enum LimitChangeReason {
  /** The limit was fully used, and calls took no longer than normal: it was raised. */
  LATENCY_NORMAL,
  /** Calls took longer than is tolerated: it was lowered. */
  LATENCY_HIGH,
  /** Too many calls failed or timed out: it was lowered. */
  FAILURES,
  /** It is at its floor for some calls, to measure how long they take when few run. */
  MEASURING,
  /** That has been measured, and it is where it was before. */
  MEASURED,
  /** The bulkhead was given other settings. */
  RECONFIGURED
}

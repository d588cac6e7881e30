package dev.recloser;

/** How the probes of a half-open breaker decide. */
public enum HalfOpenRule {
  /**
   * The failure rate and the slow-call rate of all permitted probes, against the thresholds that
   * also open the breaker. Decided as soon as the outstanding probes cannot change the verdict.
   */
  RATE,
  /** The first failed or slow probe reopens the breaker; it closes when all have succeeded. */
  ALL_SUCCEED
}

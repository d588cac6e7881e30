package dev.recloser;

/**
 * Everything a retry has counted since it was made. No number ever goes down. Every call that has
 * ended is counted once, by how it ended.
 *
 * @param retries further attempts that were made
 * @param succeeded calls that succeeded the first time
 * @param succeededAfterRetry calls that succeeded, but not the first time
 * @param notRetried calls that failed in a way that is not retried
 * @param exhausted calls that failed for good because there had been enough attempts or time
 * @param withoutBudget calls that failed for good because the budget did not allow another attempt
 * @param cancelled calls that were given up: their caller was interrupted or has cancelled, or they
 *     could not be waited for
 */
public record RetryMetrics(
    long retries,
    long succeeded,
    long succeededAfterRetry,
    long notRetried,
    long exhausted,
    long withoutBudget,
    long cancelled) {
  /** Calls that have ended, whatever came of them. */
  public long calls() {
    return succeeded + succeededAfterRetry + notRetried + exhausted + withoutBudget + cancelled;
  }
}

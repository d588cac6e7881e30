package dev.recloser;

/**
 * Everything a retry has counted since it was made. No number ever goes down.
 *
 * @param calls calls that have ended, whatever came of them
 * @param retries further attempts
 * @param succeededAfterRetry calls that succeeded, but not the first time
 * @param exhausted calls that failed for good because there had been enough attempts or time
 * @param withoutBudget calls that failed for good because the budget did not allow another attempt
 */
public record RetryMetrics(
    long calls, long retries, long succeededAfterRetry, long exhausted, long withoutBudget) {}

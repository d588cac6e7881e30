package dev.recloser;

/**
 * Everything a timeout has counted since it was made. No number ever goes down. A call is counted
 * when its caller has its answer, also if the work still goes on.
 *
 * @param succeeded calls that returned a result in time
 * @param failed calls that threw in time, cancelled ones and those an executor rejected included
 * @param timedOut calls that did not end in time, or were not made since there was none left
 */
public record TimeoutMetrics(long succeeded, long failed, long timedOut) {}

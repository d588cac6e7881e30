package dev.recloser;

/**
 * What a bulkhead is doing, and everything it has counted since it was made. Every call is counted
 * once as admitted, rejected or cancelled, when that is decided. {@code running} and {@code
 * waiting} are of one moment; no other number ever goes down.
 *
 * @param admitted calls that got a slot
 * @param rejected calls that were refused, at once or after a wait
 * @param cancelled calls that were given up while they waited: cancelled, or their thread
 *     interrupted
 * @param running calls that hold a slot now
 * @param waiting calls that wait for a slot now
 * @param mostRunning most calls that ever held a slot at once
 */
public record BulkheadMetrics(
    long admitted, long rejected, long cancelled, int running, int waiting, int mostRunning) {}

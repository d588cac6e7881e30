package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a bulkhead is doing, and everything it has counted since it was made. Every call is counted
 * once as admitted, refused or cancelled, when that is decided. {@code running} and {@code waiting}
 * are of one moment; {@code limit} and {@code baselineLatency} go up and down; no other number ever
 * goes down.
 *
 * @param admitted calls that got a slot
 * @param refused calls that were refused, at once or after a wait
 * @param cancelled calls that were given up while they waited: cancelled, or their thread
 *     interrupted
 * @param running calls that hold a slot now
 * @param waiting calls that wait for a slot now
 * @param mostRunning most calls that ever held a slot at once
 * @param limit how many calls may hold a slot at once now; fewer than run after it was lowered
 * @param baselineLatency how long calls normally take, as an adaptive limit has learnt it or was
 *     told; null while it is not known, and without an adaptive limit
 */
public record BulkheadMetrics(
    long admitted,
    long refused,
    long cancelled,
    int running,
    int waiting,
    int mostRunning,
    int limit,
    @Nullable Duration baselineLatency) {}

package dev.recloser;

import java.time.Duration;

/**
 * What a rate limiter has counted since it was made, and how it stands. Requests are counted, not
 * their permits. All but {@code waiting} and {@code availablePermits} never go down, other than
 * that one given up between its turn and its call moves from {@code admitted} to {@code cancelled}.
 *
 * @param admitted requests that got their permits, at once or after a wait
 * @param refused requests that were turned away
 * @param cancelled requests that left before they made use of permits: interrupted or cancelled
 * @param waited requests that got their permits after a wait
 * @param waiting requests that wait now
 * @param availablePermits whole permits that are there now; negative when that many are owed to
 *     those who wait
 * @param longestWait the longest wait of a request that got its permits
 */
public record RateLimiterMetrics(
    long admitted,
    long refused,
    long cancelled,
    long waited,
    int waiting,
    long availablePermits,
    Duration longestWait) {}

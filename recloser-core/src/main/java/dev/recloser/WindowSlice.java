package dev.recloser;

/**
 * A stretch of a breaker's window: a slice of time, or some calls that followed each other.
 *
 * @param calls the calls recorded in it
 * @param failed how many of them failed
 * @param slow how many of them were slow, failed ones included
 * @param slowFailed how many of them were both; they are in {@code failed} and in {@code slow}
 */
public record WindowSlice(int calls, int failed, int slow, int slowFailed) {}

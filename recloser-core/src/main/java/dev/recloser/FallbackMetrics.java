package dev.recloser;

/**
 * Everything one fallback of a pipeline has counted since the pipeline was made: every call that
 * came out of it, once. A fallback inside a retry counts each attempt. No number ever goes down.
 *
 * @param live answers of the dependency
 * @param fallback answers that were given in place of a failure, by it or by a fallback inside it
 * @param stale last good answers that were given in place of a failure, likewise
 * @param failed fallbacks that failed themselves
 * @param replaced failures that were replaced by another exception, as they were meant to be
 * @param passedOn failures without a rule, failed results among them, cancellations and
 *     interruptions, and stages that were completed from outside, be it while the fallback was at
 *     work
 */
public record FallbackMetrics(
    long live, long fallback, long stale, long failed, long replaced, long passedOn) {}

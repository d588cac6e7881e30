package dev.recloser.lab;

import dev.recloser.CircuitBreakerMetrics;
import java.time.Duration;

/**
 * What a breaker did with a trace.
 *
 * @param key the dependency; {@link RecordedCall#NO_KEY} if the trace is of one only
 * @param calls the calls of the trace to it
 * @param metrics what the breaker has counted, from the moment it was made until its last row has
 *     begun and the last admitted call has ended
 * @param refusedThatWouldHaveFailed refused calls that are failures in the trace
 * @param refusedThatWouldHaveSucceeded refused calls that are successes in the trace
 * @param busyTimeSpared how long the refused calls took in the trace, all together
 */
public record ReplaySummary(
    String key,
    long calls,
    CircuitBreakerMetrics metrics,
    long refusedThatWouldHaveFailed,
    long refusedThatWouldHaveSucceeded,
    Duration busyTimeSpared) {

  /** How long the breaker was there, in the time of the trace. */
  public Duration length() {
    return metrics.timeInState().values().stream().reduce(Duration.ZERO, Duration::plus);
  }
}

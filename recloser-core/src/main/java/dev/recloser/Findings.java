package dev.recloser;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a state knows, or knew when it was left.
 *
 * @param window the calls it judged by
 * @param failures samples of the last failures, the newest last
 * @param slowestCall null where none was timed
 * @param retryAfterNanos how long the dependency asked to be left alone; 0 for not
 */
record Findings(
    WindowSnapshot window,
    List<FailureSample> failures,
    @Nullable Duration slowestCall,
    long retryAfterNanos) {

  static Findings none(CircuitBreakerConfig config) {
    return new Findings(
        new WindowSnapshot(
            0,
            0,
            0,
            0,
            0,
            config.minimumNumberOfCalls(),
            config.failureRateThreshold(),
            config.slowCallRateThreshold()),
        List.of(),
        null,
        0);
  }
}

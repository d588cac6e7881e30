package dev.recloser.cli;

import dev.recloser.CircuitBreakerSnapshot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A run at one moment, for the screen.
 *
 * @param elapsed since its start
 * @param phase what inventory is like
 * @param breaker the breaker; null in the run without one
 * @param busy the most workers that were busy at once since the moment before
 * @param waiting requests that wait for a worker
 * @param lately what was counted in the time of {@code window}
 * @param window how long that was
 */
record Moment(
    Duration elapsed,
    Phase phase,
    @Nullable CircuitBreakerSnapshot breaker,
    int busy,
    int waiting,
    Counts lately,
    Duration window) {

  /** How often something happened lately, per second. */
  long perSecond(Count count) {
    return window.isZero() ? 0 : Math.round(lately.of(count) * 1e9 / window.toNanos());
  }

  long callsPerSecond() {
    return perSecond(Count.CALLS_MADE);
  }
}

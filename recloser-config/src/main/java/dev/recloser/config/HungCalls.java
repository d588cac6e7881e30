package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a breaker knows of calls that have not ended. */
final class HungCalls {
  private HungCalls() {}

  /**
   * Whether calls that hang count before they end: as slow, once they are past the limit.
   *
   * @param timeout ends them; null if nothing does
   */
  static boolean count(CircuitBreakerConfig config, @Nullable Duration timeout) {
    Duration limit = config.slowCallDurationThreshold();
    boolean reached = timeout == null || limit.compareTo(timeout) < 0;
    return config.countSlowCallsInFlight() && !limit.isZero() && reached;
  }
}

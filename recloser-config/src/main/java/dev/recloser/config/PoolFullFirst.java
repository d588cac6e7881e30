package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.TimeoutConfig;
import dev.recloser.config.Finding.Severity;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A breaker that opens only when every worker is taken.
 *
 * <p>When a dependency hangs, calls are in flight by Little's law, rate times time each, until they
 * time out. So the pool is full after {@code pool / rate}, unless the timeout is shorter than that.
 * A full count window of n successes opens by failures when {@code threshold x n} calls have timed
 * out, one timeout after they came; by slow calls in flight when s of them have passed the limit
 * with {@code s / (n + s)} at the threshold. What comes first counts.
 */
final class PoolFullFirst extends BreakerCheck {
  PoolFullFirst() {
    super(
        "pool-full-first",
        Severity.WARNING,
        "When the dependency hangs, all workers are taken before the breaker has its evidence.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    Double rate = workload.callsPerSecond();
    Integer pool = workload.pool();
    if (rate == null || pool == null || isCapped(guard, pool)) {
      return;
    }
    Duration timeout = timeoutOf(guard);
    double full = pool / rate;
    double opens = secondsToOpen(breaker.config(), timeout, rate);
    boolean everFull = timeout == null || Workload.callsIn(timeout, rate) >= pool;
    if (everFull && full < opens) {
      findings.add(
          this,
          breaker,
          "failureRateThreshold",
          "all %s workers are taken after %s when the dependency hangs, and the breaker %s"
              .formatted(
                  pool,
                  Told.time(full),
                  opens == Double.POSITIVE_INFINITY
                      ? "never opens"
                      : "opens after " + Told.time(opens)),
          "calls come in at %s a second, and %s"
              .formatted(
                  Told.number(rate),
                  timeout == null
                      ? "no timeout in this file ends them"
                      : "each holds a worker for up to " + Told.time(timeout)),
          "write a shorter timeout, a smaller window or lower thresholds, and a bulkhead of fewer"
              + " than %s calls".formatted(pool));
    }
  }

  /** Whether a bulkhead leaves some of the pool alone. */
  private static boolean isCapped(Guard guard, int pool) {
    boolean ofThreads = guard.has(PolicyKind.THREAD_POOL_BULKHEAD);
    return ofThreads
        || guard.all(PolicyKind.BULKHEAD).stream()
            .anyMatch(bulkhead -> BulkheadAbovePool.mostCalls(bulkhead.config()) < pool);
  }

  private static @Nullable Duration timeoutOf(Guard guard) {
    Subject<TimeoutConfig> timeout = guard.first(PolicyKind.TIMEOUT);
    return timeout == null ? null : timeout.config().timeoutDuration();
  }

  private static double secondsToOpen(
      CircuitBreakerConfig config, @Nullable Duration timeout, double rate) {
    double window = windowCalls(config, rate);
    double byFailures =
        timeout == null
            ? Double.POSITIVE_INFINITY
            : Workload.seconds(timeout) + window * config.failureRateThreshold() / 100 / rate;
    double limit = Workload.seconds(config.slowCallDurationThreshold());
    double share = config.slowCallRateThreshold() / 100;
    double bySlowCalls =
        HungCalls.count(config, timeout) && share < 1
            ? limit + window * share / (1 - share) / rate
            : Double.POSITIVE_INFINITY;
    return Math.min(byFailures, bySlowCalls);
  }

  private static double windowCalls(CircuitBreakerConfig config, double rate) {
    return switch (config.slidingWindowType()) {
      case COUNT_BASED -> config.slidingWindowCalls();
      case TIME_BASED -> Workload.callsIn(config.slidingWindowDuration(), rate);
    };
  }
}

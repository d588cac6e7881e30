package dev.recloser;

import java.time.Duration;
import java.util.function.IntFunction;

/**
 * The waits of one call between its attempts. Not thread-safe.
 *
 * <p>Computed in doubles, whose infinity is less trouble than an overflow at some attempt, and cut
 * to the longest wait before anything else is done with them.
 */
final class Backoff {
  private final Retry retry;
  private final RetryConfig config;
  private double previous;

  Backoff(Retry retry, RetryConfig config) {
    this.retry = retry;
    this.config = config;
    previous = config.waitNanos;
  }

  /** The wait in nanoseconds after an attempt, from 1, has failed; negative for no other. */
  long after(int attempt) {
    double most = config.maxWaitNanos;
    double wait = Math.min(unjittered(attempt), most);
    if (wait < 0) {
      return -1;
    }
    double random = random();
    double jittered =
        switch (config.jitter()) {
          case NONE -> wait;
          case FULL -> wait * random;
          case EQUAL -> wait / 2 + wait / 2 * random;
          case DECORRELATED -> decorrelated(most, random);
        };
    previous = jittered;
    return (long) jittered;
  }

  private double decorrelated(double most, double random) {
    double base = Math.min((double) config.waitNanos, most);
    double high = Math.max(base, Math.min(3 * previous, most));
    return base + (high - base) * random;
  }

  private double unjittered(int attempt) {
    IntFunction<Duration> function = config.intervalFunction();
    if (function == null) {
      return config.waitNanos * Math.pow(config.exponentialBackoffMultiplier(), attempt - 1.0);
    }
    try {
      Duration computed = function.apply(attempt);
      return computed == null
          ? (double) config.waitNanos
          : computed.toSeconds() * 1e9 + computed.toNanosPart();
    } catch (Throwable e) {
      retry.userCodeFailed("intervalFunction", e);
      return (double) config.waitNanos;
    }
  }

  private double random() {
    try {
      double random = config.random();
      return random >= 0 && random <= 1 ? random : 0.5;
    } catch (Throwable e) {
      retry.userCodeFailed("random", e);
      return 0.5;
    }
  }
}

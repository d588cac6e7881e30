package dev.recloser.jdk;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.CircuitBreakerSnapshot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a breaker stands, in the shape that JMX shows as a row. Immutable. */
public final class BreakerInfo {
  private final CircuitBreakerSnapshot snapshot;
  private final CircuitBreakerMetrics metrics;

  BreakerInfo(CircuitBreaker breaker) {
    metrics = breaker.metrics();
    snapshot = breaker.snapshot();
  }

  /** What it is called. */
  public String getName() {
    return snapshot.breaker();
  }

  /** Its state. */
  public String getState() {
    return snapshot.state().name();
  }

  /** How long it has been in it, in milliseconds. */
  public long getInStateFor() {
    return snapshot.inStateFor().toMillis();
  }

  /** How long it stays unless something else happens, in milliseconds; -1 for no limit. */
  public long getRemaining() {
    return millis(snapshot.remaining());
  }

  /** The share of the calls that failed, in percent; NaN if there are none. */
  public double getFailureRate() {
    return snapshot.window().failureRate();
  }

  /** The share of the calls that were slow, in percent; NaN if there are none. */
  public double getSlowCallRate() {
    return snapshot.window().slowCallRate();
  }

  /** The calls that it judges by. */
  public int getWindowCalls() {
    return snapshot.window().calls();
  }

  /** How many more calls it takes before a rate is believed. */
  public int getCallsNeeded() {
    return snapshot.window().callsNeeded();
  }

  /** Admitted calls that have not ended. */
  public long getCallsInFlight() {
    return snapshot.callsInFlight();
  }

  /** Successes so far. */
  public long getSucceeded() {
    return metrics.succeeded();
  }

  /** Failures so far. */
  public long getFailed() {
    return metrics.failed();
  }

  /** Slow calls so far. */
  public long getSlow() {
    return metrics.slow();
  }

  /** Refused calls so far. */
  public long getRefused() {
    return metrics.totalRefused();
  }

  private static long millis(@Nullable Duration duration) {
    return duration == null ? -1 : duration.toMillis();
  }
}

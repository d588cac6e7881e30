package dev.recloser.micrometer;

import dev.recloser.Bulkhead;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.Policy;
import dev.recloser.RateLimiter;
import dev.recloser.Retry;
import dev.recloser.Timeout;
import dev.recloser.WindowSnapshot;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/**
 * The second set of meters: what Resilience4j 2.4 calls them, with its tags and types.
 *
 * <p>Its breaker's {@code kind} knows successful, failed and ignored calls; those that were
 * cancelled are in none of them, as there. What it has for pools of threads, and for retries of
 * results, is not here.
 */
final class Resilience4jMeters {
  private static final String BREAKER = "resilience4j.circuitbreaker.";

  private Resilience4jMeters() {}

  static void register(Meters meters, Policy policy) {
    if (policy instanceof CircuitBreaker breaker) {
      breaker(meters, breaker);
    } else if (policy instanceof Retry retry) {
      retry(meters, retry);
    } else if (policy instanceof Bulkhead bulkhead) {
      bulkhead(meters, bulkhead);
    } else if (policy instanceof RateLimiter limiter) {
      rateLimiter(meters, limiter);
    } else if (policy instanceof Timeout timeout) {
      timeLimiter(meters, timeout);
    }
  }

  private static void breaker(Meters meters, CircuitBreaker breaker) {
    for (State state : State.values()) {
      meters.gauge(
          BREAKER + "state",
          "The states of the circuit breaker",
          breaker,
          b -> b.state() == state ? 1 : 0,
          "state",
          Meters.tag(state));
    }
    meters.gauge(
        BREAKER + "failure.rate",
        "The failure rate of the circuit breaker; -1 below the minimum number of calls",
        breaker,
        b -> rate(b.snapshot().window(), b.snapshot().window().failureRate()));
    meters.gauge(
        BREAKER + "slow.call.rate",
        "The slow call rate of the circuit breaker; -1 below the minimum number of calls",
        breaker,
        b -> rate(b.snapshot().window(), b.snapshot().window().slowCallRate()));
    meters.gauge(
        BREAKER + "buffered.calls",
        "The number of buffered calls in the window",
        breaker,
        b -> b.snapshot().window().failed(),
        "kind",
        "failed");
    meters.gauge(
        BREAKER + "buffered.calls",
        "The number of buffered calls in the window",
        breaker,
        b -> b.snapshot().window().calls() - b.snapshot().window().failed(),
        "kind",
        "successful");
    meters.gauge(
        BREAKER + "slow.calls",
        "The number of slow calls in the window",
        breaker,
        b -> b.snapshot().window().slowFailed(),
        "kind",
        "failed");
    meters.gauge(
        BREAKER + "slow.calls",
        "The number of slow calls in the window",
        breaker,
        b -> slowSuccessful(b.snapshot().window()),
        "kind",
        "successful");
    meters.counter(
        BREAKER + "not.permitted.calls",
        "Total number of calls that were not permitted",
        breaker,
        b -> b.metrics().totalRefused(),
        "kind",
        "not_permitted");
    timers(meters, breaker);
  }

  private static double slowSuccessful(WindowSnapshot window) {
    return window.slow() - window.slowFailed();
  }

  private static double rate(WindowSnapshot window, double rate) {
    return window.callsNeeded() > 0 || Double.isNaN(rate) ? -1 : rate;
  }

  private static void timers(Meters meters, CircuitBreaker breaker) {
    Timer successful = callTimer(meters, "successful");
    Timer failed = callTimer(meters, "failed");
    Timer ignored = callTimer(meters, "ignored");
    meters.onRemove(
        breaker.on(
            CallFinished.class,
            e -> {
              Duration duration = e.duration() == null ? Duration.ZERO : e.duration();
              switch (e.outcome()) {
                case SUCCESS -> successful.record(duration);
                case FAILURE -> failed.record(duration);
                case IGNORED -> ignored.record(duration);
                case CANCELLED -> {}
              }
            }));
  }

  private static Timer callTimer(Meters meters, String kind) {
    return meters.timer(BREAKER + "calls", "Calls by how they ended", "kind", kind);
  }

  private static void retry(Meters meters, Retry retry) {
    String name = "resilience4j.retry.calls";
    String description = "Calls by how they ended";
    meters.counter(
        name, description, retry, r -> r.metrics().succeeded(), "kind", "successful_without_retry");
    meters.counter(
        name,
        description,
        retry,
        r -> r.metrics().succeededAfterRetry(),
        "kind",
        "successful_with_retry");
    meters.counter(
        name, description, retry, r -> r.metrics().notRetried(), "kind", "failed_without_retry");
    meters.counter(
        name,
        description,
        retry,
        r -> r.metrics().exhausted() + r.metrics().withoutBudget(),
        "kind",
        "failed_with_retry");
  }

  private static void bulkhead(Meters meters, Bulkhead bulkhead) {
    meters.gauge(
        "resilience4j.bulkhead.available.concurrent.calls",
        "The number of available permissions",
        bulkhead,
        b -> Math.max(0, b.metrics().limit() - b.metrics().running()));
    meters.gauge(
        "resilience4j.bulkhead.max.allowed.concurrent.calls",
        "The maximum number of available permissions",
        bulkhead,
        b -> b.metrics().limit());
  }

  private static void rateLimiter(Meters meters, RateLimiter limiter) {
    meters.gauge(
        "resilience4j.ratelimiter.available.permissions",
        "The number of available permissions",
        limiter,
        l -> l.metrics().availablePermits());
    meters.gauge(
        "resilience4j.ratelimiter.waiting_threads",
        "The number of requests that wait",
        limiter,
        l -> l.metrics().waiting());
  }

  private static void timeLimiter(Meters meters, Timeout timeout) {
    String name = "resilience4j.timelimiter.calls";
    String description = "Calls by how they ended";
    meters.counter(name, description, timeout, t -> t.metrics().succeeded(), "kind", "successful");
    meters.counter(name, description, timeout, t -> t.metrics().failed(), "kind", "failed");
    meters.counter(name, description, timeout, t -> t.metrics().timedOut(), "kind", "timeout");
  }
}

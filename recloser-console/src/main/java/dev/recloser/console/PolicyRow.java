package dev.recloser.console;

import dev.recloser.AdaptiveLimitConfig;
import dev.recloser.Bulkhead;
import dev.recloser.BulkheadMetrics;
import dev.recloser.CircuitBreaker;
import dev.recloser.FallbackMetrics;
import dev.recloser.Hedge;
import dev.recloser.HedgeMetrics;
import dev.recloser.Pipeline;
import dev.recloser.Policy;
import dev.recloser.RateLimiter;
import dev.recloser.RateLimiterMetrics;
import dev.recloser.Retry;
import dev.recloser.RetryMetrics;
import dev.recloser.Timeout;
import dev.recloser.TimeoutMetrics;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** A policy that is no breaker, as JSON: its kind, how it stands, and what it has counted. */
final class PolicyRow {
  private PolicyRow() {}

  static void write(JsonGenerator json, Policy policy) {
    json.writeStringProperty("kind", kindOf(policy));
    json.writeStringProperty("name", policy.name());
    json.writeStringProperty("explain", policy.explain());
    writeNumbers(json, "now", present(policy));
    writeNumbers(json, "counts", counted(policy));
  }

  /** What the fallbacks of a pipeline have answered with: degraded answers, told from live ones. */
  static void writeFallbacks(JsonGenerator json, Pipeline<?> pipeline) {
    json.writeStringProperty("pipeline", pipeline.name());
    json.writeStringProperty("describe", pipeline.describe());
    Json.array(json, "fallbacks", pipeline.fallbackMetrics(), metrics -> write(json, metrics));
  }

  private static void write(JsonGenerator json, FallbackMetrics metrics) {
    json.writeNumberProperty("live", metrics.live());
    json.writeNumberProperty("fallback", metrics.fallback());
    json.writeNumberProperty("stale", metrics.stale());
    json.writeNumberProperty("failed", metrics.failed());
    json.writeNumberProperty("replaced", metrics.replaced());
    json.writeNumberProperty("passedOn", metrics.passedOn());
  }

  static String kindOf(Policy policy) {
    if (policy instanceof CircuitBreaker) {
      return "circuitbreaker";
    } else if (policy instanceof Bulkhead) {
      return "bulkhead";
    } else if (policy instanceof RateLimiter) {
      return "ratelimiter";
    } else if (policy instanceof Retry) {
      return "retry";
    } else if (policy instanceof Hedge) {
      return "hedge";
    } else {
      return policy instanceof Timeout ? "timeout" : "fallback";
    }
  }

  /** What goes up and down, and the limits of it. */
  private static Map<String, Number> present(Policy policy) {
    Map<String, Number> now = new LinkedHashMap<>();
    if (policy instanceof Bulkhead bulkhead) {
      BulkheadMetrics metrics = bulkhead.metrics();
      now.put("running", metrics.running());
      now.put("waiting", metrics.waiting());
      now.put("limit", metrics.limit());
      now.put("mostRunning", metrics.mostRunning());
      now.put("maxQueuedCalls", bulkhead.config().maxQueuedCalls());
      addAdaptive(bulkhead.config().adaptiveLimit(), metrics.baselineLatency(), now);
    } else if (policy instanceof RateLimiter limiter) {
      RateLimiterMetrics metrics = limiter.metrics();
      now.put("availablePermits", metrics.availablePermits());
      now.put("maxBurst", limiter.config().maxBurst());
      now.put("waiting", metrics.waiting());
      now.put("longestWaitMillis", Json.inMillis(metrics.longestWait()));
    } else if (policy instanceof Retry retry) {
      int left = retry.budgetLeft();
      if (left != Integer.MAX_VALUE) { // It has a limit.
        now.put("budgetLeft", left);
      }
      addAttempts(retry.metrics(), now);
    } else if (policy instanceof Hedge hedge) {
      now.put("delayMillis", Json.inMillis(hedge.metrics().delay()));
    } else if (policy instanceof Timeout timeout) {
      now.put("timeoutMillis", Json.inMillis(timeout.config().timeoutDuration()));
    }
    return now;
  }

  private static void addAdaptive(
      @Nullable AdaptiveLimitConfig config, @Nullable Duration baseline, Map<String, Number> now) {
    if (config != null) {
      now.put("minLimit", config.minLimit());
      now.put("maxLimit", config.maxLimit());
    }
    if (baseline != null) {
      now.put("baselineLatencyMillis", Json.inMillis(baseline));
    }
  }

  /**
   * By how much retries multiply the load; of calls that have ended, and so none before one has.
   */
  private static void addAttempts(RetryMetrics metrics, Map<String, Number> now) {
    long calls = metrics.calls();
    if (calls > 0) {
      now.put("attemptsPerCall", (calls + metrics.retries()) / (double) calls);
    }
  }

  /** What only goes up. */
  private static Map<String, Long> counted(Policy policy) {
    Map<String, Long> counts = new LinkedHashMap<>();
    if (policy instanceof Bulkhead bulkhead) {
      BulkheadMetrics metrics = bulkhead.metrics();
      counts.put("admitted", metrics.admitted());
      counts.put("refused", metrics.refused());
      counts.put("cancelled", metrics.cancelled());
    } else if (policy instanceof RateLimiter limiter) {
      RateLimiterMetrics metrics = limiter.metrics();
      counts.put("admitted", metrics.admitted());
      counts.put("refused", metrics.refused());
      counts.put("cancelled", metrics.cancelled());
      counts.put("waited", metrics.waited());
    } else if (policy instanceof Retry retry) {
      countRetries(retry.metrics(), counts);
    } else if (policy instanceof Hedge hedge) {
      countHedges(hedge.metrics(), counts);
    } else if (policy instanceof Timeout timeout) {
      TimeoutMetrics metrics = timeout.metrics();
      counts.put("succeeded", metrics.succeeded());
      counts.put("failed", metrics.failed());
      counts.put("timedOut", metrics.timedOut());
    }
    return counts;
  }

  private static void countRetries(RetryMetrics metrics, Map<String, Long> counts) {
    counts.put("calls", metrics.calls());
    counts.put("retries", metrics.retries());
    counts.put("succeeded", metrics.succeeded());
    counts.put("succeededAfterRetry", metrics.succeededAfterRetry());
    counts.put("notRetried", metrics.notRetried());
    counts.put("exhausted", metrics.exhausted());
    counts.put("withoutBudget", metrics.withoutBudget());
    counts.put("cancelled", metrics.cancelled());
  }

  private static void countHedges(HedgeMetrics metrics, Map<String, Long> counts) {
    counts.put("calls", metrics.calls());
    counts.put("hedges", metrics.hedges());
    counts.put("wonByFirst", metrics.wonByFirst());
    counts.put("wonByHedge", metrics.wonByHedge());
    counts.put("failed", metrics.failed());
    counts.put("cancelled", metrics.cancelled());
    counts.put("withoutBudget", metrics.withoutBudget());
  }

  private static void writeNumbers(
      JsonGenerator json, String name, Map<String, ? extends Number> numbers) {
    Json.object(
        json, name, () -> numbers.forEach((number, value) -> Json.number(json, number, value)));
  }
}

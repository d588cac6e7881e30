package dev.recloser.opentelemetry;

import dev.recloser.Bulkhead;
import dev.recloser.BulkheadMetrics;
import dev.recloser.FallbackMetrics;
import dev.recloser.Hedge;
import dev.recloser.HedgeMetrics;
import dev.recloser.Pipeline;
import dev.recloser.RateLimiter;
import dev.recloser.RateLimiterMetrics;
import dev.recloser.Retry;
import dev.recloser.RetryMetrics;
import dev.recloser.Timeout;
import dev.recloser.TimeoutMetrics;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** The metrics of every policy but the breaker. */
final class PolicyInstruments {
  private static final String CALL = "{call}";

  private PolicyInstruments() {}

  static AutoCloseable ofRetries(Meter meter, Supplier<Collection<Retry>> retries) {
    Observers observers = new Observers(meter, "recloser.retry.");
    ObservableLongMeasurement calls = observers.counter("calls", CALL, "Calls by how they ended");
    ObservableLongMeasurement attempts =
        observers.counter("retries", "{attempt}", "Further attempts made");
    ObservableLongMeasurement budget =
        observers.gauge(
            "budget_left", "{attempt}", "Further attempts that the budget allows at once");
    return observers.build(
        retries,
        retry -> {
          RetryMetrics metrics = retry.metrics();
          Attributes name = name(retry.name());
          calls.record(metrics.succeeded(), result(name, "succeeded"));
          calls.record(metrics.succeededAfterRetry(), result(name, "succeeded_after_retry"));
          calls.record(metrics.notRetried(), result(name, "not_retried"));
          calls.record(metrics.exhausted(), result(name, "exhausted"));
          calls.record(metrics.withoutBudget(), result(name, "without_budget"));
          calls.record(metrics.cancelled(), result(name, "cancelled"));
          attempts.record(metrics.retries(), name);
          if (retry.budgetLeft() != Integer.MAX_VALUE) {
            budget.record(retry.budgetLeft(), name);
          }
        });
  }

  static AutoCloseable ofBulkheads(Meter meter, Supplier<Collection<Bulkhead>> bulkheads) {
    Observers observers = new Observers(meter, "recloser.bulkhead.");
    ObservableLongMeasurement calls = observers.counter("calls", CALL, "Calls by what was decided");
    ObservableLongMeasurement active =
        observers.upDown("running_calls", CALL, "Calls that hold a slot");
    ObservableLongMeasurement waiting =
        observers.upDown("waiting_calls", CALL, "Calls that wait for a slot");
    ObservableLongMeasurement limit =
        observers.upDown("limit", CALL, "Calls that may hold a slot at once");
    ObservableDoubleMeasurement latency =
        observers.fraction(
            "baseline_latency",
            "s",
            "How long calls normally take, as the adaptive limit knows it");
    return observers.build(
        bulkheads,
        bulkhead -> {
          BulkheadMetrics metrics = bulkhead.metrics();
          Attributes name = name(bulkhead.name());
          calls.record(metrics.admitted(), result(name, "admitted"));
          calls.record(metrics.refused(), result(name, "refused"));
          calls.record(metrics.cancelled(), result(name, "cancelled"));
          active.record(metrics.running(), name);
          waiting.record(metrics.waiting(), name);
          limit.record(metrics.limit(), name);
          if (metrics.baselineLatency() != null) {
            latency.record(metrics.baselineLatency().toNanos() / 1e9, name);
          }
        });
  }

  static AutoCloseable ofRateLimiters(Meter meter, Supplier<Collection<RateLimiter>> limiters) {
    Observers observers = new Observers(meter, "recloser.rate_limiter.");
    ObservableLongMeasurement calls =
        observers.counter("calls", CALL, "Requests by what was decided");
    ObservableLongMeasurement waited =
        observers.counter("waited", CALL, "Requests that got their permits after a wait");
    ObservableLongMeasurement waiting =
        observers.upDown("waiting_calls", CALL, "Requests that wait");
    ObservableLongMeasurement permits =
        observers.gauge(
            "available_permits",
            "{permit}",
            "Permits that are there; negative when owed to those who wait");
    return observers.build(
        limiters,
        limiter -> {
          RateLimiterMetrics metrics = limiter.metrics();
          Attributes name = name(limiter.name());
          calls.record(metrics.admitted(), result(name, "admitted"));
          calls.record(metrics.refused(), result(name, "refused"));
          calls.record(metrics.cancelled(), result(name, "cancelled"));
          waited.record(metrics.waited(), name);
          waiting.record(metrics.waiting(), name);
          permits.record(metrics.availablePermits(), name);
        });
  }

  static AutoCloseable ofTimeouts(Meter meter, Supplier<Collection<Timeout>> timeouts) {
    Observers observers = new Observers(meter, "recloser.timeout.");
    ObservableLongMeasurement calls = observers.counter("calls", CALL, "Calls by how they ended");
    return observers.build(
        timeouts,
        timeout -> {
          TimeoutMetrics metrics = timeout.metrics();
          Attributes name = name(timeout.name());
          calls.record(metrics.succeeded(), result(name, "succeeded"));
          calls.record(metrics.failed(), result(name, "failed"));
          calls.record(metrics.timedOut(), result(name, "timed_out"));
        });
  }

  static AutoCloseable ofHedges(Meter meter, Supplier<Collection<Hedge>> hedges) {
    Observers observers = new Observers(meter, "recloser.hedge.");
    ObservableLongMeasurement calls = observers.counter("calls", CALL, "Calls by how they ended");
    ObservableLongMeasurement attempts =
        observers.counter("hedges", "{attempt}", "Further attempts begun");
    ObservableLongMeasurement denied =
        observers.counter(
            "without_budget", "{attempt}", "Further attempts that the budget did not allow");
    ObservableDoubleMeasurement delay =
        observers.fraction("delay", "s", "Time before a further attempt is begun");
    return observers.build(
        hedges,
        hedge -> {
          HedgeMetrics metrics = hedge.metrics();
          Attributes name = name(hedge.name());
          calls.record(metrics.wonByFirst(), result(name, "won_by_first"));
          calls.record(metrics.wonByHedge(), result(name, "won_by_hedge"));
          calls.record(metrics.failed(), result(name, "failed"));
          calls.record(metrics.cancelled(), result(name, "cancelled"));
          attempts.record(metrics.hedges(), name);
          denied.record(metrics.withoutBudget(), name);
          delay.record(metrics.delay().toNanos() / 1e9, name);
        });
  }

  /** The fallbacks of pipelines, the outermost of each at position 1. */
  static AutoCloseable ofFallbacks(Meter meter, Supplier<? extends Collection<Pipeline<?>>> all) {
    Observers observers = new Observers(meter, "recloser.fallback.");
    ObservableLongMeasurement answers =
        observers.counter("answers", "{answer}", "What came out of a fallback");
    return observers.build(
        all,
        pipeline -> {
          List<FallbackMetrics> fallbacks = pipeline.fallbackMetrics();
          for (int i = 0; i < fallbacks.size(); i++) {
            FallbackMetrics metrics = fallbacks.get(i);
            Attributes name =
                name(pipeline.name()).toBuilder().put(Attribute.POSITION, i + 1L).build();
            answers.record(metrics.live(), source(name, "live"));
            answers.record(metrics.fallback(), source(name, "fallback"));
            answers.record(metrics.stale(), source(name, "stale"));
            answers.record(metrics.failed(), source(name, "failed"));
            answers.record(metrics.replaced(), source(name, "replaced"));
            answers.record(metrics.passedOn(), source(name, "passed_on"));
          }
        });
  }

  private static Attributes name(String name) {
    return Attributes.of(Attribute.NAME, name);
  }

  private static Attributes result(Attributes name, String result) {
    return name.toBuilder().put(Attribute.RESULT, result).build();
  }

  private static Attributes source(Attributes name, String source) {
    return name.toBuilder().put(Attribute.SOURCE, source).build();
  }
}

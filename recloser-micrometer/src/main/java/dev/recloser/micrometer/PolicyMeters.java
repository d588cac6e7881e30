package dev.recloser.micrometer;

import dev.recloser.Bulkhead;
import dev.recloser.FallbackMetrics;
import dev.recloser.Hedge;
import dev.recloser.Pipeline;
import dev.recloser.RateLimiter;
import dev.recloser.Retry;
import dev.recloser.Timeout;
import java.util.function.ToLongFunction;

/** The meters of every policy but the breaker. */
final class PolicyMeters {
  private PolicyMeters() {}

  static void register(Meters meters, Retry retry) {
    Results<Retry> calls =
        new Results<>(meters, "recloser.retry.calls", "Calls by how they ended", retry);
    calls.count("succeeded", r -> r.metrics().succeeded());
    calls.count("succeeded_after_retry", r -> r.metrics().succeededAfterRetry());
    calls.count("not_retried", r -> r.metrics().notRetried());
    calls.count("exhausted", r -> r.metrics().exhausted());
    calls.count("without_budget", r -> r.metrics().withoutBudget());
    calls.count("cancelled", r -> r.metrics().cancelled());
    meters.counter(
        "recloser.retry.retries", "Further attempts made", retry, r -> r.metrics().retries());
    meters.gauge(
        "recloser.retry.budget.left",
        "Further attempts that the budget allows at once; NaN if it has no limit",
        retry,
        r -> r.budgetLeft() == Integer.MAX_VALUE ? Double.NaN : r.budgetLeft());
  }

  static void register(Meters meters, Bulkhead bulkhead) {
    Results<Bulkhead> calls =
        new Results<>(meters, "recloser.bulkhead.calls", "Calls by what was decided", bulkhead);
    calls.count("admitted", b -> b.metrics().admitted());
    calls.count("refused", b -> b.metrics().refused());
    calls.count("cancelled", b -> b.metrics().cancelled());
    meters.gauge(
        "recloser.bulkhead.running",
        "Calls that hold a slot",
        bulkhead,
        b -> b.metrics().running());
    meters.gauge(
        "recloser.bulkhead.waiting",
        "Calls that wait for a slot",
        bulkhead,
        b -> b.metrics().waiting());
    meters.gauge(
        "recloser.bulkhead.limit",
        "Calls that may hold a slot at once",
        bulkhead,
        b -> b.metrics().limit());
    meters.time(
        "recloser.bulkhead.baseline.latency",
        "How long calls normally take, as an adaptive limit knows it; NaN without one",
        bulkhead,
        b -> b.metrics().baselineLatency());
  }

  static void register(Meters meters, RateLimiter limiter) {
    Results<RateLimiter> calls =
        new Results<>(
            meters, "recloser.ratelimiter.calls", "Requests by what was decided", limiter);
    calls.count("admitted", l -> l.metrics().admitted());
    calls.count("refused", l -> l.metrics().refused());
    calls.count("cancelled", l -> l.metrics().cancelled());
    meters.counter(
        "recloser.ratelimiter.waited",
        "Requests that got their permits after a wait",
        limiter,
        l -> l.metrics().waited());
    meters.gauge(
        "recloser.ratelimiter.waiting", "Requests that wait", limiter, l -> l.metrics().waiting());
    meters.gauge(
        "recloser.ratelimiter.available.permits",
        "Permits that are there; negative when owed to those who wait",
        limiter,
        l -> l.metrics().availablePermits());
  }

  static void register(Meters meters, Timeout timeout) {
    Results<Timeout> calls =
        new Results<>(meters, "recloser.timeout.calls", "Calls by how they ended", timeout);
    calls.count("succeeded", t -> t.metrics().succeeded());
    calls.count("failed", t -> t.metrics().failed());
    calls.count("timed_out", t -> t.metrics().timedOut());
  }

  static void register(Meters meters, Hedge hedge) {
    Results<Hedge> calls =
        new Results<>(meters, "recloser.hedge.calls", "Calls by how they ended", hedge);
    calls.count("won_by_first", h -> h.metrics().wonByFirst());
    calls.count("won_by_hedge", h -> h.metrics().wonByHedge());
    calls.count("failed", h -> h.metrics().failed());
    calls.count("cancelled", h -> h.metrics().cancelled());
    meters.counter(
        "recloser.hedge.hedges", "Further attempts begun", hedge, h -> h.metrics().hedges());
    meters.counter(
        "recloser.hedge.without.budget",
        "Further attempts that the budget did not allow",
        hedge,
        h -> h.metrics().withoutBudget());
    meters.time(
        "recloser.hedge.delay",
        "Time before a further attempt is begun",
        hedge,
        h -> h.metrics().delay());
  }

  /** The fallbacks of a pipeline, the outermost first. */
  static void register(Meters meters, Pipeline<?> pipeline) {
    for (int i = 0; i < pipeline.fallbackMetrics().size(); i++) {
      answers(meters, pipeline, i, "live", FallbackMetrics::live);
      answers(meters, pipeline, i, "fallback", FallbackMetrics::fallback);
      answers(meters, pipeline, i, "stale", FallbackMetrics::stale);
      answers(meters, pipeline, i, "failed", FallbackMetrics::failed);
      answers(meters, pipeline, i, "replaced", FallbackMetrics::replaced);
      answers(meters, pipeline, i, "passed_on", FallbackMetrics::passedOn);
    }
  }

  private static void answers(
      Meters meters,
      Pipeline<?> pipeline,
      int position,
      String source,
      ToLongFunction<FallbackMetrics> count) {
    meters.counter(
        "recloser.fallback.answers",
        "What came out of a fallback; fallback and stale are degraded answers",
        pipeline,
        p -> count.applyAsLong(p.fallbackMetrics().get(position)),
        "source",
        source,
        "position",
        Integer.toString(position + 1));
  }

  /** A meter with a tag {@code result}. */
  private record Results<P>(Meters meters, String name, String description, P policy) {
    void count(String result, ToLongFunction<P> count) {
      meters.counter(name, description, policy, p -> count.applyAsLong(p), "result", result);
    }
  }
}

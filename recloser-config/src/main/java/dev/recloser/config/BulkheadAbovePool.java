package dev.recloser.config;

import dev.recloser.AdaptiveLimitConfig;
import dev.recloser.BulkheadConfig;
import dev.recloser.config.Finding.Severity;

/** A bulkhead that keeps nothing free. */
final class BulkheadAbovePool extends Check {
  BulkheadAbovePool() {
    super(
        "bulkhead-above-pool",
        Severity.WARNING,
        "maxConcurrentCalls, or maxLimit of an adaptiveLimit, is not less than the workers there"
            + " are.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    for (Subject<BulkheadConfig> bulkhead : scene.all(PolicyKind.BULKHEAD)) {
      Integer pool = scene.workloadOf(bulkhead).pool();
      int calls = mostCalls(bulkhead.config());
      if (pool != null && calls >= pool) {
        boolean fixed = bulkhead.config().adaptiveLimit() == null;
        findings.add(
            this,
            bulkhead,
            fixed ? "maxConcurrentCalls" : "adaptiveLimit.maxLimit",
            "one dependency may take all %s workers".formatted(pool),
            "the bulkhead lets %s calls run at once".formatted(calls),
            "write a part of the pool, a little more than calls a second times seconds a call");
      }
    }
  }

  /** How many calls a bulkhead lets run at once, at most. */
  static int mostCalls(BulkheadConfig config) {
    AdaptiveLimitConfig adaptive = config.adaptiveLimit();
    return adaptive == null ? config.maxConcurrentCalls() : adaptive.maxLimit();
  }
}

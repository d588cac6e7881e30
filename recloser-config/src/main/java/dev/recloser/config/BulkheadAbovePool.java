package dev.recloser.config;

import dev.recloser.BulkheadConfig;
import dev.recloser.config.Finding.Severity;

/** A bulkhead that keeps nothing free. */
final class BulkheadAbovePool extends Check {
  BulkheadAbovePool() {
    super(
        "bulkhead-above-pool",
        Severity.WARNING,
        "maxConcurrentCalls is not less than the workers there are.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    for (Subject<BulkheadConfig> bulkhead : scene.all(PolicyKind.BULKHEAD)) {
      Integer pool = scene.workloadOf(bulkhead).pool();
      int calls = bulkhead.config().maxConcurrentCalls();
      if (pool != null && calls >= pool) {
        findings.add(
            this,
            bulkhead,
            "maxConcurrentCalls",
            "one dependency may take all %s workers".formatted(pool),
            "the bulkhead lets %s calls run at once".formatted(calls),
            "write a part of the pool, a little more than calls a second times seconds a call");
      }
    }
  }
}

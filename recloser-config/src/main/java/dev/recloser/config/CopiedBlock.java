package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Numbers that were derived for one dependency and copied to another. */
final class CopiedBlock extends Check {
  private static final int FEW_SETTINGS = 3;
  private static final String LIMIT = "slowCallDurationThreshold";

  CopiedBlock() {
    super(
        "copied-block",
        Severity.WARNING,
        "Two breakers have the same settings, a limit for slow calls among them.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    Map<Map<String, String>, Subject<CircuitBreakerConfig>> blocks = new HashMap<>();
    for (Subject<CircuitBreakerConfig> breaker : scene.all(PolicyKind.CIRCUIT_BREAKER)) {
      Map<String, String> written = written(breaker);
      if (written.size() < FEW_SETTINGS || !written.containsKey(LIMIT)) {
        continue;
      }
      Subject<CircuitBreakerConfig> first = blocks.putIfAbsent(written, breaker);
      if (first != null) {
        findings.add(
            this,
            breaker,
            LIMIT,
            "the breaker of one of two dependencies is tuned to the other",
            "the block is the same as that of %s, its limit of %s included"
                .formatted(first.name(), written.get(LIMIT)),
            "derive the numbers from the p99, the error rate and the traffic of each; what is the"
                + " same for all belongs into a template");
      }
    }
  }

  /** What the block itself gives. */
  private static Map<String, String> written(Subject<CircuitBreakerConfig> breaker) {
    Map<String, String> written = new TreeMap<>();
    for (String setting : breaker.own()) {
      written.put(setting, String.valueOf(breaker.shown(setting)));
    }
    return written;
  }
}

package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;
import java.util.regex.Pattern;

/** Breakers that are too many to learn anything. */
final class BreakerPerUrl extends Check {
  /** An address with a path or a query, or a path with a number, a key or a variable in it. */
  private static final Pattern URL =
      Pattern.compile(
          "https?://[^/?]+[/?].+|.*[?].*=.*|.*/([0-9]+|[0-9a-fA-F-]{32,36}|[{].*[}])(/.*)?");

  BreakerPerUrl() {
    super(
        "breaker-per-url",
        Severity.WARNING,
        "A breaker is named after a URL, of which there are too many.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    for (Subject<CircuitBreakerConfig> breaker : scene.all(PolicyKind.CIRCUIT_BREAKER)) {
      if (URL.matcher(breaker.name()).matches()) {
        findings.add(
            rule().id(),
            rule().severity(),
            breaker.name(),
            breaker.place(),
            breaker.pathOfBlock(),
            "no breaker sees enough calls to believe a rate",
            "there is one for each address, though the service behind them fails as one",
            "name the service, or the operation");
      }
    }
  }
}

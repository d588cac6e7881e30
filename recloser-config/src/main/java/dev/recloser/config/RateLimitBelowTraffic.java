package dev.recloser.config;

import dev.recloser.RateLimiterConfig;
import dev.recloser.config.Finding.Severity;

/** A rate limiter that refuses on a usual day. */
final class RateLimitBelowTraffic extends Check {
  RateLimitBelowTraffic() {
    super(
        "rate-limit-below-traffic",
        Severity.WARNING,
        "A rate limiter permits fewer calls a second than come in.");
  }

  @Override
  void look(Scene scene, Findings findings) {
    for (Subject<RateLimiterConfig> limiter : scene.all(PolicyKind.RATE_LIMITER)) {
      Double rate = scene.workloadOf(limiter).callsPerSecond();
      RateLimiterConfig config = limiter.config();
      double permits =
          config.limitForPeriod()
              / (double) config.permitsPerCall()
              / Workload.seconds(config.limitRefreshPeriod());
      if (rate != null && permits < rate) {
        findings.add(
            this,
            limiter,
            "limitForPeriod",
            "%s of the calls are refused on a usual day"
                .formatted(Told.percent(100 * (1 - permits / rate))),
            "%s a second are permitted, and %s come in"
                .formatted(Told.number(permits), Told.number(rate)),
            "write a higher limitForPeriod, if the dependency can take it");
      }
    }
  }
}

package dev.recloser;

import java.time.Duration;
import java.util.List;

/** The sentences that say why something happened. */
final class Reasons {
  private Reasons() {}

  /** Why the thresholds open a breaker. */
  static String opening(TransitionCause cause, Findings findings, CircuitBreakerConfig config) {
    return cause == TransitionCause.FAILURE_RATE
        ? failures(findings, config)
        : slowCalls(findings, config);
  }

  static String probesSucceeded(WindowSnapshot probes) {
    int healthy = probes.calls() - Math.max(probes.failed(), probes.slow());
    return healthy
        + " of "
        + Text.count(probes.minimumNumberOfCalls(), "probe")
        + " succeeded"
        + (probes.calls() < probes.minimumNumberOfCalls() ? ", the rest cannot change it" : "");
  }

  static String probesFailed(
      WindowSnapshot probes, int expired, Duration lease, CircuitBreakerConfig config) {
    int all = probes.minimumNumberOfCalls();
    boolean byFailures =
        config.halfOpenByAllSucceed()
            ? probes.failed() > 0
            : config.failureRate.isReachedBy(probes.failed(), all);
    int bad = byFailures ? probes.failed() : probes.slow();
    String rule =
        config.halfOpenByAllSucceed()
            ? "all must succeed"
            : shareOfAll(
                100.0 * bad / all,
                byFailures ? probes.failureRateThreshold() : probes.slowCallRateThreshold());
    String verb = byFailures ? " failed" : bad == 1 ? " was slow" : " were slow";
    String silent =
        expired == 0 ? "" : ", " + expired + " by not reporting within " + Text.of(lease);
    return bad + " of " + Text.count(all, "probe") + verb + " (" + rule + ")" + silent;
  }

  static String halfOpenTimeout(WindowSnapshot probes, Duration limit) {
    return "no verdict within "
        + Text.of(limit)
        + ": "
        + probes.calls()
        + " of "
        + Text.count(probes.minimumNumberOfCalls(), "probe")
        + " had reported";
  }

  /** What a window holds now, for a breaker that admits calls. */
  static String window(WindowSnapshot window, CircuitBreakerConfig config) {
    if (window.calls() + window.slowInFlight() == 0) {
      return "no call recorded yet, "
          + Text.count(window.minimumNumberOfCalls(), "call")
          + " needed before it may open";
    }
    String failed =
        window.calls() == 0
            ? "no call recorded yet"
            : window.failed()
                + ofTheCalls(window, config)
                + " failed ("
                + opensAt(window.failureRate(), window.failureRateThreshold())
                + ")";
    return failed + slowPart(window, config) + whatIsMissing(window, config);
  }

  private static String slowPart(WindowSnapshot window, CircuitBreakerConfig config) {
    if (config.slowCallNanos == 0) {
      return "";
    }
    String running = window.slowInFlight() + " still running";
    String slow =
        window.slowInFlight() == 0
            ? String.valueOf(window.slow())
            : window.calls() == 0 ? onlyRunning(window) : window.slow() + " and " + running;
    return ", "
        + slow
        + tookLonger(config)
        + " ("
        + opensAt(window.slowCallRate(), window.slowCallRateThreshold())
        + ")";
  }

  private static String whatIsMissing(WindowSnapshot window, CircuitBreakerConfig config) {
    int calls = window.calls() + window.slowInFlight();
    if (window.callsNeeded() > 0) {
      return "; only "
          + calls
          + " of "
          + Text.count(window.minimumNumberOfCalls(), "call")
          + " needed so far";
    }
    boolean isDue =
        window.slowInFlight() > 0
            && config.slowCallRate.isReachedBy(window.slow() + window.slowInFlight(), calls);
    return isDue ? "; the next call opens it" : "";
  }

  private static String failures(Findings findings, CircuitBreakerConfig config) {
    WindowSnapshot window = findings.window();
    List<FailureSample> samples = findings.failures();
    String last =
        samples.isEmpty() ? "" : ", last with " + samples.get(samples.size() - 1).simpleType();
    return window.failed()
        + ofTheCalls(window, config)
        + " failed ("
        + share(window.failureRate(), window.failureRateThreshold())
        + ")"
        + last;
  }

  private static String slowCalls(Findings findings, CircuitBreakerConfig config) {
    WindowSnapshot window = findings.window();
    String running = window.slowInFlight() + " still running";
    String recorded = window.slow() + ofTheCalls(window, config);
    String slow =
        window.slowInFlight() == 0
            ? recorded
            : window.calls() == 0 ? onlyRunning(window) : recorded + " and " + running;
    return slow
        + tookLonger(config)
        + " ("
        + share(window.slowCallRate(), window.slowCallRateThreshold())
        + ")";
  }

  private static String onlyRunning(WindowSnapshot window) {
    return Text.count(window.slowInFlight(), "call") + " still running";
  }

  private static String tookLonger(CircuitBreakerConfig config) {
    return " took longer than " + Text.of(config.slowCallDurationThreshold());
  }

  private static String ofTheCalls(WindowSnapshot window, CircuitBreakerConfig config) {
    String calls = Text.count(window.calls(), "call");
    return config.timeBased
        ? " of the " + calls + " of the last " + Text.of(config.slidingWindowDuration())
        : " of the last " + calls;
  }

  private static String opensAt(double rate, double threshold) {
    return Text.percent(rate) + ", opens at " + Text.percent(threshold);
  }

  /** Probes are judged by the share of all there may be, not of those that have reported. */
  private static String shareOfAll(double rate, double threshold) {
    return Text.percent(rate) + " of all >= " + Text.percent(threshold);
  }

  private static String share(double rate, double threshold) {
    return Text.percent(rate) + " >= " + Text.percent(threshold);
  }
}

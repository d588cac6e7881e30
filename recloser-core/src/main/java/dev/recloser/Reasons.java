package dev.recloser;

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
    int healthy = probes.calls() - Math.max(probes.failedCalls(), probes.slowCalls());
    return healthy
        + " of "
        + Text.count(probes.minimumNumberOfCalls(), "probe")
        + " succeeded"
        + (probes.calls() < probes.minimumNumberOfCalls() ? ", the rest cannot change it" : "");
  }

  static String probesFailed(WindowSnapshot probes, int expired, CircuitBreakerConfig config) {
    int all = probes.minimumNumberOfCalls();
    boolean byFailures =
        config.halfOpenByAllSucceed()
            ? probes.failedCalls() > 0
            : config.failureRate.isReachedBy(probes.failedCalls(), all);
    int bad = byFailures ? probes.failedCalls() : probes.slowCalls();
    String rule =
        config.halfOpenByAllSucceed()
            ? "all must succeed"
            : share(
                100.0 * bad / all,
                byFailures ? probes.failureRateThreshold() : probes.slowCallRateThreshold());
    String verb = byFailures ? " failed" : bad == 1 ? " was slow" : " were slow";
    String silent =
        expired == 0
            ? ""
            : ", " + expired + " by not reporting within " + Text.of(config.maxProbeDuration());
    return bad + " of " + Text.count(all, "probe") + verb + " (" + rule + ")" + silent;
  }

  static String halfOpenTimeout(WindowSnapshot probes, CircuitBreakerConfig config) {
    return "no verdict within "
        + Text.of(config.maxWaitDurationInHalfOpenState())
        + ": "
        + probes.calls()
        + " of "
        + Text.count(probes.minimumNumberOfCalls(), "probe")
        + " had reported";
  }

  /** What a window holds now, for a breaker that is not about to open. */
  static String window(WindowSnapshot window, CircuitBreakerConfig config) {
    if (window.calls() + window.slowCallsInFlight() == 0) {
      return "no call recorded yet, "
          + Text.count(window.minimumNumberOfCalls(), "call")
          + " needed before it may open";
    }
    String failed =
        window.failedCalls()
            + ofTheCalls(window.calls(), config)
            + " failed"
            + (window.calls() == 0
                ? ""
                : " ("
                    + Text.percent(window.failureRate())
                    + ", opens at "
                    + Text.percent(window.failureRateThreshold())
                    + ")");
    String needed =
        window.callsNeeded() == 0
            ? ""
            : "; only "
                + window.calls()
                + " of "
                + Text.count(window.minimumNumberOfCalls(), "call")
                + " needed so far";
    return failed + slowPart(window, config) + needed;
  }

  private static String slowPart(WindowSnapshot window, CircuitBreakerConfig config) {
    if (config.slowCallNanos == 0) {
      return "";
    }
    String running =
        window.slowCallsInFlight() == 0 ? "" : ", " + window.slowCallsInFlight() + " still running";
    return ", "
        + (window.slowCalls() + window.slowCallsInFlight())
        + " took longer than "
        + Text.of(config.slowCallDurationThreshold())
        + running
        + " ("
        + Text.percent(window.slowCallRate())
        + ", opens at "
        + Text.percent(window.slowCallRateThreshold())
        + ")";
  }

  private static String failures(Findings findings, CircuitBreakerConfig config) {
    WindowSnapshot window = findings.window();
    List<FailureSample> samples = findings.failures();
    String last =
        samples.isEmpty() ? "" : ", last with " + samples.get(samples.size() - 1).simpleType();
    return window.failedCalls()
        + ofTheCalls(window.calls(), config)
        + " failed ("
        + share(window.failureRate(), window.failureRateThreshold())
        + ")"
        + last;
  }

  private static String slowCalls(Findings findings, CircuitBreakerConfig config) {
    WindowSnapshot window = findings.window();
    int slow = window.slowCalls() + window.slowCallsInFlight();
    String running =
        window.slowCallsInFlight() == 0
            ? ""
            : ", " + window.slowCallsInFlight() + " of them still running";
    return slow
        + ofTheCalls(window.calls() + window.slowCallsInFlight(), config)
        + " took longer than "
        + Text.of(config.slowCallDurationThreshold())
        + " ("
        + share(window.slowCallRate(), window.slowCallRateThreshold())
        + ")"
        + running;
  }

  private static String ofTheCalls(int calls, CircuitBreakerConfig config) {
    return config.timeBased
        ? " of the "
            + Text.count(calls, "call")
            + " of the last "
            + Text.of(config.slidingWindowDuration())
        : " of the last " + Text.count(calls, "call");
  }

  private static String share(double rate, double threshold) {
    return Text.percent(rate) + " >= " + Text.percent(threshold);
  }
}

package dev.recloser;

import dev.recloser.CircuitBreakerEvent.StateTransition;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts a breaker's state into a sentence for somebody on call. */
final class Explanation {
  private static final long A_MOMENT = 1_000_000;

  private final BreakerState state;
  private final CircuitBreakerConfig config;
  private final long now;

  private Explanation(BreakerState state, long now) {
    this.state = state;
    this.config = state.breaker.config();
    this.now = now;
  }

  static String of(BreakerState state, long now) {
    var explanation = new Explanation(state, now);
    return state.breaker.name() + " is " + explanation.sentence() + ".";
  }

  private String sentence() {
    return switch (state.kind()) {
      case CLOSED -> closed((ClosedState) state);
      case OPEN -> open();
      case HALF_OPEN -> halfOpen((HalfOpenState) state);
      case FORCED_OPEN -> forced("FORCED_OPEN", "every call is refused");
      case DISABLED -> forced("DISABLED", "every call is admitted and none is judged");
      case METRICS_ONLY ->
          forced("METRICS_ONLY", "every call is admitted; " + window() + wouldHave());
    };
  }

  private String closed(ClosedState closed) {
    double share = closed.admittedPercentage(now);
    String rampUp =
        share >= 100
            ? ""
            : ", ramping up and admitting "
                + Text.percent(share)
                + " of the calls for "
                + Text.ofNanos(closed.rampUpNanosLeft(now))
                + " more";
    return "CLOSED" + since() + rampUp + ": " + window() + notCounted();
  }

  private String open() {
    Duration remaining = state.remaining(now);
    String left =
        remaining == null || remaining.isZero()
            ? "OPEN" + since() + ", its wait is over and the next call will probe: "
            : "OPEN for " + Text.of(remaining) + " more" + since() + ": ";
    return left + why() + details() + "; then " + Text.count(config.probes, "probe") + again();
  }

  private String halfOpen(HalfOpenState halfOpen) {
    HalfOpenState.View view = halfOpen.view(now);
    WindowSnapshot probes = view.reported();
    Duration remaining = halfOpen.remaining(now);
    return "HALF_OPEN"
        + since()
        + ": "
        + probes.calls()
        + " of "
        + Text.count(probes.minimumNumberOfCalls(), "probe")
        + " reported ("
        + probes.failed()
        + " failed, "
        + probes.slow()
        + " slow), "
        + view.out()
        + " out, "
        + view.left()
        + " left; a probe that does not report within "
        + Text.of(halfOpen.lease())
        + " counts as failed"
        + (view.leaseIsOver() ? "; one has not, and the next call will find that" : "")
        + (remaining == null ? "" : "; without a verdict it opens in " + Text.of(remaining))
        + again();
  }

  private String forced(String name, String effect) {
    Duration remaining = state.remaining(now);
    String until =
        remaining == null
            ? " until an operator changes it"
            : " for " + Text.of(remaining) + " more, then it closes";
    return name + since() + until + ": " + effect;
  }

  private String window() {
    return Reasons.window(state.findings(now).window(), config);
  }

  /** The most frequent reason why a breaker does not trip. */
  private String notCounted() {
    long ignored = state.breaker.counters().ended(Outcome.IGNORED);
    long cancelled = state.breaker.counters().ended(Outcome.CANCELLED);
    boolean worthTelling =
        ignored + cancelled > 0 && state.findings(now).window().callsNeeded() > 0;
    return worthTelling
        ? "; " + ignored + " ignored and " + cancelled + " cancelled so far do not count"
        : "";
  }

  private String wouldHave() {
    long times = state.breaker.counters().timesWouldHaveOpened();
    return times == 0 ? "" : "; it would have opened " + Text.count(times, "time") + " so far";
  }

  private String why() {
    return state.transition == null ? "" : state.transition.reason();
  }

  private String since() {
    long nanos = Math.max(0, now - state.enteredAt);
    return nanos < A_MOMENT ? " (just now)" : " (since " + Text.ofNanos(nanos) + ")";
  }

  private String again() {
    return state.openings <= 1 ? "" : " (opening number " + state.openings + " in a row)";
  }

  /** The last failure's message and the slowest call, where they are known. */
  private String details() {
    StateTransition transition = state.transition;
    if (transition == null) {
      return "";
    }
    boolean byFailures =
        transition.cause() == TransitionCause.FAILURE_RATE
            || transition.cause() == TransitionCause.PROBES_FAILED;
    String message = byFailures ? lastMessage(transition.failures()) : null;
    Duration slowest = transition.slowestCall();
    return (message == null ? "" : " (\"" + message + "\")")
        + (slowest == null ? "" : ", slowest call " + Text.of(slowest));
  }

  private static @Nullable String lastMessage(List<FailureSample> failures) {
    return failures.isEmpty() ? null : failures.get(failures.size() - 1).message();
  }
}

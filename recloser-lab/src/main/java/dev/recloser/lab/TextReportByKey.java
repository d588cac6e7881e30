package dev.recloser.lab;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.CircuitBreakerMetrics;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Writes a replay with several dependencies as a timeline and a table for people. */
final class TextReportByKey implements ReplayListener {
  private static final int KEY_WIDTH = 32;
  private final Writer out;
  private final Timeline lines;
  private final boolean withCalls;
  private final Map<String, Integer> openings = new HashMap<>();
  private boolean headed;

  TextReportByKey(Writer out, boolean withCalls) {
    this.out = out;
    lines = new Timeline(out);
    this.withCalls = withCalls;
  }

  @Override
  public void transition(StateTransition transition) throws IOException {
    lines.transition(transition, transition.policy() + ": ");
    if (transition.to() == State.OPEN) {
      openings.merge(transition.policy(), 1, Integer::sum);
    }
    out.flush();
  }

  @Override
  public void call(RecordedCall call, boolean admitted, State decidedBy) throws IOException {
    if (withCalls) {
      lines.call(call, admitted, decidedBy, call.key() + ": ");
    }
  }

  @Override
  public void summary(ReplaySummary summary) throws IOException {
    if (!headed) {
      headed = true;
      lines.line("");
      row("dependency", "calls", "failed", "refused", "would fail", "opened", "not closed");
    }
    CircuitBreakerMetrics metrics = summary.metrics();
    long refused = metrics.totalRefused();
    Duration closed = metrics.timeInState().getOrDefault(State.CLOSED, Duration.ZERO);
    Duration notClosed = summary.length().minus(closed);
    row(
        name(summary.key()),
        count(summary.calls()),
        percent(metrics.failed(), metrics.admitted()),
        count(refused),
        percent(summary.refusedThatWouldHaveFailed(), refused),
        count(openings.getOrDefault(summary.key(), 0)),
        percent(notClosed.toNanos(), summary.length().toNanos()));
    out.flush();
  }

  private void row(
      String name,
      String calls,
      String failed,
      String refused,
      String wouldFail,
      String opened,
      String notClosed)
      throws IOException {
    lines.line(
        String.format(
            "%-32s%13s%9s%11s%12s%8s%12s",
            name, calls, failed, refused, wouldFail, opened, notClosed));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** The end of a long name tells more than its beginning. */
  private static String name(String key) {
    int length = key.length();
    return length < KEY_WIDTH ? key : "..." + key.substring(length - KEY_WIDTH + 4);
  }

  private static String percent(long part, long whole) {
    return whole == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
  }
}

package dev.recloser.lab;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.CircuitBreakerMetrics;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Writes a replay as a timeline and a summary for people.
 *
 * <p>The timeline has a line for each state the breaker enters, with the reason; the state it left
 * is on the line above.
 */
final class TextReport implements ReplayListener {
  private static final int BAR_WIDTH = 40;

  private final Writer out;
  private final Timeline lines;
  private final boolean withCalls;
  private boolean begun;

  TextReport(Writer out, boolean withCalls) {
    this.out = out;
    lines = new Timeline(out);
    this.withCalls = withCalls;
  }

  @Override
  public void transition(StateTransition transition) throws IOException {
    begin();
    lines.transition(transition, "");
    out.flush();
  }

  @Override
  public void call(RecordedCall call, boolean admitted, State decidedBy) throws IOException {
    if (withCalls) {
      begin();
      lines.call(call, admitted, decidedBy, "");
    }
  }

  @Override
  public void summary(ReplaySummary summary) throws IOException {
    begin();
    lines.event(summary.length().toNanos(), "end", "");
    lines.line("");
    counts(summary);
    lines.line("");
    timeInStates(summary);
    out.flush();
  }

  private void counts(ReplaySummary summary) throws IOException {
    CircuitBreakerMetrics metrics = summary.metrics();
    long admitted = metrics.admitted();
    long refused = metrics.totalRefused();
    lines.line(format("%-24s%,15d", "calls", summary.calls()));
    share("admitted", admitted, summary.calls(), "");
    share("  succeeded", metrics.succeeded(), admitted, "");
    share("  failed", metrics.failed(), admitted, "");
    shareIfAny("  ignored", metrics.ignored(), admitted);
    shareIfAny("  cancelled", metrics.cancelled(), admitted);
    shareIfAny("  slow", metrics.slow(), admitted);
    shareIfAny("  late", metrics.late(), admitted);
    share("refused", refused, summary.calls(), reasons(metrics));
    if (refused > 0) {
      share("  would have failed", summary.refusedThatWouldHaveFailed(), refused, "");
      share("  would have succeeded", summary.refusedThatWouldHaveSucceeded(), refused, "");
      lines.line(format("%-24s%15s", "  busy time spared", Times.span(summary.busyTimeSpared())));
    }
  }

  private void begin() throws IOException {
    if (!begun) {
      begun = true;
      lines.event(0, State.CLOSED.name(), "");
    }
  }

  private static String reasons(CircuitBreakerMetrics metrics) {
    return metrics.refused().entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .map(entry -> format("%,d while %s", entry.getValue(), entry.getKey()))
        .collect(Collectors.joining(", "));
  }

  private void timeInStates(ReplaySummary summary) throws IOException {
    Duration length = summary.length();
    for (State state : State.values()) {
      Duration time = summary.metrics().timeInState().getOrDefault(state, Duration.ZERO);
      if (!time.isZero()) {
        double share = (double) time.toNanos() / length.toNanos();
        String bar = "#".repeat((int) Math.ceil(share * BAR_WIDTH));
        lines.line(format("%-24s%15s  %5.1f %%  %s", state, Times.span(time), 100 * share, bar));
      }
    }
  }

  private void shareIfAny(String name, long part, long whole) throws IOException {
    if (part > 0) {
      share(name, part, whole, "");
    }
  }

  private void share(String name, long part, long whole, String remark) throws IOException {
    String percent = whole == 0 ? "" : format("%5.1f %%", 100.0 * part / whole);
    lines.line(format("%-24s%,15d  %7s  %s", name, part, percent, remark).stripTrailing());
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}

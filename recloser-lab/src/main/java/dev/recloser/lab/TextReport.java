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
  private static final int MARGIN = 30;
  private static final int REASON_WIDTH = 100 - MARGIN;
  private static final int BAR_WIDTH = 40;

  private final Writer out;
  private final boolean withCalls;
  private boolean begun;

  TextReport(Writer out, boolean withCalls) {
    this.out = out;
    this.withCalls = withCalls;
  }

  @Override
  public void transition(StateTransition transition) throws IOException {
    begin();
    timeline(transition.at(), transition.to().name(), transition.reason() + end(transition));
    out.flush();
  }

  @Override
  public void call(RecordedCall call, boolean admitted, State decidedBy) throws IOException {
    if (withCalls) {
      begin();
      String verb = admitted ? "admitted" : "refused";
      String what = "%s by %s: %s after %s";
      timeline(
          call.atNanos(),
          "  row " + call.row(),
          format(what, verb, decidedBy, call.outcome(), Times.span(call.durationNanos())));
    }
  }

  @Override
  public void summary(ReplaySummary summary) throws IOException {
    begin();
    timeline(summary.length().toNanos(), "end", "");
    line("");
    counts(summary);
    line("");
    timeInStates(summary);
    out.flush();
  }

  private void counts(ReplaySummary summary) throws IOException {
    CircuitBreakerMetrics metrics = summary.metrics();
    long admitted = metrics.admitted();
    long refused = metrics.totalRefused();
    line(format("%-24s%,15d", "calls", summary.calls()));
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
      line(format("%-24s%15s", "  busy time spared", Times.span(summary.busyTimeSpared())));
    }
  }

  private void begin() throws IOException {
    if (!begun) {
      begun = true;
      timeline(0, State.CLOSED.name(), "");
    }
  }

  private static String end(StateTransition transition) {
    Duration wait = transition.waitDuration();
    if (wait == null) {
      return "";
    }
    return (transition.to() == State.OPEN ? "; waits " : "; for at most ") + Times.span(wait);
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
        line(format("%-24s%15s  %5.1f %%  %s", state, Times.span(time), 100 * share, bar));
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
    line(format("%-24s%,15d  %7s  %s", name, part, percent, remark).stripTrailing());
  }

  private void timeline(long nanos, String what, String why) throws IOException {
    String margin = format("%14s  %-12s  ", Times.clock(nanos), what);
    String rest = why;
    while (rest.length() > REASON_WIDTH && rest.lastIndexOf(' ', REASON_WIDTH) > 0) {
      int cut = rest.lastIndexOf(' ', REASON_WIDTH);
      line(margin + rest.substring(0, cut));
      margin = " ".repeat(MARGIN);
      rest = rest.substring(cut + 1);
    }
    line((margin + rest).stripTrailing());
  }

  private void line(String text) throws IOException {
    out.write(text);
    out.write('\n');
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}

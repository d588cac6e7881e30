package dev.recloser.lab;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.Locale;

/** Writes lines of events, each with its time, and long ones wrapped. */
final class Timeline {
  private static final int MARGIN = 30;
  private static final int REASON_WIDTH = 100 - MARGIN;

  private final Writer out;

  Timeline(Writer out) {
    this.out = out;
  }

  /**
   * Writes which state a breaker has entered, and why.
   *
   * @param prefix stands before the reason
   */
  void transition(StateTransition transition, String prefix) throws IOException {
    String why = prefix + transition.reason() + end(transition);
    event(transition.at(), transition.to().name(), why);
  }

  void call(RecordedCall call, boolean admitted, State decidedBy, String prefix)
      throws IOException {
    String verb = admitted ? "admitted" : "refused";
    String span = Times.span(call.durationNanos());
    String what = format("%s by %s: %s after %s", verb, decidedBy, call.outcome(), span);
    event(call.atNanos(), "  row " + call.row(), prefix + what);
  }

  void event(long nanos, String what, String why) throws IOException {
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

  void line(String text) throws IOException {
    out.write(text);
    out.write('\n');
  }

  private static String end(StateTransition transition) {
    Duration wait = transition.waitDuration();
    if (wait == null) {
      return "";
    }
    return (transition.to() == State.OPEN ? "; waits " : "; for at most ") + Times.span(wait);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}

package dev.recloser.lab;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import java.util.ArrayList;
import java.util.List;

/** What a replay tells, in short: times in milliseconds. */
final class Log implements ReplayListener {
  final List<String> lines = new ArrayList<>();

  @Override
  public void transition(StateTransition transition) {
    String at = Milliseconds.ofNanos(transition.at()).toPlainString();
    lines.add(at + ": " + transition.to() + " by " + transition.cause());
  }

  @Override
  public void call(RecordedCall call, boolean admitted, State decidedBy) {
    lines.add("call " + call.row() + (admitted ? " admitted by " : " refused by ") + decidedBy);
  }

  @Override
  public void summary(ReplaySummary summary) {
    lines.add("end after " + Milliseconds.of(summary.length()).toPlainString());
  }
}

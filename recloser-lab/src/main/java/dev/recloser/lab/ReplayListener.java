package dev.recloser.lab;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import java.io.IOException;
import java.io.Writer;

/**
 * Hears of a replay what happens, in the order in which it happens.
 *
 * <p>What a method throws ends the replay and reaches its caller. A listener must leave the breaker
 * alone.
 */
public interface ReplayListener {
  /**
   * The breaker has moved from one state to another.
   *
   * @param transition its {@code at} is nanoseconds from the start of the trace, its {@code policy}
   *     the key of the dependency, if the trace is of several
   */
  default void transition(StateTransition transition) throws IOException {}

  /**
   * A call was admitted or refused. Transitions that its arrival caused have been told before.
   *
   * @param call the call
   * @param admitted false if it was refused
   * @param decidedBy the state that did so
   */
  default void call(RecordedCall call, boolean admitted, CircuitBreaker.State decidedBy)
      throws IOException {}

  /** The trace is at its end. Told once for each dependency; not told when the replay fails. */
  default void summary(ReplaySummary summary) throws IOException {}

  /**
   * Returns a listener that writes a timeline and a summary for people, at most 100 columns wide.
   *
   * @param out flushed after the summary, never closed
   * @param calls whether each call gets a line, too
   */
  static ReplayListener text(Writer out, boolean calls) {
    return new TextReport(out, calls);
  }

  /**
   * Returns a listener that writes a timeline and a table of the dependencies for people.
   *
   * @param out flushed after each row of the table, never closed
   * @param calls whether each call gets a line, too
   */
  static ReplayListener textByKey(Writer out, boolean calls) {
    return new TextReportByKey(out, calls);
  }

  /**
   * Returns a listener that writes one JSON object a line: each transition, and last the summary.
   * Times are milliseconds, rates percent; null stands for no limit and for a rate of no calls.
   *
   * @param out flushed after each transition and after the summary, never closed
   * @param calls whether each call gets an object, too
   */
  static ReplayListener json(Writer out, boolean calls) {
    return new JsonReport(out, calls, false);
  }

  /**
   * The same with the {@code key} of the dependency in each object, and a summary for each.
   *
   * @param out flushed after each transition and each summary, never closed
   * @param calls whether each call gets an object, too
   */
  static ReplayListener jsonByKey(Writer out, boolean calls) {
    return new JsonReport(out, calls, true);
  }
}

package dev.recloser.lab;

/**
 * A call as a log tells of it.
 *
 * @param stampNanos the time that is written in the line, by which the lines of a log are in order:
 *     when the call began or when it ended; all times are nanoseconds since 1970
 * @param startNanos when it began
 * @param durationNanos how long it took
 * @param outcome how it ended
 * @param attempt its number, from 0, where a line tells of several calls
 */
record LoggedCall(
    long stampNanos, long startNanos, long durationNanos, RecordedOutcome outcome, int attempt) {

  /** A call whose line says when it began. */
  static LoggedCall begunAt(long nanos, long durationNanos, RecordedOutcome outcome) {
    return new LoggedCall(nanos, nanos, durationNanos, outcome, 0);
  }

  /** A call whose line says when it ended. */
  static LoggedCall endedAt(long nanos, long durationNanos, RecordedOutcome outcome) {
    return new LoggedCall(nanos, nanos - durationNanos, durationNanos, outcome, 0);
  }

  long endNanos() {
    return startNanos + durationNanos;
  }
}

package dev.recloser.lab;

import dev.recloser.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * What the values in a log mean, the same for all programs that write them. What a status means is
 * asked of {@link RecordedOutcome#parse} only.
 */
final class LogValues {
  private final LogTimes times = new LogTimes();
  private final Memo<String, RecordedOutcome> outcomes = new Memo<>(RecordedOutcome::parse);

  /** A moment as text, see {@link LogTimes}. */
  long time(String field, @Nullable String text) throws UnreadableLineException {
    long nanos = times.toNanos(required(field, text, LogTimes.EXPECTED));
    return require(nanos, field, text, LogTimes.EXPECTED);
  }

  /** A moment as a number since 1970, or as text. */
  long time(String field, @Nullable String text, DecimalTime unit) throws UnreadableLineException {
    long nanos = unit.toNanos(required(field, text, LogTimes.EXPECTED));
    return nanos >= 0 ? nanos : time(field, text);
  }

  long duration(String field, @Nullable String text, DecimalTime unit)
      throws UnreadableLineException {
    long nanos = unit.toNanos(required(field, text, unit.expected()));
    return require(nanos, field, text, unit.expected());
  }

  RecordedOutcome status(String field, @Nullable String text) throws UnreadableLineException {
    String status = required(field, text, "an HTTP status from 100 to 599");
    if (!RecordedOutcome.isStatus(status)) {
      throw new UnreadableLineException(field, status, "an HTTP status from 100 to 599");
    }
    return outcomes.get(status);
  }

  /** A status, or anything else that {@link RecordedOutcome#parse} understands. */
  RecordedOutcome outcome(String field, @Nullable String text) throws UnreadableLineException {
    String outcome = required(field, text, RecordedOutcome.EXPECTED);
    try {
      return outcomes.get(outcome);
    } catch (IllegalArgumentException e) {
      throw new UnreadableLineException(field, outcome, RecordedOutcome.EXPECTED);
    }
  }

  /** The status of a call that its client gave up. */
  static RecordedOutcome cancelled(String text) {
    return RecordedOutcome.of(text, Outcome.CANCELLED);
  }

  /** A call that failed whatever its status says. */
  static RecordedOutcome failed(String text) {
    return RecordedOutcome.of(text, Outcome.FAILURE);
  }

  private static String required(String field, @Nullable String text, String expected)
      throws UnreadableLineException {
    if (text == null) {
      throw new UnreadableLineException(field + ": not there (expected: " + expected + ")");
    }
    return text;
  }

  private static long require(long nanos, String field, @Nullable String text, String expected)
      throws UnreadableLineException {
    if (nanos < 0) {
      throw new UnreadableLineException(field, String.valueOf(text), expected);
    }
    return nanos;
  }
}

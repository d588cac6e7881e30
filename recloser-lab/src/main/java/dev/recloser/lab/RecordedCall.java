package dev.recloser.lab;

import java.time.Duration;
import java.util.Objects;

/**
 * A call that was once made.
 *
 * @param row where it stands in the trace, from 1: the number of its row in CSV, which has a
 *     header, and of its line in a log; calls of a log are not in the order of its lines
 * @param atNanos when it began, in nanoseconds from the start of the trace; zero or more, at most
 *     {@link #MAX_TIME}
 * @param durationNanos how long it took, in nanoseconds; zero or more, at most {@link #MAX_TIME}
 * @param outcome how it ended
 * @param key the dependency that was called; {@link #NO_KEY} if the trace is of one only
 */
public record RecordedCall(
    long row, long atNanos, long durationNanos, RecordedOutcome outcome, String key) {
  /** The key of the calls of a trace that does not tell dependencies apart: empty. */
  public static final String NO_KEY = "";

  /**
   * The latest time and the longest duration: 36,500 days, so that a sum of two never overflows.
   */
  public static final Duration MAX_TIME = Duration.ofDays(36_500);

  private static final long MAX_NANOS = MAX_TIME.toNanos();

  /**
   * Creates one.
   *
   * @throws IllegalArgumentException if a time is out of range
   */
  public RecordedCall {
    requireInRange(atNanos, "atNanos");
    requireInRange(durationNanos, "durationNanos");
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(key, "key");
  }

  /**
   * Creates one of a trace that does not tell dependencies apart.
   *
   * @param row where it stands in the trace
   * @param atNanos when it began
   * @param durationNanos how long it took
   * @param outcome how it ended
   * @throws IllegalArgumentException if a time is out of range
   */
  public RecordedCall(long row, long atNanos, long durationNanos, RecordedOutcome outcome) {
    this(row, atNanos, durationNanos, outcome, NO_KEY);
  }

  static boolean isInRange(long nanos) {
    return nanos >= 0 && nanos <= MAX_NANOS;
  }

  private static void requireInRange(long nanos, String name) {
    if (!isInRange(nanos)) {
      throw new IllegalArgumentException(
          name + ": " + nanos + " (expected: zero or more, at most " + MAX_NANOS + ")");
    }
  }
}

package dev.recloser.lab;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Brings calls into the order in which they began.
 *
 * <p>Servers write a call down when it has ended, several at once, and often through a buffer. So a
 * line may tell of a call that began before those of earlier lines. How long before, nobody knows;
 * to read a log once and with little memory, a call is held back until a line is two minutes later
 * than its beginning. A call that is written down too late for that is taken to have begun at the
 * earliest moment that is left, if it was still running then; its end and its slowness stay what
 * they are.
 *
 * <p>A line whose time is further than that from the latest one, in either direction, may be wrong,
 * or the first after a quiet hour. So it moves nothing until the next line tells: the time goes
 * where both are, and if that one is not so far, it was wrong.
 */
final class StartOrder {
  /** Twice the usual limit of a proxy for an answer, in nanoseconds. */
  static final long HORIZON = 120_000_000_000L;

  private final PriorityQueue<Entry> waiting =
      new PriorityQueue<>(
          Comparator.comparingLong((Entry entry) -> entry.call().startNanos())
              .thenComparingLong(Entry::line)
              .thenComparingInt(entry -> entry.call().attempt()));

  /** The time of the log: the latest stamp that is believed. */
  private long now;

  private boolean hasNow;

  /** The last line if its stamp was far from the time of the log, else null. */
  private @Nullable Entry stray;

  private long front = Long.MIN_VALUE;
  private boolean ended;
  private long shortened;

  /**
   * A call on its way.
   *
   * @param call the call
   * @param line the number of its line
   * @param key its dependency
   */
  record Entry(LoggedCall call, long line, String key) {}

  /** How many calls were taken to have begun later than they had. */
  long shortened() {
    return shortened;
  }

  /**
   * Takes a call in.
   *
   * @return false if it was over before calls began that have been handed out
   */
  boolean add(Entry entry) {
    LoggedCall call = entry.call();
    see(entry);
    if (call.endNanos() < front) {
      return false;
    }
    if (call.startNanos() < front) {
      shortened++;
      waiting.add(new Entry(beginningAt(front, call), entry.line(), entry.key()));
    } else {
      waiting.add(entry);
    }
    return true;
  }

  private void see(Entry entry) {
    long stamp = entry.call().stampNanos();
    if (!hasNow) {
      now = stamp;
      hasNow = true;
    } else if (!isFar(stamp)) {
      now = Math.max(now, stamp);
      stray = null;
    } else if (stray == null || stray.line() == entry.line() || !isBeside(stray, stamp)) {
      stray = entry;
    } else { // The log has gone there: as far as both lines say.
      long other = stray.call().stampNanos();
      now = stamp > now ? Math.min(other, stamp) : Math.max(other, stamp);
      stray = isFar(stamp) ? entry : null;
    }
  }

  private boolean isFar(long stamp) {
    return Math.abs(stamp - now) > HORIZON;
  }

  /** Whether both are later than the time of the log, or both are earlier. */
  private boolean isBeside(Entry entry, long stamp) {
    return entry.call().stampNanos() > now == stamp > now;
  }

  /** Up to when lines are surely there; one that may be wrong may also be right. */
  private long sureTime() {
    return stray == null ? now : Math.min(now, stray.call().stampNanos());
  }

  /** No more calls will come: those that wait need not any longer. */
  void end() {
    ended = true;
  }

  /** Returns the next call; null if it has to wait for more lines, or there is none. */
  @Nullable Entry poll() {
    Entry first = waiting.peek();
    if (first == null || (!ended && sureTime() - first.call().startNanos() <= HORIZON)) {
      return null;
    }
    waiting.remove();
    front = first.call().startNanos();
    return first;
  }

  private static LoggedCall beginningAt(long start, LoggedCall call) {
    long duration = call.endNanos() - start;
    return new LoggedCall(call.stampNanos(), start, duration, call.outcome(), call.attempt());
  }
}

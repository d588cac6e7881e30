package dev.recloser.lab;

import dev.recloser.Cancellable;
import dev.recloser.Scheduler;
import dev.recloser.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Time that jumps from one event to the next, beginning at zero.
 *
 * <p>Events run in the order of their times; at one instant timers run before the ends of calls,
 * and each kind in the order in which it was announced. A timer announced for the present instant
 * still runs before the next end of a call.
 */
final class SimulatedTime implements Ticker, Scheduler {
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong((Event event) -> event.at)
              .thenComparing(event -> event.kind)
              .thenComparingLong(event -> event.number));

  private long now;
  private long announced;
  private int callsInFlight;

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public Cancellable schedule(Runnable task, Duration delay) {
    long at = now + delay.toNanos();
    // What lies beyond the end of time never happens.
    Event timer = add(Kind.TIMER, at < now ? Long.MAX_VALUE : at, task);
    return () -> events.remove(timer);
  }

  /** Announces the end of a call that begins now. */
  void endCallAfter(long nanos, Runnable end) {
    callsInFlight++;
    add(Kind.END_OF_CALL, now + nanos, end);
  }

  boolean hasCallsInFlight() {
    return callsInFlight > 0;
  }

  /**
   * Goes on to the next event that is due by a moment, and runs it.
   *
   * @return false if there is none; it is then that moment
   */
  boolean runNext(long until) {
    Event next = events.peek();
    if (next == null || next.at > until) {
      now = until;
      return false;
    }
    runNext();
    return true;
  }

  /** Goes on to the next event and runs it; there is one while calls are in flight. */
  void runNext() {
    Event event = events.remove();
    now = event.at;
    if (event.kind == Kind.END_OF_CALL) {
      callsInFlight--;
    }
    event.task.run();
  }

  private Event add(Kind kind, long at, Runnable task) {
    Event event = new Event(at, kind, announced++, task);
    events.add(event);
    return event;
  }

  /** In the order in which they run at one instant. */
  private enum Kind {
    TIMER,
    END_OF_CALL
  }

  private static final class Event {
    final long at;
    final Kind kind;
    final long number;
    final Runnable task;

    Event(long at, Kind kind, long number, Runnable task) {
      this.at = at;
      this.kind = kind;
      this.number = number;
      this.task = task;
    }
  }
}

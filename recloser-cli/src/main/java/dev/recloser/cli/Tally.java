package dev.recloser.cli;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Counts and times everything in a run. Thread-safe. */
final class Tally {
  /** How long a customer waits for an answer before giving up on the shop. */
  static final Duration PATIENCE = Duration.ofMillis(500);

  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);
  private final Histogram orders = new ConcurrentHistogram(/* significant digits= */ 3);
  private final Histogram pages = new ConcurrentHistogram(/* significant digits= */ 3);

  Tally() {
    for (Count count : Count.values()) {
      counts.put(count, new LongAdder());
    }
  }

  void add(Count count) {
    add(count, 1);
  }

  Counts counts() {
    var values = new EnumMap<Count, Long>(Count.class);
    counts.forEach((count, adder) -> values.put(count, adder.sum()));
    return new Counts(values);
  }

  Times orderTimes() {
    return Times.of(orders);
  }

  Times pageTimes() {
    return Times.of(pages);
  }

  void orderSent(Phase phase) {
    add(Count.ORDERS_SENT);
    if (phase == Phase.SICK) {
      add(Count.ORDERS_SENT_WHILE_SICK);
    }
  }

  /**
   * Counts an order that was answered.
   *
   * @param how {@code ORDERS_IN_FULL} or {@code ORDERS_TO_BE_CONFIRMED}
   * @param nanos from when it was due to be sent
   */
  void orderAnswered(Count how, long nanos) {
    add(how);
    record(orders, nanos, Count.ORDERS_IN_TIME);
  }

  void pageAnswered(long nanos) {
    add(Count.PAGES_ANSWERED);
    record(pages, nanos, Count.PAGES_IN_TIME);
  }

  /** Counts a call to inventory that is being sent. */
  void callSent() {
    add(Count.CALLS_MADE);
  }

  /** Counts a call to inventory that kept a worker waiting so long. */
  void callEnded(Phase begunIn, long nanos) {
    add(Count.NANOS_WAITED, nanos);
    if (begunIn == Phase.SICK) {
      add(Count.CALLS_MADE_WHILE_SICK);
      add(Count.NANOS_WAITED_WHILE_SICK, nanos);
    }
  }

  private void record(Histogram times, long nanos, Count inTime) {
    times.recordValue(TimeUnit.NANOSECONDS.toMicros(nanos));
    if (nanos <= PATIENCE.toNanos()) {
      add(inTime);
    }
  }

  @SuppressWarnings("NullAway") // There is an adder for each count.
  private void add(Count count, long amount) {
    counts.get(count).add(amount);
  }
}

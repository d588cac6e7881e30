package dev.recloser.cli;

import dev.recloser.Ticker;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The time since a run began. Thread-safe once started. */
final class RunClock {
  private final Ticker ticker;
  private final DemoPlan plan;
  private volatile long start;

  RunClock(Ticker ticker, DemoPlan plan) {
    this.ticker = ticker;
    this.plan = plan;
    start = ticker.nanoTime();
  }

  /** Begins the run now. */
  void start() {
    start = ticker.nanoTime();
  }

  Duration elapsed() {
    return elapsedAt(ticker.nanoTime());
  }

  /** The time since the start at a reading of the ticker. */
  Duration elapsedAt(long reading) {
    return Duration.ofNanos(reading - start);
  }

  Phase phase() {
    return plan.phaseAt(elapsed());
  }

  /**
   * Waits until so long after the start; not at all if that has passed.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  void sleepUntil(Duration moment) throws InterruptedException {
    long left;
    while ((left = moment.minus(elapsed()).toNanos()) > 0) {
      LockSupport.parkNanos(this, left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}

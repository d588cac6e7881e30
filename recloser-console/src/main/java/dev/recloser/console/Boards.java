package dev.recloser.console;

import dev.recloser.CircuitBreaker;
import dev.recloser.PolicySource;
import dev.recloser.Ticker;
import java.util.List;

/**
 * Looks at all breakers when somebody asks, though not more often than the page is refreshed. So
 * any number of watchers cost one look, and none cost nothing. Thread-safe.
 */
final class Boards {
  private final PolicySource<CircuitBreaker> breakers;
  private final Timelines timelines;
  private final Ticker ticker;
  private final long intervalNanos;

  /** Guarded by this, as is the next one. */
  private Board board = Board.NONE;

  private long lookedAt;

  Boards(
      PolicySource<CircuitBreaker> breakers,
      Timelines timelines,
      Ticker ticker,
      long intervalNanos) {
    this.breakers = breakers;
    this.timelines = timelines;
    this.ticker = ticker;
    this.intervalNanos = intervalNanos;
  }

  /** A board that is at most so old as the interval, less a little for those who ask in step. */
  synchronized Board present() {
    long now = ticker.nanoTime();
    if (board.number() == 0 || now - lookedAt >= intervalNanos - intervalNanos / 10) {
      lookedAt = now;
      board = board.next(rows());
    }
    return board;
  }

  /** One that is as of now, for who has just changed something or begins to watch. */
  synchronized Board fresh() {
    lookedAt = ticker.nanoTime();
    board = board.next(rows());
    return board;
  }

  private List<BreakerRow> rows() {
    return breakers.all().stream().map(b -> BreakerRow.of(b, timelines.of(b))).toList();
  }
}

package dev.recloser.console;

import dev.recloser.CircuitBreaker;
import dev.recloser.PolicySource;
import dev.recloser.Ticker;
import java.util.List;

/**
 * Looks at all breakers when somebody asks, though not more often than the page is refreshed. So
 * any number of watchers cost one look, and none cost nothing. Thread-safe.
 */
final class Boards implements Moment.Source<Board> {
  /** How old a board may be for who has not seen one, where it is rarely refreshed: 500 ms. */
  private static final long MOST_NANOS = ConsoleSettings.DEFAULT_REFRESH_INTERVAL.toNanos();

  private final PolicySource<CircuitBreaker> breakers;
  private final Timelines timelines;
  private final Ticker ticker;
  private final long intervalNanos;

  /** Guarded by this, as is the next one. */
  private Board board = Board.NONE;

  private long lookedAt;
  private boolean stale = true;

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

  @Override
  public Board nothing() {
    return Board.NONE;
  }

  /** A board that is at most so old as the interval, less a little for those who ask in step. */
  @Override
  public Board present() {
    return notOlderThan(intervalNanos - intervalNanos / 10);
  }

  /** One for who begins to watch, or asks once; however often, nothing is read for it anew. */
  @Override
  public Board recent() {
    return notOlderThan(Math.min(intervalNanos, MOST_NANOS));
  }

  private synchronized Board notOlderThan(long nanos) {
    long now = ticker.nanoTime();
    if (stale || now - lookedAt >= nanos) {
      lookedAt = now;
      board = board.next(rows());
      stale = false;
    }
    return board;
  }

  /** Somebody has changed a breaker, and shall see that at once. */
  synchronized void changed() {
    stale = true;
  }

  private List<BreakerRow> rows() {
    return breakers.all().stream().map(b -> BreakerRow.of(b, timelines.of(b))).toList();
  }
}

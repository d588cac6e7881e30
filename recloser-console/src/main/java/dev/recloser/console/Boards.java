package dev.recloser.console;

import dev.recloser.CircuitBreaker;
import dev.recloser.PolicySource;
import dev.recloser.Ticker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks at all breakers when somebody asks, though not more often than the page is refreshed. So
 * any number of watchers cost one look, and none cost nothing. Thread-safe.
 */
final class Boards implements Moment.Source<Board> {
  private static final System.Logger LOG = System.getLogger(Console.class.getName());

  /** How old a board may be for who has not seen one, where it is rarely refreshed: 500 ms. */
  private static final long MOST_NANOS = ConsoleSettings.DEFAULT_REFRESH_INTERVAL.toNanos();

  private final PolicySource<CircuitBreaker> breakers;
  private final Timelines timelines;
  private final Ticker ticker;
  private final long intervalNanos;

  /** Guarded by this, as are the next ones. */
  private Board board = Board.NONE;

  private long lookedAt;
  private boolean stale = true;

  /** Those of which the log has been told. */
  private Set<String> unreadable = Set.of();

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

  /** Without those that cannot be read, for their tickers throw; they shall not cost the others. */
  private List<BreakerRow> rows() {
    List<BreakerRow> rows = new ArrayList<>();
    Set<String> faulty = new HashSet<>();
    for (CircuitBreaker breaker : breakers.all()) {
      try {
        rows.add(BreakerRow.of(breaker, timelines.of(breaker)));
      } catch (Throwable e) {
        if (faulty.add(breaker.name()) && !unreadable.contains(breaker.name())) {
          LOG.log(System.Logger.Level.WARNING, "The console could not read a breaker", e);
        }
      }
    }
    unreadable = faulty;
    return rows;
  }
}

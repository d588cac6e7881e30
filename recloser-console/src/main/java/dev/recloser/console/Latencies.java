package dev.recloser.console;

import dev.recloser.Cancellable;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.Ticker;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How long the last calls took of the breakers that somebody looks at.
 *
 * <p>A listener for the ends of calls costs each of them an event, so there is one only while
 * somebody asks: it leaves by itself, at the end of a call, when nobody has asked for a while.
 * Thread-safe.
 */
final class Latencies {
  /** How many calls of a breaker are kept. */
  static final int CALLS = 1_000;

  private static final long LEASE_NANOS = Duration.ofSeconds(30).toNanos();

  private final Ticker ticker;

  // Guarded by this.
  private final Map<CircuitBreaker, Recent> watched = new HashMap<>();
  private boolean closed;

  Latencies(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Percentiles of the last calls, by the nearest rank. */
  record Percentiles(int calls, Duration p50, Duration p95, Duration p99, Duration max) {}

  /**
   * What has come since somebody began to ask; empty if that is nothing, or not timed, and once
   * this is closed.
   */
  synchronized Optional<Percentiles> of(CircuitBreaker breaker) {
    if (closed) {
      return Optional.empty();
    }
    long now = ticker.nanoTime();
    dropForgotten(now);
    Recent recent = watched.computeIfAbsent(breaker, Recent::new);
    recent.askedAt = now;
    return recent.percentiles();
  }

  /** The same if somebody asks anyway; does not begin to listen. */
  synchronized Optional<Percentiles> known(CircuitBreaker breaker) {
    Recent recent = watched.get(breaker);
    return recent == null ? Optional.empty() : recent.percentiles();
  }

  synchronized int size() {
    return watched.size();
  }

  /** Listens to none any more, whoever asks. */
  synchronized void close() {
    closed = true;
    watched.values().forEach(Recent::leave);
    watched.clear();
  }

  private void dropForgotten(long now) {
    watched
        .values()
        .removeIf(
            recent -> {
              boolean forgotten = recent.isForgotten(now);
              if (forgotten) {
                recent.leave();
              }
              return forgotten;
            });
  }

  /** Called from a call's end: takes the lock only once, when it leaves. */
  private synchronized void drop(CircuitBreaker breaker, Recent recent) {
    recent.leave();
    watched.remove(breaker, recent);
  }

  /** A ring of durations. */
  private final class Recent {
    private final CircuitBreaker breaker;
    private final Cancellable registration;

    private volatile long askedAt = ticker.nanoTime();

    /** Guarded by itself, as is the next one. */
    private final long[] nanos = new long[CALLS];

    private int added;

    Recent(CircuitBreaker breaker) {
      this.breaker = breaker;
      registration = breaker.on(CallFinished.class, this::add);
    }

    private void add(CallFinished call) {
      Duration duration = call.duration();
      if (duration != null) {
        synchronized (nanos) {
          nanos[Math.floorMod(added, CALLS)] = duration.toNanos();
          added++;
        }
      }
      if (isForgotten(ticker.nanoTime())) {
        drop(breaker, this);
      }
    }

    boolean isForgotten(long now) {
      return now - askedAt > LEASE_NANOS;
    }

    void leave() {
      registration.cancel();
    }

    Optional<Percentiles> percentiles() {
      long[] sorted = sorted();
      return sorted.length == 0 ? Optional.empty() : Optional.of(of(sorted));
    }

    private long[] sorted() {
      synchronized (nanos) {
        // After 2^31 calls of one look it begins anew; nobody will have looked for so long.
        added = added < 0 ? CALLS : added;
        long[] copy = Arrays.copyOf(nanos, Math.min(added, CALLS));
        Arrays.sort(copy);
        return copy;
      }
    }

    private static Percentiles of(long[] sorted) {
      return new Percentiles(
          sorted.length,
          rank(sorted, 50),
          rank(sorted, 95),
          rank(sorted, 99),
          Duration.ofNanos(sorted[sorted.length - 1]));
    }

    private static Duration rank(long[] sorted, int percent) {
      int rank = (sorted.length * percent + 99) / 100;
      return Duration.ofNanos(sorted[rank - 1]);
    }
  }
}

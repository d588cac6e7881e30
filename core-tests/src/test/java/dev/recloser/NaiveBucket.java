package dev.recloser;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A token bucket as one would draw it: filled in as time passes, with a list of who waits. It
 * counts in parts of which a permit has as many as a period has nanoseconds, and of which as many
 * come in a nanosecond as permits in a period; in numbers of any size.
 */
final class NaiveBucket {
  final List<Waiter> line = new ArrayList<>();

  /** Who got permits after a wait, and when. */
  final List<String> turns = new ArrayList<>();

  long permitted;
  long refused;
  long givenUp;
  long waited;
  long longestWait;

  private RateLimiterConfig config;
  private BigInteger level;
  private long now;

  NaiveBucket(RateLimiterConfig config) {
    this.config = config;
    level = permits(config.maxBurst());
  }

  /** Somebody in line. */
  record Waiter(int id, int permits, long since, long deadline) {}

  /** The wait for permits; negative or zero for none. */
  long waitFor(int permits) {
    return nanosUntil(permits(owed() + permits));
  }

  void ask(int id, int permits, long patience) {
    long wait = waitFor(permits);
    if (wait <= 0) {
      permitted++;
      level = level.subtract(permits(permits));
    } else if (wait > patience) {
      refused++;
    } else {
      line.add(new Waiter(id, permits, now, now + patience));
    }
  }

  void cancel(int id) {
    if (line.removeIf(waiter -> waiter.id == id)) {
      givenUp++;
      runOver();
    }
  }

  void advance(long nanos) {
    long end = now + nanos;
    while (!line.isEmpty()) {
      Waiter first = line.get(0);
      long wait = Math.max(0, nanosUntil(permits(first.permits)));
      if (wait > end - now) {
        break;
      }
      fill(wait);
      level = level.subtract(permits(first.permits));
      line.remove(0);
      permitted++;
      waited++;
      longestWait = Math.max(longestWait, now - first.since);
      turns.add(first.id + " at " + now);
    }
    fill(end - now);
    runOver();
  }

  void reconfigure(RateLimiterConfig after) {
    level = level.multiply(period(after)).divide(period(config));
    config = after;
    int permits = 0;
    for (Waiter waiter : List.copyOf(line)) {
      if (now + nanosUntil(permits(permits + waiter.permits)) > waiter.deadline) {
        line.remove(waiter);
        refused++;
      } else {
        permits += waiter.permits;
      }
    }
    runOver();
  }

  RateLimiterMetrics metrics() {
    BigInteger[] available = level.subtract(permits(owed())).divideAndRemainder(period(config));
    return new RateLimiterMetrics(
        permitted,
        refused,
        givenUp,
        waited,
        line.size(),
        available[0].longValue() - (available[1].signum() < 0 ? 1 : 0),
        Duration.ofNanos(longestWait));
  }

  private void fill(long nanos) {
    now += nanos;
    level = level.add(rate().multiply(BigInteger.valueOf(nanos)));
  }

  private void runOver() {
    level = level.min(permits(owed() + config.maxBurst()));
  }

  private int owed() {
    return line.stream().mapToInt(Waiter::permits).sum();
  }

  private long nanosUntil(BigInteger wanted) {
    BigInteger missing = wanted.subtract(level);
    return missing.signum() <= 0
        ? 0
        : missing.add(rate()).subtract(BigInteger.ONE).divide(rate()).longValueExact();
  }

  private BigInteger permits(long permits) {
    return period(config).multiply(BigInteger.valueOf(permits));
  }

  private BigInteger rate() {
    return BigInteger.valueOf(config.limitForPeriod());
  }

  private static BigInteger period(RateLimiterConfig config) {
    return BigInteger.valueOf(config.limitRefreshPeriod().toNanos());
  }
}

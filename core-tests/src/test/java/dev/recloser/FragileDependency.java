package dev.recloser;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/**
 * A dependency on fake time that fails for a while, comes back cold, and falls over again when it
 * gets more load than it can bear at that moment.
 *
 * <p>Cold, it bears {@value #COLD_CAPACITY} requests a second, and {@value #FULL_CAPACITY} after it
 * has warmed up. One request more in the last second knocks it over: it restarts, failing whatever
 * it gets, and is cold again. Requests that it fails are load as well.
 */
final class FragileDependency {
  static final int COLD_CAPACITY = 20;
  static final int FULL_CAPACITY = 120;
  static final Duration WARM_UP = Duration.ofSeconds(20);
  static final Duration RESTART = Duration.ofSeconds(5);

  private static final Duration LATENCY = Duration.ofMillis(20);
  private static final long SECOND = 1_000_000_000L;

  private final FakeTime time;

  /** When the requests of the last second came, in nanoseconds since the start. */
  private final ArrayDeque<Long> lastSecond = new ArrayDeque<>();

  private long failsUntil = -WARM_UP.toNanos();
  private int requests;
  private int busiestSecond;
  private int knockedOver;

  FragileDependency(FakeTime time) {
    this.time = time;
  }

  /** Fails whatever it gets for a time from now. */
  void failFor(Duration fault) {
    failsUntil = now() + fault.toNanos();
  }

  CompletableFuture<String> request() {
    boolean works = works();
    CompletableFuture<String> answer = new CompletableFuture<>();
    time.schedule(() -> end(answer, works), LATENCY);
    return answer;
  }

  /** Requests since the start. */
  int requests() {
    return requests;
  }

  /** The most requests within any second up to now. */
  int busiestSecond() {
    return busiestSecond;
  }

  /** How often load has knocked it over. */
  int knockedOver() {
    return knockedOver;
  }

  private boolean works() {
    long now = now();
    countLoad(now);
    boolean failed = now < failsUntil;
    if (!failed && lastSecond.size() > capacity(now)) {
      knockedOver++;
      failsUntil = now + RESTART.toNanos();
      return false;
    }
    return !failed;
  }

  private void countLoad(long now) {
    requests++;
    lastSecond.addLast(now);
    while (now - lastSecond.getFirst() >= SECOND) {
      lastSecond.removeFirst();
    }
    busiestSecond = Math.max(busiestSecond, lastSecond.size());
  }

  private double capacity(long now) {
    double warmth = Math.min(1, (double) (now - failsUntil) / WARM_UP.toNanos());
    return COLD_CAPACITY + warmth * (FULL_CAPACITY - COLD_CAPACITY);
  }

  private long now() {
    return time.elapsed().toNanos();
  }

  private static void end(CompletableFuture<String> answer, boolean works) {
    if (works) {
      answer.complete("stock");
    } else {
      answer.completeExceptionally(new Down());
    }
  }

  /** Without a stack trace, which hundreds of thousands of requests would take long to fill. */
  private static final class Down extends IOException {
    private static final long serialVersionUID = 1L;

    Down() {
      super("down");
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }
}

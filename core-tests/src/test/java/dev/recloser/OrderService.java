package dev.recloser;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A service with a pool of workers, on fake time. Half of its requests need a price, and hold a
 * worker until they have one or do without; the others only ask how an order stands.
 *
 * <p>It is the incident of the breaker that never opened: pricing, which takes 100 ms as a rule,
 * begins to take 25 to 30 seconds, and then answers all the same.
 */
final class OrderService {
  static final int WORKERS = 200;
  static final int PRICED_PER_SECOND = 20;
  static final Duration INCIDENT = Duration.ofMinutes(2);
  static final Duration IN_TIME = Duration.ofSeconds(1);

  private static final Duration HEALTHY = Duration.ofSeconds(30);
  private static final Duration INTERVAL = Duration.ofSeconds(1).dividedBy(2 * PRICED_PER_SECOND);
  private static final Duration QUICK = Duration.ofMillis(20);
  private static final Duration PRICE = Duration.ofMillis(100);
  private static final Duration SLOW_PRICE = Duration.ofSeconds(25);
  private static final int SLOW_PRICE_SPREAD_MILLIS = 5_000;
  private static final int PRODUCTS = 50;

  private final FakeTime time;
  private final Random random;
  private final CircuitBreaker breaker;
  private final Pipeline<String> pricing;
  private final ArrayDeque<Request> queue = new ArrayDeque<>();

  private boolean isIncident;
  private int requests;
  private int idle = WORKERS;
  private int pricingNow;
  private @Nullable Duration drainedSince;
  private @Nullable Duration openedAt;

  // What the requests of the incident came to.
  private int mostPricing;
  private Duration drained = Duration.ZERO;
  private int quick;
  private int quickInTime;
  private int priced;
  private int live;
  private int stale;

  private OrderService(PoolRemedies remedies, FakeTime time, long seed) {
    this.time = time;
    random = new Random(seed);
    breaker = remedies.breaker(time);
    pricing = remedies.pipeline(breaker, time);
    breaker.on(CircuitBreakerEvent.StateTransition.class, this::moved);
  }

  /** Who asks, when it came, and whether it came during the incident. */
  private record Request(int number, Duration at, boolean isOfIncident) {
    boolean needsPrice() {
      return number % 2 == 0;
    }
  }

  /**
   * What came of the incident, up to its end.
   *
   * @param breaker the state of the breaker at its end
   * @param opened how long after its begin the breaker opened; empty if it did not
   * @param mostPricing the most workers that were in a call to pricing at once
   * @param drained how long no worker was idle
   * @param quick requests that need no price
   * @param quickInTime those that were answered in a second
   * @param priced requests that need a price
   * @param live those that had an answer of pricing in a second
   * @param stale those that had a stale price in a second
   */
  record Outcome(
      State breaker,
      Optional<Duration> opened,
      int mostPricing,
      Duration drained,
      int quick,
      int quickInTime,
      int priced,
      int live,
      int stale) {}

  static Outcome run(PoolRemedies remedies, FakeTime time, long seed) {
    return new OrderService(remedies, time, seed).run();
  }

  private Outcome run() {
    time.schedule(this::arriveAgain, INTERVAL);
    time.advance(HEALTHY);
    isIncident = true;
    mostPricing = 0;
    time.advance(INCIDENT);
    if (drainedSince != null) {
      drained = drained.plus(time.elapsed().minus(drainedSince));
    }
    return new Outcome(
        breaker.state(),
        Optional.ofNullable(openedAt).map(at -> at.minus(HEALTHY)),
        mostPricing,
        drained,
        quick,
        quickInTime,
        priced,
        live,
        stale);
  }

  private void arriveAgain() {
    time.schedule(this::arriveAgain, INTERVAL);
    Request request = new Request(++requests, time.elapsed(), isIncident);
    if (isIncident) {
      priced += request.needsPrice() ? 1 : 0;
      quick += request.needsPrice() ? 0 : 1;
    }
    queue.add(request);
    work();
  }

  /** Idle workers take what waits. */
  private void work() {
    while (idle > 0 && !queue.isEmpty()) {
      take(queue.remove());
    }
  }

  private void take(Request request) {
    idle--;
    if (idle == 0) {
      drainedSince = time.elapsed();
    }
    if (request.needsPrice()) {
      price(request);
    } else {
      time.schedule(() -> answered(request, null), QUICK);
    }
  }

  private void price(Request request) {
    pricingNow++;
    CompletableFuture<Void> unused =
        pricing
            .keyed(request.number() % PRODUCTS)
            .answerAsync(this::quote)
            .handle(
                (answer, thrown) -> {
                  pricingNow--;
                  answered(request, answer);
                  return null;
                });
    mostPricing = Math.max(mostPricing, pricingNow); // Who was refused has left again.
  }

  private CompletableFuture<String> quote() {
    CompletableFuture<String> quote = new CompletableFuture<>();
    Duration takes =
        isIncident ? SLOW_PRICE.plusMillis(random.nextInt(SLOW_PRICE_SPREAD_MILLIS)) : PRICE;
    time.schedule(() -> quote.complete("as listed"), takes);
    return quote;
  }

  /** The worker is idle again, whatever came of it. */
  private void answered(Request request, @Nullable Answer<String> answer) {
    boolean inTime = time.elapsed().minus(request.at()).compareTo(IN_TIME) <= 0;
    if (inTime && request.isOfIncident()) {
      countInTime(request, answer);
    }
    if (drainedSince != null) {
      drained = drained.plus(time.elapsed().minus(drainedSince));
      drainedSince = null;
    }
    idle++;
    work();
  }

  private void countInTime(Request request, @Nullable Answer<String> answer) {
    if (!request.needsPrice()) {
      quickInTime++;
    } else if (answer != null) {
      live += answer.isDegraded() ? 0 : 1;
      stale += answer.source() == Answer.Source.STALE ? 1 : 0;
    }
  }

  private void moved(CircuitBreakerEvent.StateTransition transition) {
    if (openedAt == null && transition.to() == State.OPEN) {
      openedAt = time.elapsed();
    }
  }
}

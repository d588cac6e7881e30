package dev.recloser.cli;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Pipeline;
import dev.recloser.Policies;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * An application that is made up: real breakers and policies in real time, over calls that do
 * nothing but take their time and succeed or fail. Each dependency is healthy most of the time, and
 * sick for a while now and then, at a time of its own.
 */
final class Showcase implements AutoCloseable {
  private static final long BEAT_MILLIS = 100;
  private static final int BEATS_OF_A_CYCLE = 900;
  private static final List<String> NAMES =
      List.of(
          "inventory",
          "payments",
          "pricing",
          "shipping",
          "search",
          "recommendations",
          "users",
          "sessions",
          "mail",
          "tax",
          "fraud-check",
          "images",
          "reviews",
          "warehouse-north",
          "warehouse-south",
          "GET api.example.com/orders",
          "POST api.example.com/orders",
          "ledger",
          "vouchers",
          "geocoding",
          "currency",
          "loyalty",
          "notifications",
          "audit");

  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(2, DemoThreads.named("showcase"));
  private final List<Dependency> dependencies = new ArrayList<>();
  private final Pipeline<String> pipeline;
  private long beats;

  private Showcase(Policies policies, int breakers) {
    timer.setRemoveOnCancelPolicy(true);
    for (int i = 0; i < breakers; i++) {
      String name = i < NAMES.size() ? NAMES.get(i) : "partner-" + Text.format("%04d", i);
      dependencies.add(new Dependency(breaker(policies, name, i), i));
    }
    pipeline = pipeline(policies, dependencies.get(0).breaker);
    putByHand();
  }

  /** Makes this many breakers, and calls from now on. */
  static Showcase start(Policies policies, int breakers) {
    Showcase showcase = new Showcase(policies, breakers);
    var unused =
        showcase.timer.scheduleAtFixedRate(showcase::beat, 0, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    return showcase;
  }

  /** What stands around the calls of the first dependency. */
  Pipeline<String> pipeline() {
    return pipeline;
  }

  @Override
  public void close() {
    DemoThreads.end(timer);
  }

  private static CircuitBreaker breaker(Policies policies, String name, int number) {
    return policies
        .circuitBreakers()
        .circuitBreaker(
            name,
            CircuitBreakerConfig.of(
                config -> {
                  if (number % 3 == 1) {
                    config.slidingWindowSize(Duration.ofSeconds(10)).minimumNumberOfCalls(20);
                  } else {
                    config.slidingWindowSize(40).minimumNumberOfCalls(20);
                  }
                  config
                      .slowCallDurationThreshold(Duration.ofMillis(150))
                      .slowCallRateThreshold(60)
                      .waitDurationInOpenState(Duration.ofSeconds(6))
                      .exponentialBackoffMultiplier(1.5)
                      .randomizedWaitFactor(0.2)
                      .permittedNumberOfCallsInHalfOpenState(5)
                      .rampUpDuration(Duration.ofSeconds(8));
                }));
  }

  private static Pipeline<String> pipeline(Policies policies, CircuitBreaker breaker) {
    return Pipeline.create(
        "orders-to-" + breaker.name(),
        calls ->
            calls
                .fallback(rules -> rules.onRefusal(() -> "to be confirmed"))
                .retry(policies.retries().retry(breaker.name()))
                .circuitBreaker(breaker)
                .rateLimiter(policies.rateLimiters().rateLimiter(breaker.name()))
                .bulkhead(policies.bulkheads().bulkhead(breaker.name()))
                .timeout(policies.timeouts().timeout(breaker.name())));
  }

  /** Some of the states that breakers do not enter by themselves. */
  private void putByHand() {
    put(7, State.METRICS_ONLY);
    put(11, State.DISABLED);
    if (dependencies.size() > 13) {
      dependencies.get(13).breaker.transitionTo(State.FORCED_OPEN, Duration.ofMinutes(30));
    }
  }

  private void put(int number, State state) {
    if (dependencies.size() > number) {
      dependencies.get(number).breaker.transitionTo(state);
    }
  }

  private void beat() {
    beats++;
    for (Dependency dependency : dependencies) {
      dependency.beat();
    }
  }

  /** What is called, or seems to be. Used by the thread of the beats. */
  private final class Dependency {
    private final CircuitBreaker breaker;
    private final int number;
    private final SplittableRandom random;

    /** In which beat of a cycle it turns sick, and for how many. */
    private final int sickFrom;

    private final int sickFor;
    private final boolean slowWhenSick;
    private final double callsABeat;

    Dependency(CircuitBreaker breaker, int number) {
      this.breaker = breaker;
      this.number = number;
      random = new SplittableRandom(number);
      sickFrom = number < 3 ? 40 + 60 * number : random.nextInt(BEATS_OF_A_CYCLE);
      sickFor = 120 + random.nextInt(120);
      slowWhenSick = number % 2 == 1;
      callsABeat = number % 9 == 8 ? 0.02 : 0.1 + random.nextDouble() * 0.7;
    }

    void beat() {
      if (random.nextDouble() >= callsABeat) {
        return;
      }
      boolean sick = Math.floorMod(beats - sickFrom, BEATS_OF_A_CYCLE) < sickFor;
      boolean ill = sick && random.nextDouble() < 0.8;
      CompletableFuture<String> unused =
          number == 0 ? pipeline.callAsync(() -> call(ill)) : breaker.callAsync(() -> call(ill));
    }

    private CompletionStage<String> call(boolean ill) {
      boolean slow = ill && slowWhenSick;
      int millis = slow ? 200 + random.nextInt(600) : 10 + random.nextInt(90);
      CompletableFuture<String> answer = new CompletableFuture<>();
      boolean fails = ill && !slow;
      var unused = timer.schedule(() -> end(answer, fails, millis), millis, TimeUnit.MILLISECONDS);
      return answer;
    }

    private void end(CompletableFuture<String> answer, boolean fails, int millis) {
      if (!fails) {
        answer.complete("in stock");
      } else if (millis % 3 == 0) {
        answer.completeExceptionally(new SocketTimeoutException("Read timed out"));
      } else {
        answer.completeExceptionally(new IOException("HTTP 503 from " + breaker.name()));
      }
    }
  }
}

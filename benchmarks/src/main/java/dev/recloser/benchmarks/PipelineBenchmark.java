package dev.recloser.benchmarks;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.recloser.Pipeline;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.decorators.Decorators;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.smallrye.faulttolerance.api.TypedGuard;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * What does a call that succeeds at the first try cost through two policies (retry and breaker),
 * four (bulkhead and timeout) and six (fallback and rate limiter)? Windows of 100 calls, slow calls
 * tracked where they can be, three attempts, a bulkhead of 100 calls, a timeout of a second, and a
 * rate that is not reached.
 *
 * <p>Resilience4j's time limiter takes no plain calls: its pipelines of four and six
 * ("fourUntimed", "sixUntimed") are without it, and stand beside ours without it.
 */
public class PipelineBenchmark extends NanosPerCall {
  private static final String WINDOW = "100";
  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int CALLS_PER_PERIOD = 1_000_000_000;
  private static final int ATTEMPTS = 3;
  private static final int CONCURRENT = 100;

  private final Pipeline<String> recloserTwo = recloser(2, /* timed= */ true);
  private final Pipeline<String> recloserFour = recloser(4, /* timed= */ true);
  private final Pipeline<String> recloserSix = recloser(6, /* timed= */ true);
  private final Pipeline<String> recloserFourUntimed = recloser(4, /* timed= */ false);
  private final Pipeline<String> recloserSixUntimed = recloser(6, /* timed= */ false);
  private final FailsafeExecutor<String> failsafeTwo = failsafe(2);
  private final FailsafeExecutor<String> failsafeFour = failsafe(4);
  private final FailsafeExecutor<String> failsafeSix = failsafe(6);
  private final TypedGuard<String> smallryeTwo = smallrye(2);
  private final TypedGuard<String> smallryeFour = smallrye(4);
  private final TypedGuard<String> smallryeSix = smallrye(6);
  private final Supplier<String> resilience4jTwo = resilience4j(2);
  private final Supplier<String> resilience4jFour = resilience4j(4);
  private final Supplier<String> resilience4jSix = resilience4j(6);

  private static Pipeline<String> recloser(int policies, boolean timed) {
    return Pipeline.create(
        "orders",
        p -> {
          if (policies >= 6) {
            p.fallback(f -> f.onRefusal(() -> "unknown"));
          }
          p.retry(s -> s.maxAttempts(ATTEMPTS));
          p.circuitBreaker(Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ true));
          if (policies >= 6) {
            p.rateLimiter(s -> s.limitForPeriod(CALLS_PER_PERIOD).limitRefreshPeriod(PERIOD));
          }
          if (policies >= 4) {
            p.bulkhead(s -> s.maxConcurrentCalls(CONCURRENT));
            if (timed) {
              p.timeout(LIMIT);
            }
          }
        });
  }

  private static FailsafeExecutor<String> failsafe(int policies) {
    dev.failsafe.RetryPolicy<String> retry =
        dev.failsafe.RetryPolicy.<String>builder().withMaxAttempts(ATTEMPTS).build();
    dev.failsafe.CircuitBreaker<String> breaker = Breakers.failsafe(WINDOW, Breakers.HALF);
    dev.failsafe.Bulkhead<String> bulkhead = dev.failsafe.Bulkhead.of(CONCURRENT);
    dev.failsafe.Timeout<String> timeout = dev.failsafe.Timeout.of(LIMIT);
    dev.failsafe.RateLimiter<String> limiter =
        dev.failsafe.RateLimiter.<String>burstyBuilder(CALLS_PER_PERIOD, PERIOD).build();
    dev.failsafe.Fallback<String> fallback = dev.failsafe.Fallback.of("unknown");
    return Failsafe.with(
        switch (policies) {
          case 2 -> List.of(retry, breaker);
          case 4 -> List.of(retry, breaker, bulkhead, timeout);
          default -> List.of(fallback, retry, breaker, limiter, bulkhead, timeout);
        });
  }

  /** The order is its own: fallback, retry, breaker, rate limit, timeout, bulkhead. */
  private static TypedGuard<String> smallrye(int policies) {
    TypedGuard.Builder<String> guard =
        Breakers.guarded(TypedGuard.create(String.class), WINDOW, Breakers.HALF);
    guard = guard.withRetry().maxRetries(ATTEMPTS - 1).done();
    if (policies >= 4) {
      guard = guard.withBulkhead().limit(CONCURRENT).done();
      guard = guard.withTimeout().duration(LIMIT.toMillis(), ChronoUnit.MILLIS).done();
    }
    if (policies >= 6) {
      guard = guard.withRateLimit().limit(CALLS_PER_PERIOD).window(1, ChronoUnit.SECONDS).done();
      guard = guard.withFallback().handler(() -> "unknown").done();
    }
    return guard.build();
  }

  private Supplier<String> resilience4j(int policies) {
    var decorated = Decorators.ofSupplier(() -> stock);
    if (policies >= 4) {
      decorated =
          decorated.withBulkhead(
              io.github.resilience4j.bulkhead.Bulkhead.of(
                  "inventory", BulkheadConfig.custom().maxConcurrentCalls(CONCURRENT).build()));
    }
    if (policies >= 6) {
      decorated =
          decorated.withRateLimiter(
              RateLimiter.of(
                  "inventory",
                  RateLimiterConfig.custom()
                      .limitForPeriod(CALLS_PER_PERIOD)
                      .limitRefreshPeriod(PERIOD)
                      .build()));
    }
    decorated =
        decorated
            .withCircuitBreaker(Breakers.resilience4j(WINDOW, Breakers.HALF))
            .withRetry(io.github.resilience4j.retry.Retry.ofDefaults("inventory"));
    if (policies >= 6) {
      decorated = decorated.withFallback(failure -> "unknown");
    }
    return decorated.decorate();
  }

  @Benchmark
  public String recloserTwo() {
    return recloserTwo.call(() -> stock);
  }

  @Benchmark
  public String recloserFour() {
    return recloserFour.call(() -> stock);
  }

  @Benchmark
  public String recloserSix() {
    return recloserSix.call(() -> stock);
  }

  @Benchmark
  public String recloserFourUntimed() {
    return recloserFourUntimed.call(() -> stock);
  }

  @Benchmark
  public String recloserSixUntimed() {
    return recloserSixUntimed.call(() -> stock);
  }

  @Benchmark
  public String failsafeTwo() {
    return failsafeTwo.get(() -> stock);
  }

  @Benchmark
  public String failsafeFour() {
    return failsafeFour.get(() -> stock);
  }

  @Benchmark
  public String failsafeSix() {
    return failsafeSix.get(() -> stock);
  }

  @Benchmark
  public String smallryeTwo() {
    return smallryeTwo.get(() -> stock);
  }

  @Benchmark
  public String smallryeFour() {
    return smallryeFour.get(() -> stock);
  }

  @Benchmark
  public String smallryeSix() {
    return smallryeSix.get(() -> stock);
  }

  @Benchmark
  public String resilience4jTwo() {
    return resilience4jTwo.get();
  }

  @Benchmark
  public String resilience4jFourUntimed() {
    return resilience4jFour.get();
  }

  @Benchmark
  public String resilience4jSixUntimed() {
    return resilience4jSix.get();
  }
}

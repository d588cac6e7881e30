package dev.recloser.benchmarks;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.recloser.Bulkhead;
import dev.recloser.CircuitBreaker;
import dev.recloser.Pipeline;
import dev.recloser.Retry;
import dev.recloser.Timeout;
import io.github.resilience4j.decorators.Decorators;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Is a pipeline's cost the sum of its parts, and how does it stand beside others? A call that
 * succeeds at the first try; windows of 100 calls, slow calls tracked, a timeout of a second, a
 * bulkhead of 100 calls, up to three attempts.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PipelineBenchmark {
  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final Duration SLOW = Duration.ofMillis(500);

  /** Not a constant for the compiler. */
  private String stock = "stock";

  private final CircuitBreaker breaker =
      CircuitBreaker.create(
          "inventory", s -> s.slidingWindowSize(100).slowCallDurationThreshold(SLOW));
  private final Retry retry = Retry.create("inventory", s -> s.maxAttempts(3));
  private final Bulkhead bulkhead = Bulkhead.create("inventory", s -> s.maxConcurrentCalls(100));
  private final Timeout timeout = Timeout.create("inventory", LIMIT);

  private final Pipeline<String> empty = Pipeline.create("empty", p -> {});
  private final Pipeline<String> full =
      Pipeline.create(
          "full", p -> p.retry(retry).circuitBreaker(breaker).bulkhead(bulkhead).timeout(timeout));
  private final Pipeline<String> withoutTimeout =
      Pipeline.create("three", p -> p.retry(retry).circuitBreaker(breaker).bulkhead(bulkhead));

  private final FailsafeExecutor<Object> failsafe =
      Failsafe.with(
          dev.failsafe.RetryPolicy.builder().withMaxAttempts(3).build(),
          dev.failsafe.CircuitBreaker.builder().withFailureThreshold(50, 100).build(),
          dev.failsafe.Bulkhead.of(100),
          dev.failsafe.Timeout.of(LIMIT));
  private final FailsafeExecutor<Object> failsafeWithoutTimeout =
      Failsafe.with(
          dev.failsafe.RetryPolicy.builder().withMaxAttempts(3).build(),
          dev.failsafe.CircuitBreaker.builder().withFailureThreshold(50, 100).build(),
          dev.failsafe.Bulkhead.of(100));

  private final Supplier<String> resilience4jWithoutTimeout =
      Decorators.ofSupplier(() -> stock)
          .withBulkhead(
              io.github.resilience4j.bulkhead.Bulkhead.of(
                  "inventory",
                  io.github.resilience4j.bulkhead.BulkheadConfig.custom()
                      .maxConcurrentCalls(100)
                      .build()))
          .withCircuitBreaker(
              io.github.resilience4j.circuitbreaker.CircuitBreaker.of(
                  "inventory",
                  io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.custom()
                      .slidingWindowSize(100)
                      .slowCallDurationThreshold(SLOW)
                      .build()))
          .withRetry(io.github.resilience4j.retry.Retry.ofDefaults("inventory"))
          .decorate();

  /** The floor. */
  @Benchmark
  public String bareCall() {
    return stock;
  }

  /** The floor of whatever times a call. */
  @Benchmark
  public long twoClockReads() {
    long start = System.nanoTime();
    return System.nanoTime() - start;
  }

  @Benchmark
  public String emptyPipeline() {
    return empty.call(() -> stock);
  }

  @Benchmark
  public String breakerAlone() {
    return breaker.call(() -> stock);
  }

  @Benchmark
  public String retryAlone() {
    return retry.call(() -> stock);
  }

  @Benchmark
  public String bulkheadAlone() {
    return bulkhead.call(() -> stock);
  }

  @Benchmark
  public String timeoutAlone() {
    return timeout.call(() -> stock);
  }

  @Benchmark
  public String fullPipeline() {
    return full.call(() -> stock);
  }

  @Benchmark
  public String withoutTimeout() {
    return withoutTimeout.call(() -> stock);
  }

  @Benchmark
  public Object failsafe() {
    return failsafe.get(() -> stock);
  }

  @Benchmark
  public Object failsafeWithoutTimeout() {
    return failsafeWithoutTimeout.get(() -> stock);
  }

  /** Its time limiter takes no plain calls. */
  @Benchmark
  public String resilience4jWithoutTimeout() {
    return resilience4jWithoutTimeout.get();
  }
}

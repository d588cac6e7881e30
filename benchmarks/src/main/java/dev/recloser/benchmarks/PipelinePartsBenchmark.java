package dev.recloser.benchmarks;

import dev.recloser.Bulkhead;
import dev.recloser.CircuitBreaker;
import dev.recloser.Pipeline;
import dev.recloser.Retry;
import dev.recloser.Timeout;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;

/** Is the cost of a pipeline ({@link PipelineBenchmark}) the sum of its parts? */
public class PipelinePartsBenchmark extends NanosPerCall {
  private final CircuitBreaker breaker =
      Breakers.recloser("100", Breakers.HALF, /* slowCalls= */ true);
  private final Retry retry = Retry.create("inventory", s -> s.maxAttempts(3));
  private final Bulkhead bulkhead = Bulkhead.create("inventory", s -> s.maxConcurrentCalls(100));
  private final Timeout timeout = Timeout.create("inventory", Duration.ofSeconds(1));

  private final Pipeline<String> empty = Pipeline.create("empty", p -> {});
  private final Pipeline<String> withoutTimeout =
      Pipeline.create("three", p -> p.retry(retry).circuitBreaker(breaker).bulkhead(bulkhead));

  @Benchmark
  public String recloserEmptyPipeline() {
    return empty.call(() -> stock);
  }

  @Benchmark
  public String recloserBreaker() {
    return breaker.call(() -> stock);
  }

  @Benchmark
  public String recloserRetry() {
    return retry.call(() -> stock);
  }

  @Benchmark
  public String recloserBulkhead() {
    return bulkhead.call(() -> stock);
  }

  @Benchmark
  public String recloserTimeout() {
    return timeout.call(() -> stock);
  }

  @Benchmark
  public String recloserWithoutTimeout() {
    return withoutTimeout.call(() -> stock);
  }
}

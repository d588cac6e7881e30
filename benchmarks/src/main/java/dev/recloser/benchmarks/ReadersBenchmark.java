package dev.recloser.benchmarks;

import dev.recloser.CircuitBreaker;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does it cost to read a breaker's numbers while another thread makes calls, and what does
 * that cost the calls? One thread of each. Ours are read as a snapshot of the window, and as the
 * metrics of a lifetime, which the others have not. Slow calls are tracked.
 */
public class ReadersBenchmark extends NanosPerCall {
  private static final String WINDOW = "100";

  private CircuitBreaker recloser;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4jLockFree;
  private dev.failsafe.CircuitBreaker<String> failsafeAlone;

  @Setup
  public void makeBreakers() {
    recloser = Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ true);
    resilience4j = Breakers.resilience4j(WINDOW, Breakers.HALF);
    resilience4jLockFree = Breakers.resilience4jLockFree(WINDOW, Breakers.HALF);
    failsafeAlone = Breakers.failsafe(WINDOW, Breakers.HALF);
  }

  @Benchmark
  @Group("recloser")
  @GroupThreads
  public Object recloserRead() {
    return recloser.snapshot();
  }

  @Benchmark
  @Group("recloser")
  @GroupThreads
  public String recloserWrite() {
    return recloser.call(() -> stock);
  }

  @Benchmark
  @Group("recloserMetrics")
  @GroupThreads
  public Object recloserReadMetrics() {
    return recloser.metrics();
  }

  @Benchmark
  @Group("recloserMetrics")
  @GroupThreads
  public String recloserWriteMetrics() {
    return recloser.call(() -> stock);
  }

  @Benchmark
  @Group("resilience4j")
  @GroupThreads
  public Object resilience4jRead() {
    return numbers(resilience4j);
  }

  @Benchmark
  @Group("resilience4j")
  @GroupThreads
  public String resilience4jWrite() {
    return resilience4j.executeSupplier(() -> stock);
  }

  @Benchmark
  @Group("resilience4jLockFree")
  @GroupThreads
  public Object resilience4jLockFreeRead() {
    return numbers(resilience4jLockFree);
  }

  @Benchmark
  @Group("resilience4jLockFree")
  @GroupThreads
  public String resilience4jLockFreeWrite() {
    return resilience4jLockFree.executeSupplier(() -> stock);
  }

  @Benchmark
  @Group("failsafeAlone")
  @GroupThreads
  public Object failsafeAloneRead() {
    return new Numbers(
        failsafeAlone.getFailureRate(),
        0,
        failsafeAlone.getExecutionCount(),
        failsafeAlone.getFailureCount());
  }

  @Benchmark
  @Group("failsafeAlone")
  @GroupThreads
  public String failsafeAloneWrite() {
    if (!failsafeAlone.tryAcquirePermit()) {
      throw new IllegalStateException("open");
    }
    String result = stock;
    failsafeAlone.recordResult(result);
    return result;
  }

  private static Numbers numbers(io.github.resilience4j.circuitbreaker.CircuitBreaker breaker) {
    io.github.resilience4j.circuitbreaker.CircuitBreaker.Metrics metrics = breaker.getMetrics();
    return new Numbers(
        metrics.getFailureRate(),
        metrics.getSlowCallRate(),
        metrics.getNumberOfBufferedCalls(),
        metrics.getNumberOfFailedCalls());
  }

  private record Numbers(double failureRate, double slowCallRate, int calls, long failed) {}
}

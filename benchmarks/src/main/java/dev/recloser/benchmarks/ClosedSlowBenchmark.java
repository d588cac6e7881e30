package dev.recloser.benchmarks;

import dev.recloser.CircuitBreaker;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does it add to a call that succeeds that slow ones are tracked, calls in flight included?
 * The floor are two readings of the clock. Of the peers with count windows only Resilience4j has
 * this, and without calls in flight.
 */
public class ClosedSlowBenchmark extends NanosPerCall {
  @Param({"20", "100", "1000", "10000"})
  String window = "";

  private CircuitBreaker recloser;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4jLockFree;

  @Setup
  public void makeBreakers() {
    recloser = Breakers.recloser(window, Breakers.HALF, /* slowCalls= */ true);
    resilience4j = Breakers.resilience4j(window, Breakers.HALF);
    resilience4jLockFree = Breakers.resilience4jLockFree(window, Breakers.HALF);
  }

  /** The floor. */
  @Benchmark
  public long clock() {
    long start = System.nanoTime();
    return System.nanoTime() - start;
  }

  @Benchmark
  public String recloser() {
    return recloser.call(() -> stock);
  }

  @Benchmark
  public String resilience4j() {
    return resilience4j.executeSupplier(() -> stock);
  }

  @Benchmark
  public String resilience4jLockFree() {
    return resilience4jLockFree.executeSupplier(() -> stock);
  }
}

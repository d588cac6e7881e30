package dev.recloser.benchmarks;

import com.alibaba.csp.sentinel.slots.block.BlockException;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.recloser.CircuitBreaker;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does a call that succeeds cost through a closed breaker with a time window, and does it
 * depend on its length? With slow calls ("slow") and without.
 */
public class ClosedTimeBenchmark extends NanosPerCall {
  @Param({"10s", "60s"})
  String window = "";

  private CircuitBreaker recloser;
  private CircuitBreaker recloserSlow;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4jLockFree;
  private dev.failsafe.CircuitBreaker<String> failsafeAlone;
  private FailsafeExecutor<String> failsafe;

  @Setup
  public void makeBreakers() {
    recloser = Breakers.recloser(window, Breakers.HALF, /* slowCalls= */ false);
    recloserSlow = Breakers.recloser(window, Breakers.HALF, /* slowCalls= */ true);
    resilience4j = Breakers.resilience4j(window, Breakers.HALF);
    resilience4jLockFree = Breakers.resilience4jLockFree(window, Breakers.HALF);
    failsafeAlone = Breakers.failsafe(window, Breakers.HALF);
    failsafe = Failsafe.with(Breakers.failsafe(window, Breakers.HALF));
    Breakers.sentinel("inventory", window, Breakers.HALF, /* slowCalls= */ false);
    Breakers.sentinel("slow inventory", window, Breakers.HALF, /* slowCalls= */ true);
  }

  /** The floor of whatever times a call. */
  @Benchmark
  public long clockSlow() {
    long start = System.nanoTime();
    return System.nanoTime() - start;
  }

  /** The floor of whatever must only know when a call ends. */
  @Benchmark
  public long clock() {
    return System.nanoTime();
  }

  @Benchmark
  public String recloser() {
    return recloser.call(() -> stock);
  }

  @Benchmark
  public String recloserSlow() {
    return recloserSlow.call(() -> stock);
  }

  @Benchmark
  public String resilience4jSlow() {
    return resilience4j.executeSupplier(() -> stock);
  }

  @Benchmark
  public String resilience4jLockFreeSlow() {
    return resilience4jLockFree.executeSupplier(() -> stock);
  }

  @Benchmark
  public String failsafe() {
    return failsafe.get(() -> stock);
  }

  @Benchmark
  public String failsafeAlone() {
    if (!failsafeAlone.tryAcquirePermit()) {
      throw new IllegalStateException("open");
    }
    String result = stock;
    failsafeAlone.recordResult(result);
    return result;
  }

  @Benchmark
  public String sentinel() throws BlockException {
    return Breakers.throughSentinel("inventory", () -> stock);
  }

  @Benchmark
  public String sentinelSlow() throws BlockException {
    return Breakers.throughSentinel("slow inventory", () -> stock);
  }
}

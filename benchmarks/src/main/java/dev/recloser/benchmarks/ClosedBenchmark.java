package dev.recloser.benchmarks;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.recloser.CircuitBreaker;
import io.smallrye.faulttolerance.api.TypedGuard;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does a call that succeeds cost through a closed breaker, and does it depend on the size of a
 * count window? Without slow calls; Resilience4j cannot be without.
 */
public class ClosedBenchmark extends NanosPerCall {
  @Param({"20", "100", "1000", "10000"})
  String window = "";

  private CircuitBreaker recloser;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4jLockFree;
  private dev.failsafe.CircuitBreaker<String> failsafeAlone;
  private FailsafeExecutor<String> failsafe;
  private TypedGuard<String> smallrye;
  private HelidonBreaker helidon;

  @Setup
  public void makeBreakers() {
    recloser = Breakers.recloser(window, Breakers.HALF, /* slowCalls= */ false);
    resilience4j = Breakers.resilience4j(window, Breakers.HALF);
    resilience4jLockFree = Breakers.resilience4jLockFree(window, Breakers.HALF);
    failsafeAlone = Breakers.failsafe(window, Breakers.HALF);
    failsafe = Failsafe.with(Breakers.failsafe(window, Breakers.HALF));
    smallrye = Breakers.smallrye(window, Breakers.HALF);
    helidon = Breakers.helidon(window, Breakers.HALF);
  }

  /** The floor. */
  @Benchmark
  public String bare() {
    return stock;
  }

  /** The floor of whatever times a call. */
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
  public String smallrye() {
    return smallrye.get(() -> stock);
  }

  @Benchmark
  public Object helidon() {
    return helidon.call(() -> stock);
  }
}

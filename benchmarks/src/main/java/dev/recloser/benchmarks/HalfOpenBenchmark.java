package dev.recloser.benchmarks;

import dev.recloser.CircuitBreaker;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does recovery cost: all of it, from open through ten probes that succeed to closed
 * ("round"), and a call that is refused while all probes are out ("refused")? The floor of a
 * refusal is one reading of the clock. The states of SmallRye and Sentinel cannot be set.
 */
public class HalfOpenBenchmark extends NanosPerCall {
  private static final String WINDOW = "100";

  private CircuitBreaker recloser;
  private CircuitBreaker recloserProbing;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4jProbing;
  private dev.failsafe.CircuitBreaker<String> failsafeAlone;
  private dev.failsafe.CircuitBreaker<String> failsafeAloneProbing;

  @Setup
  public void makeBreakers() {
    recloser = Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ true);
    recloserProbing = Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ true);
    recloserProbing.transitionTo(CircuitBreaker.State.HALF_OPEN);
    resilience4j = Breakers.resilience4j(WINDOW, Breakers.HALF);
    resilience4jProbing = Breakers.resilience4j(WINDOW, Breakers.HALF);
    resilience4jProbing.transitionToOpenState();
    resilience4jProbing.transitionToHalfOpenState();
    failsafeAlone = Breakers.failsafe(WINDOW, Breakers.HALF);
    failsafeAloneProbing = Breakers.failsafe(WINDOW, Breakers.HALF);
    failsafeAloneProbing.halfOpen();
    for (int i = 0; i < Breakers.PROBES; i++) {
      check(recloserProbing.tryAcquire() != null);
      check(resilience4jProbing.tryAcquirePermission());
      check(failsafeAloneProbing.tryAcquirePermit());
    }
  }

  private static void check(boolean probing) {
    if (!probing) {
      throw new IllegalStateException("the breaker was to be half-open");
    }
  }

  @Benchmark
  public CircuitBreaker.State recloserRound() {
    recloser.transitionTo(CircuitBreaker.State.OPEN);
    recloser.transitionTo(CircuitBreaker.State.HALF_OPEN);
    for (int i = 0; i < Breakers.PROBES; i++) {
      recloser.call(() -> stock);
    }
    check(recloser.state() == CircuitBreaker.State.CLOSED);
    return recloser.state();
  }

  @Benchmark
  public Object resilience4jRound() {
    resilience4j.transitionToOpenState();
    resilience4j.transitionToHalfOpenState();
    for (int i = 0; i < Breakers.PROBES; i++) {
      resilience4j.executeSupplier(() -> stock);
    }
    check(
        resilience4j.getState()
            == io.github.resilience4j.circuitbreaker.CircuitBreaker.State.CLOSED);
    return resilience4j.getState();
  }

  @Benchmark
  public Object failsafeAloneRound() {
    failsafeAlone.open();
    failsafeAlone.halfOpen();
    for (int i = 0; i < Breakers.PROBES; i++) {
      check(failsafeAlone.tryAcquirePermit());
      failsafeAlone.recordResult(stock);
    }
    check(failsafeAlone.isClosed());
    return failsafeAlone.getState();
  }

  /** The floor. */
  @Benchmark
  public long clockRefused() {
    return System.nanoTime();
  }

  @Benchmark
  public @Nullable Object recloserRefused() {
    return recloserProbing.tryAcquire();
  }

  @Benchmark
  public boolean resilience4jRefused() {
    return resilience4jProbing.tryAcquirePermission();
  }

  @Benchmark
  public boolean failsafeAloneRefused() {
    return failsafeAloneProbing.tryAcquirePermit();
  }
}

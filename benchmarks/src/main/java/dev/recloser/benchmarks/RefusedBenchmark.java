package dev.recloser.benchmarks;

import com.alibaba.csp.sentinel.SphO;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.recloser.CircuitBreaker;
import io.smallrye.faulttolerance.api.TypedGuard;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does a call cost that an open breaker refuses: by answer ("try"), by exception, and by
 * exception with its stack trace where that is a choice ("exceptionTraced")? The floor is one
 * reading of the clock, which tells whether the wait is over.
 */
public class RefusedBenchmark extends NanosPerCall {
  private static final String WINDOW = "100";

  private CircuitBreaker recloser;
  private CircuitBreaker recloserTraced;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4jTraced;
  private dev.failsafe.CircuitBreaker<String> failsafeAlone;
  private FailsafeExecutor<String> failsafe;
  private TypedGuard<String> smallrye;
  private HelidonBreaker helidon;

  @Setup
  public void openBreakers() {
    recloser = Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ true);
    recloser.transitionTo(CircuitBreaker.State.OPEN);
    recloserTraced = Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ true);
    recloserTraced.reconfigure(s -> s.writableStackTraceEnabled(true));
    recloserTraced.transitionTo(CircuitBreaker.State.OPEN);
    resilience4jTraced = Breakers.resilience4j(WINDOW, Breakers.HALF);
    resilience4jTraced.transitionToOpenState();
    resilience4j = Breakers.withoutTrace(resilience4jTraced);
    resilience4j.transitionToOpenState();
    failsafeAlone = Breakers.failsafe(WINDOW, Breakers.HALF);
    failsafeAlone.open();
    dev.failsafe.CircuitBreaker<String> open = Breakers.failsafe(WINDOW, Breakers.HALF);
    open.open();
    failsafe = Failsafe.with(open);
    smallrye = Breakers.smallrye(WINDOW, Breakers.HALF);
    fail(() -> smallrye.get(Fault.CALL));
    helidon = Breakers.helidon(WINDOW, Breakers.HALF);
    if (HelidonBreaker.isThere()) {
      fail(() -> helidon.call(Fault.CALL));
    }
    Breakers.sentinel("inventory", "10s", Breakers.HALF, /* slowCalls= */ false);
    fail(() -> Breakers.throughSentinel("inventory", Fault.CALL));
  }

  /** Until the breaker has had enough. */
  private static void fail(Attempt attempt) {
    for (int i = 0; i < 200; i++) {
      try {
        attempt.run();
      } catch (Exception expected) {
        // The fault, or the refusal that this is for.
      }
    }
  }

  /** The floor. */
  @Benchmark
  public long clock() {
    return System.nanoTime();
  }

  @Benchmark
  public @Nullable Object recloserTry() {
    return recloser.tryAcquire();
  }

  @Benchmark
  public boolean resilience4jTry() {
    return resilience4j.tryAcquirePermission();
  }

  @Benchmark
  public boolean failsafeAloneTry() {
    return failsafeAlone.tryAcquirePermit();
  }

  @Benchmark
  public boolean sentinelTry() {
    return SphO.entry("inventory");
  }

  @Benchmark
  public Object recloserException() {
    return refusal(() -> recloser.call(() -> stock));
  }

  @Benchmark
  public Object recloserExceptionTraced() {
    return refusal(() -> recloserTraced.call(() -> stock));
  }

  @Benchmark
  public Object resilience4jException() {
    return refusal(() -> resilience4j.executeSupplier(() -> stock));
  }

  @Benchmark
  public Object resilience4jExceptionTraced() {
    return refusal(() -> resilience4jTraced.executeSupplier(() -> stock));
  }

  @Benchmark
  public Object failsafeExceptionTraced() {
    return refusal(() -> failsafe.get(() -> stock));
  }

  @Benchmark
  public Object smallryeExceptionTraced() {
    return refusal(() -> smallrye.get(() -> stock));
  }

  @Benchmark
  public Object helidonExceptionTraced() {
    return refusal(() -> helidon.call(() -> stock));
  }

  @Benchmark
  public Object sentinelException() {
    try {
      return Breakers.throughSentinel("inventory", () -> admitted());
    } catch (BlockException e) {
      return e;
    }
  }

  private static Object refusal(Runnable call) {
    try {
      call.run();
    } catch (UnsupportedOperationException e) {
      throw e; // The peer is not there.
    } catch (RuntimeException e) {
      return e;
    }
    return admitted();
  }

  private static Object admitted() {
    throw new IllegalStateException("the breaker was to be open");
  }

  @FunctionalInterface
  private interface Attempt {
    void run() throws Exception;
  }
}

package dev.recloser.benchmarks;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.recloser.CircuitBreaker;
import io.smallrye.faulttolerance.api.TypedGuard;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What does a call that fails cost through a closed breaker? Every second call fails, of a breaker
 * that opens at 90 %, with an exception that is thrown but not made; the time is that of two calls,
 * one of each. With slow calls ("slow") and without.
 */
public class ClosedFailureBenchmark extends NanosPerCall {
  @Param({"100", "10000"})
  String window = "";

  private final Fault fault = new Fault();

  private boolean failing;
  private CircuitBreaker recloser;
  private CircuitBreaker recloserSlow;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4jLockFree;
  private FailsafeExecutor<String> failsafe;
  private TypedGuard<String> smallrye;
  private HelidonBreaker helidon;

  @Setup
  public void makeBreakers() {
    recloser = Breakers.recloser(window, Breakers.MOST, /* slowCalls= */ false);
    recloserSlow = Breakers.recloser(window, Breakers.MOST, /* slowCalls= */ true);
    resilience4j = Breakers.resilience4j(window, Breakers.MOST);
    resilience4jLockFree = Breakers.resilience4jLockFree(window, Breakers.MOST);
    failsafe = Failsafe.with(Breakers.failsafe(window, Breakers.MOST));
    smallrye = Breakers.smallrye(window, Breakers.MOST);
    helidon = Breakers.helidon(window, Breakers.MOST);
  }

  /** The floor. */
  @Benchmark
  public Object bare(Blackhole failures) {
    try {
      failures.consume(failEverySecond());
    } catch (Fault e) {
      failures.consume(e);
    }
    return failEverySecond();
  }

  @Benchmark
  public Object recloser(Blackhole failures) {
    try {
      failures.consume(recloser.call(this::failEverySecond));
    } catch (Fault e) {
      failures.consume(e);
    }
    return recloser.call(this::failEverySecond);
  }

  @Benchmark
  public Object recloserSlow(Blackhole failures) {
    try {
      failures.consume(recloserSlow.call(this::failEverySecond));
    } catch (Fault e) {
      failures.consume(e);
    }
    return recloserSlow.call(this::failEverySecond);
  }

  @Benchmark
  public Object resilience4jSlow(Blackhole failures) {
    try {
      failures.consume(resilience4j.executeSupplier(this::failEverySecond));
    } catch (Fault e) {
      failures.consume(e);
    }
    return resilience4j.executeSupplier(this::failEverySecond);
  }

  @Benchmark
  public Object resilience4jLockFreeSlow(Blackhole failures) {
    try {
      failures.consume(resilience4jLockFree.executeSupplier(this::failEverySecond));
    } catch (Fault e) {
      failures.consume(e);
    }
    return resilience4jLockFree.executeSupplier(this::failEverySecond);
  }

  @Benchmark
  public Object failsafe(Blackhole failures) {
    try {
      failures.consume(failsafe.get(this::failEverySecond));
    } catch (Fault e) {
      failures.consume(e);
    }
    return failsafe.get(this::failEverySecond);
  }

  @Benchmark
  public Object smallrye(Blackhole failures) {
    try {
      failures.consume(smallrye.get(this::failEverySecond));
    } catch (Fault e) {
      failures.consume(e);
    }
    return smallrye.get(this::failEverySecond);
  }

  @Benchmark
  public Object helidon(Blackhole failures) {
    try {
      failures.consume(helidon.call(this::failEverySecond));
    } catch (Fault e) {
      failures.consume(e);
    }
    return helidon.call(this::failEverySecond);
  }

  private String failEverySecond() {
    failing = !failing;
    if (failing) {
      throw fault;
    }
    return stock;
  }
}

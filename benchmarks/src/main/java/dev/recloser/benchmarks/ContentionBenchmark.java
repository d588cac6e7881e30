package dev.recloser.benchmarks;

import com.alibaba.csp.sentinel.slots.block.BlockException;
import dev.recloser.CircuitBreaker;
import io.smallrye.faulttolerance.api.TypedGuard;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * How many calls a microsecond do n threads get through one closed breaker ("one", "oneSlow" with
 * slow calls), and through one each ("each", "eachSlow")? Run it with {@code -t n}. If nothing is
 * shared that need not be, the two are alike and grow with the cores. Sentinel has time windows
 * only, and its breakers belong to names.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ContentionBenchmark extends NanosPerCall {
  /** A breaker of each library. */
  public abstract static class Some {
    private static final String WINDOW = "100";

    final CircuitBreaker recloser =
        Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ false);
    final CircuitBreaker recloserSlow =
        Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ true);
    final io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j =
        Breakers.resilience4j(WINDOW, Breakers.HALF);
    final io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4jLockFree =
        Breakers.resilience4jLockFree(WINDOW, Breakers.HALF);
    final dev.failsafe.CircuitBreaker<String> failsafeAlone =
        Breakers.failsafe(WINDOW, Breakers.HALF);
    final TypedGuard<String> smallrye = Breakers.smallrye(WINDOW, Breakers.HALF);
    final HelidonBreaker helidon = Breakers.helidon(WINDOW, Breakers.HALF);

    Some() {
      Breakers.sentinel("inventory", "10s", Breakers.HALF, /* slowCalls= */ false);
    }
  }

  /** For all threads. */
  @State(Scope.Benchmark)
  public static class One extends Some {}

  /** For one thread. */
  @State(Scope.Thread)
  public static class Each extends Some {}

  /** The ceiling. */
  @Benchmark
  public String bare() {
    return stock;
  }

  /** The ceiling of whatever times a call. */
  @Benchmark
  public long clock() {
    long start = System.nanoTime();
    return System.nanoTime() - start;
  }

  @Benchmark
  public String recloserOne(One one) {
    return one.recloser.call(() -> stock);
  }

  @Benchmark
  public String recloserEach(Each each) {
    return each.recloser.call(() -> stock);
  }

  @Benchmark
  public String recloserOneSlow(One one) {
    return one.recloserSlow.call(() -> stock);
  }

  @Benchmark
  public String recloserEachSlow(Each each) {
    return each.recloserSlow.call(() -> stock);
  }

  @Benchmark
  public String resilience4jOneSlow(One one) {
    return one.resilience4j.executeSupplier(() -> stock);
  }

  @Benchmark
  public String resilience4jEachSlow(Each each) {
    return each.resilience4j.executeSupplier(() -> stock);
  }

  @Benchmark
  public String resilience4jLockFreeOneSlow(One one) {
    return one.resilience4jLockFree.executeSupplier(() -> stock);
  }

  @Benchmark
  public String resilience4jLockFreeEachSlow(Each each) {
    return each.resilience4jLockFree.executeSupplier(() -> stock);
  }

  @Benchmark
  public String failsafeAloneOne(One one) {
    return throughFailsafe(one);
  }

  @Benchmark
  public String failsafeAloneEach(Each each) {
    return throughFailsafe(each);
  }

  @Benchmark
  public String smallryeOne(One one) {
    return one.smallrye.get(() -> stock);
  }

  @Benchmark
  public String smallryeEach(Each each) {
    return each.smallrye.get(() -> stock);
  }

  @Benchmark
  public Object helidonOne(One one) {
    return one.helidon.call(() -> stock);
  }

  @Benchmark
  public Object helidonEach(Each each) {
    return each.helidon.call(() -> stock);
  }

  @Benchmark
  public String sentinelOne(One one) throws BlockException {
    return Breakers.throughSentinel("inventory", () -> stock);
  }

  private String throughFailsafe(Some some) {
    if (!some.failsafeAlone.tryAcquirePermit()) {
      throw new IllegalStateException("open");
    }
    String result = stock;
    some.failsafeAlone.recordResult(result);
    return result;
  }
}

package dev.recloser.benchmarks;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.openjdk.jol.info.GraphLayout;

/**
 * How many bytes does a breaker take: one, and one of 100,000; one that is new, that one thread has
 * called, and that many have called at once? Windows of 100 calls, slow calls tracked where they
 * can be.
 *
 * <p>What breakers share is not counted: the first number is what a second one adds to the graph of
 * objects, as JOL walks it. The second is what the heap grows by, for 100,000 and each, so that one
 * checks the other. A plain program, as nothing in it depends on time.
 */
final class MemoryBenchmark {
  private static final int MANY = 100_000;
  private static final int CALLS = 1_000;
  private static final String WINDOW = "100";

  private MemoryBenchmark() {}

  static void print() throws InterruptedException {
    // Records and lambdas do not tell JOL where their fields are.
    System.setProperty("jol.magicFieldOffset", "true");
    System.out.println(
        "| bytes per breaker | new | called | called by 8 threads | of 100,000 new |");
    System.out.println("| --- | ---: | ---: | ---: | ---: |");
    measure(
        "Recloser",
        i -> Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ false),
        breaker -> breaker.call(() -> "stock"));
    measure(
        "Recloser, slow calls",
        i -> Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ true),
        breaker -> breaker.call(() -> "stock"));
    CircuitBreakerConfig shared = Breakers.recloser(WINDOW, Breakers.HALF, true).config();
    measure(
        "Recloser, slow calls, shared settings",
        i -> CircuitBreaker.create("inventory", shared),
        breaker -> breaker.call(() -> "stock"));
    var sharedByResilience4j =
        Breakers.resilience4j(WINDOW, Breakers.HALF).getCircuitBreakerConfig();
    measure(
        "Resilience4j, shared settings",
        i ->
            io.github.resilience4j.circuitbreaker.CircuitBreaker.of(
                "inventory", sharedByResilience4j),
        breaker -> breaker.executeSupplier(() -> "stock"));
    measure(
        "Resilience4j",
        i -> Breakers.resilience4j(WINDOW, Breakers.HALF),
        breaker -> breaker.executeSupplier(() -> "stock"));
    measure(
        "Resilience4j, lock-free",
        i -> Breakers.resilience4jLockFree(WINDOW, Breakers.HALF),
        breaker -> breaker.executeSupplier(() -> "stock"));
    measure(
        "Failsafe",
        i -> Breakers.failsafe(WINDOW, Breakers.HALF),
        breaker -> {
          if (breaker.tryAcquirePermit()) {
            breaker.recordSuccess();
          }
        });
    measure(
        "SmallRye",
        i -> Breakers.smallrye(WINDOW, Breakers.HALF),
        guard -> guard.get(() -> "stock"));
    if (HelidonBreaker.isThere()) {
      measure(
          "Helidon",
          i -> Breakers.helidon(WINDOW, Breakers.HALF),
          breaker -> breaker.call(() -> "stock"));
    }
  }

  private static <B> void measure(String name, IntFunction<B> maker, Consumer<B> call)
      throws InterruptedException {
    System.out.printf(
        Locale.ROOT,
        "| %s | %,d | %,d | %,d | %,d |%n",
        name,
        sizeOfSecond(maker, breaker -> {}),
        sizeOfSecond(maker, breaker -> callOften(breaker, call)),
        sizeOfSecond(maker, breaker -> callAtOnce(breaker, call)),
        sizeOfMany(maker));
  }

  private static <B> long sizeOfSecond(IntFunction<B> maker, Consumer<B> use) {
    B first = maker.apply(0);
    B second = maker.apply(1);
    use.accept(first);
    use.accept(second);
    return GraphLayout.parseInstance(first, second).totalSize()
        - GraphLayout.parseInstance(first).totalSize();
  }

  private static <B> void callOften(B breaker, Consumer<B> call) {
    for (int i = 0; i < CALLS; i++) {
      call.accept(breaker);
    }
  }

  private static <B> void callAtOnce(B breaker, Consumer<B> call) {
    int threads = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    for (int i = 0; i < threads; i++) {
      pool.execute(
          () -> {
            for (int round = 0; round < 100; round++) {
              callOften(breaker, call);
            }
          });
    }
    pool.shutdown();
    try {
      if (!pool.awaitTermination(5, TimeUnit.MINUTES)) {
        throw new IllegalStateException("the calls did not end");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static <B> long sizeOfMany(IntFunction<B> maker) throws InterruptedException {
    Object[] breakers = new Object[MANY];
    long before = usedHeap();
    for (int i = 0; i < MANY; i++) {
      breakers[i] = maker.apply(i);
    }
    long after = usedHeap();
    if (breakers[MANY - 1] == null) {
      throw new IllegalStateException("the breakers were not to be collected");
    }
    return Math.round((after - before) / (double) MANY);
  }

  private static long usedHeap() throws InterruptedException {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(100);
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}

package dev.recloser.benchmarks;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * What do listeners add to a call that succeeds, when they hear of each call and do nothing but
 * keep the event? Slow calls are tracked. Failsafe has room for one listener.
 */
public class ListenersBenchmark extends NanosPerCall {
  private static final String WINDOW = "100";

  @Param({"0", "1", "3"})
  int listeners;

  private final List<Ear> ears = new ArrayList<>();

  private CircuitBreaker recloser;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j;
  private FailsafeExecutor<String> failsafe;

  @Setup
  public void makeBreakers() {
    recloser = Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ true);
    resilience4j = Breakers.resilience4j(WINDOW, Breakers.HALF);
    for (int i = 0; i < listeners; i++) {
      recloser.on(CallFinished.class, ear()::hear);
      resilience4j.getEventPublisher().onSuccess(ear()::hear);
    }
    dev.failsafe.CircuitBreaker<String> breaker = Breakers.failsafe(WINDOW, Breakers.HALF);
    if (listeners > 0) {
      breaker =
          dev.failsafe.CircuitBreaker.builder(breaker.getConfig()).onSuccess(ear()::hear).build();
    }
    failsafe = Failsafe.with(breaker);
  }

  private Ear ear() {
    Ear ear = new Ear();
    ears.add(ear);
    return ear;
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
  public String failsafe() {
    if (listeners > 1) {
      throw new UnsupportedOperationException("Failsafe has room for one listener");
    }
    return failsafe.get(() -> stock);
  }

  /** Keeps what it heard, so that the event has to be made. */
  static final class Ear {
    @Nullable Object last;

    void hear(Object event) {
      last = event;
    }
  }
}

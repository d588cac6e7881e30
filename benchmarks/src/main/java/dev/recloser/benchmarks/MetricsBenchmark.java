package dev.recloser.benchmarks;

import dev.recloser.CircuitBreaker;
import dev.recloser.micrometer.PolicyMetrics;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * What do meters in a registry of Micrometer add to a call that succeeds? Slow calls are tracked.
 * Resilience4j times each call as soon as its meters are bound; ours are read when they are asked,
 * unless timers are switched on.
 */
public class MetricsBenchmark extends NanosPerCall {
  private static final String WINDOW = "100";

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  private CircuitBreaker recloser;
  private CircuitBreaker recloserBound;
  private CircuitBreaker recloserTimers;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4jTimers;

  @Setup
  public void makeBreakers() {
    recloser = Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ true);
    recloserBound = Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ true);
    PolicyMetrics.create(metrics -> metrics.policy(recloserBound)).bindTo(meters);
    recloserTimers = Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ true);
    PolicyMetrics.create(metrics -> metrics.policy(recloserTimers).callTimers(true))
        .bindTo(new SimpleMeterRegistry());
    resilience4j = Breakers.resilience4j(WINDOW, Breakers.HALF);
    CircuitBreakerRegistry registry = CircuitBreakerRegistry.ofDefaults();
    resilience4jTimers =
        registry.circuitBreaker("inventory", resilience4j.getCircuitBreakerConfig());
    TaggedCircuitBreakerMetrics.ofCircuitBreakerRegistry(registry)
        .bindTo(new SimpleMeterRegistry());
  }

  @Benchmark
  public String recloserUnbound() {
    return recloser.call(() -> stock);
  }

  @Benchmark
  public String recloserBound() {
    return recloserBound.call(() -> stock);
  }

  @Benchmark
  public String recloserTimers() {
    return recloserTimers.call(() -> stock);
  }

  @Benchmark
  public String resilience4jUnbound() {
    return resilience4j.executeSupplier(() -> stock);
  }

  @Benchmark
  public String resilience4jTimers() {
    return resilience4jTimers.executeSupplier(() -> stock);
  }
}

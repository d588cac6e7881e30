package dev.recloser.benchmarks;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.recloser.CircuitBreaker;
import io.smallrye.faulttolerance.api.TypedGuard;
import jakarta.enterprise.util.TypeLiteral;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does a breaker add to a call that returns a stage: one that has ended when it is returned
 * ("ended"), and one that ends later ("later")? Slow calls are tracked. Failsafe would move the
 * call to a pool; here it runs on the caller, as with the others.
 */
public class StageBenchmark extends NanosPerCall {
  private static final String WINDOW = "100";

  private CircuitBreaker recloser;
  private io.github.resilience4j.circuitbreaker.CircuitBreaker resilience4j;
  private FailsafeExecutor<String> failsafe;
  private TypedGuard<CompletionStage<String>> smallrye;

  @Setup
  public void makeBreakers() {
    recloser = Breakers.recloser(WINDOW, Breakers.HALF, /* slowCalls= */ true);
    resilience4j = Breakers.resilience4j(WINDOW, Breakers.HALF);
    failsafe = Failsafe.with(Breakers.failsafe(WINDOW, Breakers.HALF)).with(Runnable::run);
    smallrye =
        Breakers.guarded(TypedGuard.create(new StageOfString()), WINDOW, Breakers.HALF).build();
  }

  /** The floor. */
  @Benchmark
  public String bareEnded() {
    return CompletableFuture.completedFuture(stock).join();
  }

  @Benchmark
  public String recloserEnded() {
    return recloser.callAsync(() -> CompletableFuture.completedFuture(stock)).join();
  }

  @Benchmark
  public String resilience4jEnded() {
    return resilience4j
        .executeCompletionStage(() -> CompletableFuture.completedFuture(stock))
        .toCompletableFuture()
        .join();
  }

  @Benchmark
  public String failsafeEnded() {
    return failsafe.getStageAsync(() -> CompletableFuture.completedFuture(stock)).join();
  }

  @Benchmark
  public String smallryeEnded() {
    return smallrye
        .get(() -> CompletableFuture.completedFuture(stock))
        .toCompletableFuture()
        .join();
  }

  /** The floor. */
  @Benchmark
  public String bareLater() {
    CompletableFuture<String> later = new CompletableFuture<>();
    CompletableFuture<String> seen = later.thenApply(result -> result);
    later.complete(stock);
    return seen.join();
  }

  @Benchmark
  public String recloserLater() {
    CompletableFuture<String> later = new CompletableFuture<>();
    CompletableFuture<String> guarded = recloser.callAsync(() -> later);
    later.complete(stock);
    return guarded.join();
  }

  @Benchmark
  public String resilience4jLater() {
    CompletableFuture<String> later = new CompletableFuture<>();
    CompletionStage<String> guarded = resilience4j.executeCompletionStage(() -> later);
    later.complete(stock);
    return guarded.toCompletableFuture().join();
  }

  @Benchmark
  public String failsafeLater() {
    CompletableFuture<String> later = new CompletableFuture<>();
    CompletableFuture<String> guarded = failsafe.getStageAsync(() -> later);
    later.complete(stock);
    return guarded.join();
  }

  @Benchmark
  public String smallryeLater() {
    CompletableFuture<String> later = new CompletableFuture<>();
    CompletionStage<String> guarded = smallrye.get(() -> later);
    later.complete(stock);
    return guarded.toCompletableFuture().join();
  }

  private static final class StageOfString extends TypeLiteral<CompletionStage<String>> {
    private static final long serialVersionUID = 1;
  }
}

package dev.recloser;

import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What the callers of a {@link RetryStorm} put around their calls. */
enum StormCallers {
  /** Nothing. */
  ONE_ATTEMPT("one attempt, nothing else"),

  /** What is called a retry where there is no budget, written as the loop that it is. */
  FIXED_WAITS("3 attempts, fixed waits of 500 ms, no budget"),

  /** Jitter spreads a storm, and does not make it smaller. */
  JITTERED_WAITS("3 attempts, jittered waits, no budget"),

  /** The defaults of a retry. */
  BUDGET("3 attempts, jittered waits, budget"),

  /** A breaker that lets everybody in again when its probes have succeeded. */
  BREAKER("the same around a breaker"),

  /** A breaker that lets them in bit by bit. */
  RAMP_UP("the same around a breaker with ramp-up");

  static final int ATTEMPTS = 3;
  static final Duration WAIT = Duration.ofMillis(500);
  static final Duration OPEN = Duration.ofSeconds(10);
  static final Duration RAMP = Duration.ofSeconds(30);

  private final String description;

  StormCallers(String description) {
    this.description = description;
  }

  @Override
  public String toString() {
    return description;
  }

  /** How they make their calls. */
  interface Way {
    CompletableFuture<String> call(Supplier<CompletableFuture<String>> call);
  }

  Way on(FakeTime time, long seed) {
    return switch (this) {
      case ONE_ATTEMPT -> Supplier::get;
      case FIXED_WAITS -> call -> attempt(call, time, ATTEMPTS);
      case JITTERED_WAITS -> way(retry(time, seed, RetryBudget.create(100, 1_000_000, time)));
      case BUDGET -> way(retry(time, seed, RetryBudget.createDefault(time)));
      case BREAKER -> way(retry(time, seed, null), breaker(time, Duration.ZERO));
      case RAMP_UP -> way(retry(time, seed, null), breaker(time, RAMP));
    };
  }

  private static CompletableFuture<String> attempt(
      Supplier<CompletableFuture<String>> call, FakeTime time, int left) {
    return call.get()
        .exceptionallyCompose(
            thrown ->
                left == 1
                    ? CompletableFuture.failedFuture(thrown)
                    : after(time).thenCompose(over -> attempt(call, time, left - 1)));
  }

  private static CompletableFuture<Boolean> after(FakeTime time) {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    time.schedule(() -> over.complete(true), WAIT);
    return over;
  }

  private static Consumer<Pipeline.Builder<String>> retry(
      FakeTime time, long seed, RetryBudget budget) {
    return policies ->
        policies.retry(
            s ->
                s.maxAttempts(ATTEMPTS)
                    .waitDuration(WAIT)
                    .budget(budget)
                    .random(new Random(seed)::nextDouble)
                    .ticker(time)
                    .scheduler(time)
                    .executor(Runnable::run));
  }

  private static Consumer<Pipeline.Builder<String>> breaker(FakeTime time, Duration rampUp) {
    return policies ->
        policies.circuitBreaker(
            s ->
                s.waitDurationInOpenState(OPEN)
                    .rampUpDuration(rampUp)
                    .ticker(time)
                    .scheduler(time));
  }

  @SafeVarargs
  private static Way way(Consumer<Pipeline.Builder<String>>... parts) {
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders-to-inventory",
            policies -> {
              for (Consumer<Pipeline.Builder<String>> part : parts) {
                part.accept(policies);
              }
            });
    return pipeline::callAsync;
  }
}

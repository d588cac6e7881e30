package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Who ends the future of a call with an exception says how the call ended, whatever policies stand
 * between that future and a breaker; who cancels it gives the call up.
 */
final class EndsFromOutsideTest {
  private static final FakeTime TIME = FakeTime.create();

  private final CircuitBreaker breaker = CircuitBreaker.create("inventory", s -> s.ticker(TIME));
  private final CompletableFuture<String> hangs = new CompletableFuture<>();

  /** What stands around the breaker. */
  enum Around {
    NOTHING {
      @Override
      CompletableFuture<String> call(Supplier<CompletionStage<String>> call) {
        return call.get().toCompletableFuture();
      }
    },
    BREAKER {
      @Override
      CompletableFuture<String> call(Supplier<CompletionStage<String>> call) {
        return CircuitBreaker.create("outer", s -> s.ticker(TIME)).callAsync(call);
      }
    },
    RETRY {
      @Override
      CompletableFuture<String> call(Supplier<CompletionStage<String>> call) {
        return Retry.create("retry", s -> s.ticker(TIME).scheduler(TIME)).callAsync(call);
      }
    },
    HEDGE {
      @Override
      CompletableFuture<String> call(Supplier<CompletionStage<String>> call) {
        return Hedge.create("hedge", s -> s.idempotent(true).ticker(TIME).scheduler(TIME))
            .callAsync(call);
      }
    },
    TIMEOUT {
      @Override
      CompletableFuture<String> call(Supplier<CompletionStage<String>> call) {
        return Timeout.create(
                "timeout",
                s -> s.timeoutDuration(Duration.ofSeconds(9)).ticker(TIME).scheduler(TIME))
            .callAsync(call);
      }
    },
    BULKHEAD {
      @Override
      CompletableFuture<String> call(Supplier<CompletionStage<String>> call) {
        return Bulkhead.create("bulkhead", s -> {}).callAsync(call);
      }
    },
    BULKHEAD_WITH_THREADS {
      @Override
      CompletableFuture<String> call(Supplier<CompletionStage<String>> call) {
        return Bulkhead.create("bulkhead", s -> s.callExecutor(Runnable::run)).callAsync(call);
      }
    },
    FALLBACK {
      @Override
      CompletableFuture<String> call(Supplier<CompletionStage<String>> call) {
        return Pipeline.<String>create(
                "orders", p -> p.fallback(rules -> rules.onRefusal(refused -> "none left")))
            .callAsync(call);
      }
    },
    RATE_LIMITER {
      @Override
      CompletableFuture<String> call(Supplier<CompletionStage<String>> call) {
        return RateLimiter.create("limiter", s -> s.ticker(TIME).scheduler(TIME)).callAsync(call);
      }
    },
    ALL_IN_A_PIPELINE {
      @Override
      CompletableFuture<String> call(Supplier<CompletionStage<String>> call) {
        return Pipeline.<String>create(
                "orders",
                p ->
                    p.fallback(rules -> rules.onRefusal(refused -> "none left"))
                        .retry(s -> s.ticker(TIME).scheduler(TIME))
                        .hedge(s -> s.idempotent(true).ticker(TIME).scheduler(TIME))
                        .bulkhead(s -> {})
                        .timeout(Timeout.create("timeout", s -> s.ticker(TIME).scheduler(TIME))))
            .callAsync(call);
      }
    };

    abstract CompletableFuture<String> call(Supplier<CompletionStage<String>> call);
  }

  @ParameterizedTest
  @EnumSource
  void an_exception_from_outside_is_what_a_breaker_inside_judges(Around around) {
    CompletableFuture<String> later = around.call(() -> breaker.callAsync(() -> hangs));

    later.completeExceptionally(new TimeoutException("no time left"));

    assertThat(breaker.metrics().failed()).isEqualTo(1);
    assertThat(breaker.metrics().cancelled()).isZero();
    assertThat(hangs).isCancelled();
    assertThat(TIME.pendingTimers()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void giving_up_is_a_cancellation_to_a_breaker_inside(Around around) {
    CompletableFuture<String> later = around.call(() -> breaker.callAsync(() -> hangs));

    later.cancel(true);

    assertThat(breaker.metrics().cancelled()).isEqualTo(1);
    assertThat(breaker.metrics().failed()).isZero();
    assertThat(hangs).isCancelled();
    assertThat(TIME.pendingTimers()).isZero();
  }

  @Test
  void the_rules_of_the_breaker_see_the_exception_itself() {
    CircuitBreaker strict =
        CircuitBreaker.create(
            "strict", s -> s.ticker(TIME).ignoreExceptions(TimeoutException.class));
    CompletableFuture<String> later = Around.RETRY.call(() -> strict.callAsync(() -> hangs));

    later.completeExceptionally(new TimeoutException("no time left"));

    assertThat(strict.metrics().ignored()).isEqualTo(1);
  }

  @Test
  void it_passes_through_stages_of_others_that_hand_cancellations_on() {
    CompletableFuture<String> later =
        Around.RETRY.call(
            () -> {
              CompletableFuture<String> guarded = breaker.callAsync(() -> hangs);
              CompletableFuture<String> own = new CompletableFuture<>();
              var unused = own.whenComplete((done, why) -> guarded.completeExceptionally(why));
              return own;
            });

    later.completeExceptionally(new TimeoutException("no time left"));

    assertThat(breaker.metrics().failed()).isEqualTo(1);
  }
}

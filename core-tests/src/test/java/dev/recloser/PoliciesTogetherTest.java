package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What policies do to each other. */
final class PoliciesTogetherTest {
  private static final Duration LIMIT = Duration.ofMillis(100);

  private final FakeTime time = FakeTime.create();
  private final CircuitBreaker breaker =
      CircuitBreaker.create("inventory", s -> s.recordExceptions(IOException.class).ticker(time));

  private Timeout timeout() {
    return Timeout.create("inventory", s -> s.timeoutDuration(LIMIT).ticker(time).scheduler(time));
  }

  private Retry retry() {
    return Retry.create(
        "inventory", s -> s.waitDuration(Duration.ofMillis(10)).ticker(time).scheduler(time));
  }

  @Test
  void one_retrys_failures_do_not_spend_another_ones_budget() {
    for (int i = 0; i < 300; i++) {
      Retry spent = retry();
      assertThatThrownBy(() -> spent.call(PoliciesTogetherTest::fail))
          .isInstanceOf(IOException.class);
      assertThat(spent.metrics().withoutBudget()).isZero();
    }
  }

  @Test
  void what_comes_out_of_a_call_that_a_timeout_has_ended_is_the_timeout_to_a_breaker_inside() {
    Pipeline<String> pipeline =
        Pipeline.create("orders", p -> p.timeout(timeout()).circuitBreaker(breaker));

    assertThatThrownBy(
            () ->
                pipeline.call(
                    () -> {
                      time.advance(LIMIT);
                      throw new IllegalStateException("interrupted, but not saying so");
                    }))
        .isInstanceOf(TimeoutExceededException.class);

    assertThat(breaker.metrics().failed()).isEqualTo(1);
    assertThat(breaker.metrics().ignored()).isZero();
  }

  @Test
  void nobody_retries_a_call_or_answers_it_that_a_timeout_has_ended() {
    AtomicInteger attempts = new AtomicInteger();
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p ->
                p.timeout(timeout())
                    .fallback(rules -> rules.onFailure(thrown -> "an answer nobody waits for"))
                    .retry(retry()));

    assertThatThrownBy(
            () ->
                pipeline.call(
                    () -> {
                      attempts.incrementAndGet();
                      time.advance(LIMIT);
                      throw new IOException("interrupted, but not saying so");
                    }))
        .isInstanceOf(TimeoutExceededException.class);

    assertThat(attempts).hasValue(1);
    assertThat(pipeline.fallbackMetrics().get(0).fallback()).isZero();
  }

  @Test
  void a_slot_comes_back_though_a_ticker_throws_inside() {
    Bulkhead bulkhead = Bulkhead.create("inventory", s -> s.maxConcurrentCalls(1));
    Retry broken =
        Retry.create(
            "inventory",
            s ->
                s.maxElapsedTime(Duration.ofSeconds(1))
                    .ticker(
                        new Ticker() {
                          private int readings;

                          @Override
                          public long nanoTime() {
                            if (readings++ > 0) {
                              throw new IllegalStateException("broken");
                            }
                            return 0;
                          }
                        }));
    Pipeline<String> pipeline = Pipeline.create("orders", p -> p.bulkhead(bulkhead).retry(broken));

    CompletableFuture<String> later =
        pipeline.callAsync(() -> CompletableFuture.completedFuture("stock"));

    assertThat(later).isCompletedExceptionally();
    assertThat(bulkhead.metrics().running()).isZero();
  }

  @Test
  void a_scheduler_that_does_not_wait_leaves_the_caller_its_own_failure() {
    Retry retry =
        Retry.create(
            "inventory",
            s ->
                s.ticker(time)
                    .scheduler(
                        (task, delay) -> {
                          throw new IllegalStateException("shut down");
                        }));

    assertThatThrownBy(() -> retry.call(PoliciesTogetherTest::fail))
        .isInstanceOf(IOException.class)
        .hasMessage("down");
    assertThat(retry.metrics().calls()).isEqualTo(1);
    assertThat(retry.metrics().retries()).isZero();
  }

  @Test
  void a_permit_that_cannot_come_within_the_timeout_is_refused_at_once() {
    RateLimiter limiter =
        RateLimiter.create(
            "inventory",
            s ->
                s.limitForPeriod(1)
                    .limitRefreshPeriod(Duration.ofMillis(500))
                    .ticker(time)
                    .scheduler(time));
    Pipeline<String> pipeline =
        Pipeline.create("orders", p -> p.timeout(timeout()).rateLimiter(limiter));
    pipeline.callAsync(() -> CompletableFuture.completedFuture("stock")).join();
    AtomicInteger calls = new AtomicInteger();

    assertThatThrownBy(() -> pipeline.call(() -> "call " + calls.incrementAndGet()))
        .isInstanceOf(RequestNotPermittedException.class);

    assertThat(calls).hasValue(0);
    assertThat(time.elapsed()).isZero();
    assertThat(limiter.metrics().refused()).isEqualTo(1);
  }

  @Test
  void a_stage_that_waited_for_a_slot_is_not_started_on_the_thread_that_gave_it_back()
      throws Exception {
    Bulkhead bulkhead =
        Bulkhead.create(
            "inventory",
            s -> s.maxConcurrentCalls(1).maxWaitDuration(Duration.ofMinutes(1)).scheduler(time));
    BulkheadSlot slot = bulkhead.acquire();
    CompletableFuture<Thread> startedOn = new CompletableFuture<>();
    CompletableFuture<String> waiting =
        bulkhead.callAsync(
            () -> {
              startedOn.complete(Thread.currentThread());
              return CompletableFuture.completedFuture("stock");
            });

    slot.close();

    assertThat(startedOn.get(30, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
    assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("stock");
  }

  @Test
  void an_executor_that_rejects_costs_no_slot() {
    Bulkhead bulkhead =
        Bulkhead.create(
            "inventory",
            s ->
                s.maxConcurrentCalls(1)
                    .maxWaitDuration(Duration.ofMinutes(1))
                    .scheduler(time)
                    .executor(
                        task -> {
                          throw new RejectedExecutionException("full");
                        }));
    BulkheadSlot slot = bulkhead.acquire();
    CompletableFuture<String> waiting =
        bulkhead.callAsync(() -> CompletableFuture.completedFuture("stock"));

    slot.close();

    assertThat(waiting).isCompletedWithValue("stock");
    assertThat(bulkhead.metrics().running()).isZero();
  }

  /** What is wrapped. */
  interface Inventory {
    String stock(String sku) throws IOException;

    CompletableFuture<String> stockAsync(String sku);
  }

  @Test
  void an_interface_can_be_wrapped_by_any_policy_and_by_a_pipeline() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Inventory flaky =
        new Inventory() {
          @Override
          public String stock(String sku) throws IOException {
            return calls.incrementAndGet() % 2 == 1 ? fail() : sku;
          }

          @Override
          public CompletableFuture<String> stockAsync(String sku) {
            return calls.incrementAndGet() % 2 == 1
                ? CompletableFuture.failedFuture(new IOException("down"))
                : CompletableFuture.completedFuture(sku);
          }
        };
    Pipeline<Object> pipeline =
        Pipeline.create("orders", p -> p.retry(retry()).circuitBreaker(breaker));

    assertThat(retry().wrap(Inventory.class, flaky).stock("a")).isEqualTo("a");
    Inventory wrapped = pipeline.wrap(Inventory.class, flaky);
    assertThat(wrapped.stock("b")).isEqualTo("b");
    CompletableFuture<String> later = wrapped.stockAsync("c");
    time.advance(Duration.ofSeconds(1));

    assertThat(later).isCompletedWithValue("c");
    assertThat(breaker.metrics().failed()).isEqualTo(2);
    assertThat(breaker.metrics().succeeded()).isEqualTo(2);
    assertThat(wrapped).hasToString(flaky.toString());
  }

  private static String fail() throws IOException {
    throw new IOException("down");
  }

  @Test
  void giving_up_while_waiting_is_a_cancellation_for_a_breaker_around_plain_or_not() {
    RateLimiter limiter =
        RateLimiter.create(
            "inventory", s -> s.limitForPeriod(1).maxBurst(1).ticker(time).scheduler(time));
    Pipeline<String> pipeline =
        Pipeline.create("orders", p -> p.circuitBreaker(breaker).rateLimiter(limiter));
    limiter.acquire();

    pipeline.callAsync(() -> CompletableFuture.completedFuture("stock")).cancel(true);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> pipeline.call(() -> "stock"))
        .isInstanceOf(CancellationException.class);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(breaker.metrics().cancelled()).isEqualTo(2);
    assertThat(breaker.metrics().ignored()).isZero();
  }
}

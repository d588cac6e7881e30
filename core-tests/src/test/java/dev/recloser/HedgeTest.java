package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.test.FakeTime;
import dev.recloser.test.RecordingListener;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that are made again while they go on. */
class HedgeTest {
  private static final Duration DELAY = Duration.ofMillis(80);

  private final FakeTime time = FakeTime.create();
  private final ExecutorService pool = Executors.newCachedThreadPool();

  /** The stages of the attempts, in the order in which they were begun. */
  private final List<CompletableFuture<String>> attempts =
      Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void nothing_is_left() throws InterruptedException {
    assertThat(time.pendingTimers()).isZero();
    assertThat(attempts).allMatch(CompletableFuture::isDone);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    pool.shutdown();
    assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  private Hedge hedge(Consumer<HedgeConfig.Builder> settings) {
    return Hedge.create(
        "inventory",
        s -> {
          s.idempotent(true).delay(DELAY).ticker(time).scheduler(time);
          settings.accept(s);
        });
  }

  private CompletableFuture<String> attempt() {
    CompletableFuture<String> attempt = new CompletableFuture<>();
    attempts.add(attempt);
    return attempt;
  }

  @Test
  void a_call_that_is_over_in_time_is_made_once() {
    Hedge hedge = hedge(s -> {});
    CompletableFuture<String> later = hedge.callAsync(this::attempt);

    time.advance(DELAY.minusNanos(1));
    attempts.get(0).complete("stock");

    assertThat(later.join()).isEqualTo("stock");
    assertThat(attempts).hasSize(1);
    assertThat(time.pendingTimers()).isZero();
    assertThat(hedge.metrics()).isEqualTo(new HedgeMetrics(0, 1, 0, 0, 0, 0, DELAY));
  }

  @Test
  void the_first_success_wins_and_the_others_are_cancelled() {
    Hedge hedge = hedge(s -> s.maxAttempts(3));
    RecordingListener heard = RecordingListener.on(hedge);
    CompletableFuture<String> later = hedge.callAsync(this::attempt);

    time.advance(DELAY.multipliedBy(2));
    assertThat(attempts).hasSize(3);
    attempts.get(1).complete("stock");

    assertThat(later.join()).isEqualTo("stock");
    assertThat(attempts.get(0)).isCancelled();
    assertThat(attempts.get(2)).isCancelled();
    assertThat(hedge.metrics()).isEqualTo(new HedgeMetrics(2, 0, 1, 0, 0, 0, DELAY));
    assertThat(heard.events())
        .containsExactly(
            new HedgeEvent.Hedged("inventory", 2, DELAY),
            new HedgeEvent.Hedged("inventory", 3, DELAY),
            new HedgeEvent.Won("inventory", 2));
    assertThat(hedge.explain())
        .isEqualTo(
            "inventory makes a call again after 80 ms: 2 hedges for 1 call, 1 of which came first;"
                + " 0 not made for want of budget.");
  }

  @Test
  void a_failed_attempt_is_not_the_answer_while_another_goes_on() {
    for (int failing = 0; failing < 2; failing++) {
      attempts.clear();
      Hedge hedge = hedge(s -> {});
      CompletableFuture<String> later = hedge.callAsync(this::attempt);
      time.advance(DELAY);

      attempts.get(failing).completeExceptionally(new IOException("down"));
      assertThat(later).isNotDone();
      attempts.get(1 - failing).complete("stock");

      assertThat(later.join()).isEqualTo("stock");
    }
  }

  @Test
  void when_all_fail_the_caller_gets_the_last_failure_with_the_others_suppressed() {
    Hedge hedge = hedge(s -> {});
    CompletableFuture<String> later = hedge.callAsync(this::attempt);
    time.advance(DELAY);
    IOException first = new IOException("first");
    IOException last = new IOException("last");

    attempts.get(1).completeExceptionally(first);
    attempts.get(0).completeExceptionally(last);

    assertThatThrownBy(later::join).hasCause(last);
    assertThat(last).hasSuppressedException(first);
    assertThat(hedge.metrics()).isEqualTo(new HedgeMetrics(1, 0, 0, 1, 0, 0, DELAY));
  }

  @Test
  void a_failure_in_time_is_for_the_retry_and_begins_no_attempt() {
    Hedge hedge = hedge(s -> {});
    CompletableFuture<String> later = hedge.callAsync(this::attempt);

    attempts.get(0).completeExceptionally(new IOException("down"));
    time.advance(Duration.ofMinutes(1));

    assertThatThrownBy(later::join).hasCauseInstanceOf(IOException.class);
    assertThat(attempts).hasSize(1);
  }

  @Test
  void cancelling_the_call_cancels_all_attempts() {
    Hedge hedge = hedge(s -> s.maxAttempts(3));
    CompletableFuture<String> later = hedge.callAsync(this::attempt);
    time.advance(DELAY);

    later.cancel(true);

    assertThat(attempts).hasSize(2).allMatch(CompletableFuture::isCancelled);
    assertThat(hedge.metrics()).isEqualTo(new HedgeMetrics(1, 0, 0, 0, 1, 0, DELAY));
  }

  @Test
  void attempts_are_charged_to_the_budget() {
    RetryBudget budget = RetryBudget.create(50, 0, time);
    Hedge hedge = hedge(s -> s.budget(budget));
    List<CompletableFuture<String>> calls = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      calls.add(hedge.callAsync(this::attempt));
    }

    time.advance(DELAY);

    assertThat(attempts).hasSize(15);
    assertThat(hedge.metrics().withoutBudget()).isEqualTo(5);
    assertThat(budget.left()).isZero();
    attempts.forEach(attempt -> attempt.complete("stock"));
    assertThat(calls).allMatch(CompletableFuture::isDone);
  }

  @Test
  void the_delay_follows_the_calls() {
    Hedge hedge = hedge(s -> s.delayPercentile(95.0));
    for (int i = 1; i <= 19; i++) {
      callOf(hedge, i);
    }
    assertThat(hedge.metrics().delay()).isEqualTo(DELAY);
    callOf(hedge, 20);
    assertThat(hedge.metrics().delay()).isEqualTo(Duration.ofMillis(19));
    for (int i = 21; i <= 100; i++) {
      callOf(hedge, i);
    }
    for (int i = 1; i <= 100; i++) {
      callOf(hedge, i);
    }
    assertThat(hedge.metrics().hedges()).isPositive();
    assertThat(hedge.metrics().delay()).isBetween(Duration.ofMillis(94), Duration.ofMillis(96));
  }

  /** A slow first attempt that another one overtakes counts with what it has taken until then. */
  private void callOf(Hedge hedge, int millis) {
    CompletableFuture<String> later = hedge.callAsync(this::attempt);
    CompletableFuture<String> first = attempts.get(attempts.size() - 1);
    time.advance(Duration.ofMillis(millis));
    first.complete("stock");
    later.join();
  }

  @Test
  void a_percentile_is_the_rank_that_it_says() {
    Hedge hedge = hedge(s -> s.delayPercentile(55.0));
    for (int i = 1; i <= 100; i++) {
      Duration took = Duration.ofNanos(i);
      hedge
          .callAsync(
              () -> {
                time.advance(took);
                return CompletableFuture.completedFuture("stock");
              })
          .join();
    }

    // 55.0 / 100 * 100 is a little more than 55.
    assertThat(hedge.metrics().delay()).isEqualTo(Duration.ofNanos(55));
  }

  @Test
  void hedges_that_win_do_not_make_the_delay_shrink_without_end() {
    Hedge hedge = hedge(s -> s.delayPercentile(50.0).budget(RetryBudget.create(100, 1000, time)));
    for (int i = 0; i < 200; i++) {
      CompletableFuture<String> later = hedge.callAsync(this::attempt);
      time.advance(hedge.metrics().delay());
      time.advance(Duration.ofMillis(1));
      attempts.get(attempts.size() - 1).complete("stock");
      later.join();
    }

    assertThat(hedge.metrics().wonByHedge()).isEqualTo(200);
    assertThat(hedge.metrics().delay()).isGreaterThanOrEqualTo(DELAY);
  }

  @Test
  void breakers_inside_see_a_loser_as_cancelled() {
    CircuitBreaker breaker = CircuitBreaker.create("inventory", s -> s.ticker(time));
    Pipeline<String> pipeline =
        Pipeline.create("orders", p -> p.hedge(hedge(s -> {})).circuitBreaker(breaker));
    assertThat(pipeline.describe()).contains("; counts each attempt");
    CompletableFuture<String> later = pipeline.callAsync(this::attempt);
    time.advance(DELAY);

    attempts.get(1).complete("stock");

    assertThat(later.join()).isEqualTo("stock");
    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
    assertThat(breaker.metrics().cancelled()).isEqualTo(1);
    assertThat(breaker.snapshot().callsInFlight()).isZero();
  }

  @Test
  void a_plain_call_that_loses_is_interrupted_and_cancelled_for_breakers_whatever_it_throws()
      throws Exception {
    CircuitBreaker breaker = CircuitBreaker.create("inventory", s -> s.ticker(time));
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders", p -> p.hedge(hedge(s -> s.executor(pool))).circuitBreaker(breaker));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();

    CompletableFuture<String> caller =
        CompletableFuture.supplyAsync(
            () ->
                pipeline.call(
                    () -> {
                      if (calls.incrementAndGet() > 1) {
                        return "stock";
                      }
                      begun.countDown();
                      try {
                        new CountDownLatch(1).await();
                        return "never";
                      } catch (InterruptedException e) {
                        throw new IllegalStateException("wrapped", e);
                      } finally {
                        interrupted.countDown();
                      }
                    }),
            pool);
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    while (!caller.isDone()) {
      time.advance(DELAY);
    }

    assertThat(caller.join()).isEqualTo("stock");
    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    pool.shutdown();
    assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(breaker.metrics().failed()).isZero();
    assertThat(breaker.metrics().cancelled()).isEqualTo(1);
  }

  @Test
  void interrupting_the_caller_cancels_its_attempts() throws Exception {
    Hedge hedge = hedge(s -> s.executor(pool));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    AtomicReference<Throwable> got = new AtomicReference<>();
    AtomicReference<Boolean> flag = new AtomicReference<>();
    Thread caller =
        new Thread(
            () -> {
              got.set(
                  catchThrowable(
                      () ->
                          hedge.call(
                              () -> {
                                begun.countDown();
                                try {
                                  return new CountDownLatch(1).await(1, TimeUnit.MINUTES);
                                } finally {
                                  ended.countDown();
                                }
                              })));
              flag.set(Thread.currentThread().isInterrupted());
            });
    caller.start();
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();

    caller.interrupt();
    caller.join(10_000);

    assertThat(got.get()).isInstanceOf(CancellationException.class);
    assertThat(flag.get()).isTrue();
    assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(hedge.metrics().cancelled()).isEqualTo(1);
  }

  @Test
  void a_checked_exception_keeps_its_type() {
    assertThatThrownBy(
            () ->
                hedge(s -> s.executor(pool))
                    .call(
                        () -> {
                          throw new IOException("down");
                        }))
        .isExactlyInstanceOf(IOException.class);
  }

  @Test
  void an_executor_that_rejects_refuses_the_call() {
    Hedge hedge =
        hedge(
            s ->
                s.executor(
                    task -> {
                      throw new RejectedExecutionException("full");
                    }));

    assertThatThrownBy(() -> hedge.call(() -> "stock")).isInstanceOf(CallNotStartedException.class);
    assertThat(hedge.callAsync(() -> CompletableFuture.completedFuture("stock")).join())
        .isEqualTo("stock");
  }

  @Test
  void a_scheduler_that_throws_costs_the_hedge_and_not_the_call() {
    Hedge hedge =
        hedge(
            s ->
                s.scheduler(
                    (task, delay) -> {
                      throw new IllegalStateException("dead");
                    }));
    CompletableFuture<String> later = hedge.callAsync(this::attempt);

    attempts.get(0).complete("stock");

    assertThat(later.join()).isEqualTo("stock");
  }

  @Test
  void a_supplier_that_throws_or_gives_no_stage_is_an_attempt_that_failed() {
    Hedge hedge = hedge(s -> {});

    assertThatThrownBy(
            () ->
                hedge
                    .callAsync(
                        () -> {
                          throw new IllegalStateException("broken");
                        })
                    .join())
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> hedge.callAsync(() -> null).join())
        .hasCauseInstanceOf(NullPointerException.class);
  }

  @Test
  void no_attempt_is_begun_after_the_deadline() {
    Hedge hedge = hedge(s -> {});
    CompletableFuture<String> later =
        Deadline.after(DELAY, time).callAsync(() -> hedge.callAsync(this::attempt));

    assertThat(time.pendingTimers()).isZero();
    attempts.get(0).complete("stock");

    assertThat(later.join()).isEqualTo("stock");
  }

  @Test
  void the_answer_says_where_the_winner_came_from() {
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p -> p.hedge(hedge(s -> {})).fallback(f -> f.onFailure(failure -> "instead")));
    CompletableFuture<Answer<String>> later = pipeline.answerAsync(this::attempt);
    time.advance(DELAY);

    attempts.get(0).completeExceptionally(new IOException("down"));

    assertThat(later.join().source()).isEqualTo(Answer.Source.FALLBACK);
  }

  @Test
  void it_is_reconfigured_while_it_runs() {
    Hedge hedge = hedge(s -> {});
    HedgeConfig before = hedge.config();
    RecordingListener heard = RecordingListener.on(hedge);

    hedge.reconfigure(s -> s.delay(Duration.ofMillis(10)));

    assertThat(hedge.config().delay()).isEqualTo(Duration.ofMillis(10));
    assertThat(heard.events())
        .containsExactly(new PolicyEvent.Reconfigured("inventory", before, hedge.config()));
    assertThatThrownBy(() -> hedge.reconfigure(s -> s.idempotent(false).maxAttempts(1)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("maxAttempts: 1 (expected: 2 to 10)")
        .hasMessageContaining("idempotent: false (expected: true");
  }

  @Test
  void it_must_be_declared_that_calls_may_be_made_twice() {
    assertThatThrownBy(() -> Hedge.create("inventory", s -> s.delayPercentile(100.0)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("idempotent: false")
        .hasMessageContaining("delayPercentile: 100.0 (expected: zero or more, below 100)");
  }
}

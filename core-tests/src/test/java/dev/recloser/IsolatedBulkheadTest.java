package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bulkheads whose calls run on threads of their own. */
class IsolatedBulkheadTest {
  private final FakeTime time = FakeTime.create();
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);

  @AfterEach
  void nothing_is_left() throws InterruptedException {
    go.countDown();
    assertThat(time.pendingTimers()).isZero();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    pool.shutdown();
    assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  private Bulkhead bulkhead(Consumer<BulkheadConfig.Builder> settings) {
    return Bulkhead.create(
        "inventory",
        s -> {
          s.maxConcurrentCalls(1).callExecutor(pool).scheduler(time);
          settings.accept(s);
        });
  }

  /** A call that waits for the test; an interrupt is noted, and ignored if need be. */
  private String work(boolean ignoresInterrupts) throws InterruptedException {
    begun.countDown();
    for (; ; ) {
      try {
        if (go.await(10, TimeUnit.SECONDS)) {
          return Thread.currentThread().getName();
        }
      } catch (InterruptedException e) {
        interrupted.countDown();
        if (!ignoresInterrupts) {
          throw e;
        }
      }
    }
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
  }

  private static void awaitFree(Bulkhead bulkhead) {
    while (bulkhead.metrics().running() > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void a_plain_call_runs_on_a_thread_of_the_executor() throws Exception {
    go.countDown();
    Bulkhead bulkhead = bulkhead(s -> {});

    assertThat(bulkhead.call(() -> work(false))).startsWith("pool-");
    assertThatThrownBy(
            () ->
                bulkhead.call(
                    () -> {
                      throw new IOException("down");
                    }))
        .isExactlyInstanceOf(IOException.class);

    assertThat(bulkhead.metrics().running()).isZero();
    assertThat(bulkhead.metrics().admitted()).isEqualTo(2);
  }

  @Test
  void the_answer_keeps_its_source() throws IOException {
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p -> p.bulkhead(bulkhead(s -> {})).fallback(f -> f.onFailure(t -> "instead")));

    Answer<String> answer =
        pipeline.answer(
            () -> {
              throw new IOException("down");
            });

    assertThat(answer.source()).isEqualTo(Answer.Source.FALLBACK);
  }

  @Test
  void cancelling_a_stage_interrupts_the_thread_that_starts_it() throws Exception {
    Bulkhead bulkhead = bulkhead(s -> {});
    CompletableFuture<String> later =
        bulkhead.callAsync(
            () -> {
              try {
                return CompletableFuture.completedFuture(work(false));
              } catch (InterruptedException e) {
                return CompletableFuture.failedFuture(e);
              }
            });
    await(begun);

    later.cancel(true);

    await(interrupted);
    awaitFree(bulkhead);
    assertThat(later).isCancelled();
  }

  @Test
  void a_call_that_ignores_interrupts_holds_its_slot_until_its_thread_has_left_it()
      throws Exception {
    Bulkhead bulkhead = bulkhead(s -> {});
    AtomicReference<Throwable> got = new AtomicReference<>();
    Thread caller =
        new Thread(() -> got.set(catchThrowable(() -> bulkhead.call(() -> work(true)))));
    caller.start();
    await(begun);

    caller.interrupt();
    caller.join(10_000);

    assertThat(got.get()).isInstanceOf(CancellationException.class);
    await(interrupted);
    assertThat(bulkhead.tryAcquire()).isNull();
    go.countDown();
    awaitFree(bulkhead);
  }

  @Test
  void a_timeout_around_it_answers_on_time_and_the_work_is_interrupted() throws Exception {
    Bulkhead bulkhead = bulkhead(s -> {});
    Timeout timeout =
        Timeout.create(
            "inventory",
            s -> s.timeoutDuration(Duration.ofMillis(200)).ticker(time).scheduler(time));
    CircuitBreaker breaker = CircuitBreaker.create("inventory", s -> s.ticker(time));
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders", p -> p.timeout(timeout).bulkhead(bulkhead).circuitBreaker(breaker));
    AtomicReference<Throwable> got = new AtomicReference<>();
    Thread caller =
        new Thread(() -> got.set(catchThrowable(() -> pipeline.call(() -> work(true)))));
    caller.start();
    await(begun);

    time.advance(Duration.ofMillis(200));
    caller.join(10_000);

    assertThat(got.get()).isInstanceOf(TimeoutExceededException.class);
    await(interrupted);
    go.countDown();
    awaitFree(bulkhead);
    assertThat(breaker.metrics().failed()).isEqualTo(1);
  }

  @Test
  void waiting_calls_get_their_turn_on_the_executor() throws Exception {
    Bulkhead bulkhead = bulkhead(s -> s.maxWaitDuration(Duration.ofMinutes(1)).maxQueuedCalls(2));
    List<String> threads = new CopyOnWriteArrayList<>();
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<String> running = bulkhead.callAsync(() -> first);
    CompletableFuture<String> second =
        bulkhead.callAsync(
            () -> {
              threads.add(Thread.currentThread().getName());
              return CompletableFuture.completedFuture("second");
            });
    CompletableFuture<String> given = bulkhead.callAsync(() -> new CompletableFuture<>());
    assertThatThrownBy(() -> bulkhead.callAsync(() -> first).join())
        .hasCauseInstanceOf(BulkheadFullException.class);
    given.cancel(true);

    first.complete("first");

    assertThat(running.get(10, TimeUnit.SECONDS)).isEqualTo("first");
    assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("second");
    assertThat(threads).allMatch(name -> name.startsWith("pool-")).hasSize(1);
    awaitFree(bulkhead);
    assertThat(bulkhead.metrics().cancelled()).isEqualTo(1);
  }

  @Test
  void an_executor_that_rejects_is_a_refusal_and_keeps_no_slot() {
    Bulkhead bulkhead =
        bulkhead(
            s ->
                s.callExecutor(
                    task -> {
                      throw new RejectedExecutionException("full");
                    }));

    assertThatThrownBy(() -> bulkhead.call(() -> "stock"))
        .isInstanceOf(CallNotStartedException.class);
    assertThatThrownBy(
            () -> bulkhead.callAsync(() -> CompletableFuture.completedFuture("stock")).join())
        .hasCauseInstanceOf(CallNotStartedException.class);

    assertThat(bulkhead.metrics().running()).isZero();
  }

  @Test
  void one_that_never_runs_it_leaves_the_slot_to_whoever_gives_up() {
    Bulkhead bulkhead = bulkhead(s -> s.callExecutor(task -> {}));
    CompletableFuture<String> later =
        bulkhead.callAsync(() -> CompletableFuture.completedFuture("stock"));
    assertThat(bulkhead.metrics().running()).isEqualTo(1);

    later.cancel(true);

    assertThat(bulkhead.metrics().running()).isZero();
  }

  @Test
  void a_supplier_that_throws_or_gives_no_stage_keeps_no_slot() {
    Bulkhead bulkhead = bulkhead(s -> {});

    assertThatThrownBy(
            () ->
                bulkhead
                    .callAsync(
                        () -> {
                          throw new IllegalStateException("broken");
                        })
                    .join())
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> bulkhead.callAsync(() -> null).join())
        .hasCauseInstanceOf(NullPointerException.class);

    assertThat(bulkhead.metrics().running()).isZero();
  }

  @Test
  void a_cancelled_stage_cancels_what_it_was_started_as() throws Exception {
    Bulkhead bulkhead = bulkhead(s -> {});
    CompletableFuture<String> source = new CompletableFuture<>();
    CompletableFuture<String> later =
        bulkhead.callAsync(
            () -> {
              begun.countDown();
              return source;
            });
    await(begun);

    later.cancel(true);
    awaitFree(bulkhead);

    assertThat(source).isCancelled();
  }
}

package dev.recloser.microprofile;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.Policies;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.faulttolerance.Asynchronous;
import org.eclipse.microprofile.faulttolerance.Bulkhead;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.faulttolerance.Timeout;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What the suite of the specification does not look at, with real threads and real time. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class AsynchronousMethodsTest {
  private static final long LIMIT = 20;

  @ApplicationScoped
  static class Inventory {
    private final AtomicInteger begun = new AtomicInteger();
    private final CountDownLatch leave = new CountDownLatch(1);

    @Asynchronous
    @CircuitBreaker(requestVolumeThreshold = 3, failureRatio = 1, delay = 50_000)
    @Bulkhead(value = 1, waitingTaskQueue = 1)
    Future<String> guarded(CountDownLatch end) throws InterruptedException {
      end.await();
      return CompletableFuture.completedFuture("stock");
    }

    @Asynchronous
    @Bulkhead(value = 1, waitingTaskQueue = 100_000)
    CompletionStage<String> queued(CompletionStage<String> stage) {
      begun.incrementAndGet();
      return stage;
    }

    @Asynchronous
    @CircuitBreaker(requestVolumeThreshold = 1, failureRatio = 1, delay = 1)
    CompletionStage<String> probed(CompletionStage<String> stage) {
      return stage;
    }

    @Asynchronous
    Future<String> interruptible(CountDownLatch running, CountDownLatch interrupted)
        throws InterruptedException {
      running.countDown();
      try {
        leave.await();
      } catch (InterruptedException e) {
        interrupted.countDown();
        throw e;
      }
      return CompletableFuture.completedFuture("stock");
    }

    @Asynchronous
    Future<String> lookAtInterrupts() {
      String seen = Thread.currentThread().isInterrupted() ? "interrupted" : "not interrupted";
      return CompletableFuture.completedFuture(seen);
    }

    @Asynchronous
    Future<Void> tellThread(CompletableFuture<Thread> thread) {
      thread.complete(Thread.currentThread());
      return CompletableFuture.completedFuture(null);
    }

    int begun() {
      return begun.get();
    }

    void letGo() {
      leave.countDown();
    }

    @Asynchronous
    @Retry(maxRetries = 3, delay = 0, jitter = 0)
    @Fallback(fallbackMethod = "noStock")
    Future<String> failing(CountDownLatch running, CountDownLatch fail) throws Exception {
      begun.incrementAndGet();
      running.countDown();
      fail.await();
      throw new IOException("down");
    }

    Future<String> noStock(CountDownLatch running, CountDownLatch fail) {
      begun.addAndGet(1_000);
      return CompletableFuture.completedFuture("none");
    }

    @Asynchronous
    @Timeout(1_000)
    @Retry(maxRetries = 1, delay = 0, jitter = 0)
    Future<String> deaf() throws InterruptedException {
      if (begun.incrementAndGet() == 1) {
        boolean heard = false;
        while (leave.getCount() > 0) {
          try {
            heard = leave.await(LIMIT, SECONDS);
          } catch (InterruptedException e) {
            // As code does that was not made for it.
          }
        }
        assertThat(heard).isTrue();
      }
      return CompletableFuture.completedFuture("stock");
    }

    @Asynchronous
    @Bulkhead(value = 1, waitingTaskQueue = 1)
    @Fallback(fallbackMethod = "threadOf")
    CompletionStage<String> threadOrRefused(CompletionStage<String> stage) {
      return stage;
    }

    CompletionStage<String> threadOf(CompletionStage<String> stage) {
      return CompletableFuture.completedFuture(Thread.currentThread().getName());
    }

    @Asynchronous
    @CircuitBreaker(requestVolumeThreshold = 1, failureRatio = 1, failOn = IOException.class)
    CompletionStage<String> supplied() {
      return CompletableFuture.supplyAsync(
          () -> {
            throw Operation.<RuntimeException>sneaky(new IOException("down"));
          });
    }
  }

  @Test
  void a_full_bulkhead_opens_the_breaker_around_it() throws Exception {
    try (Container container = Container.of(Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);
      CountDownLatch end = new CountDownLatch(1);
      Future<String> running = inventory.guarded(end);
      Future<String> waiting = inventory.guarded(end);

      for (int call = 0; call < 3; call++) {
        assertThat(failure(inventory.guarded(end))).isInstanceOf(BulkheadException.class);
      }
      assertThat(failure(inventory.guarded(end))).isInstanceOf(CircuitBreakerOpenException.class);
      end.countDown();

      assertThat(running.get(LIMIT, SECONDS)).isEqualTo("stock");
      assertThat(waiting.get(LIMIT, SECONDS)).isEqualTo("stock");
    }
  }

  @Test
  void a_queue_of_completed_stages_loses_none() throws Exception {
    int queued = 100_000;
    try (Container container = Container.of(Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);
      CompletableFuture<String> first = new CompletableFuture<>();
      List<CompletableFuture<String>> all = new ArrayList<>();
      all.add(inventory.queued(first).toCompletableFuture());
      for (int call = 0; call < queued; call++) {
        CompletionStage<String> done = CompletableFuture.completedFuture("stock");
        all.add(inventory.queued(done).toCompletableFuture());
      }
      assertThat(all).noneMatch(CompletableFuture::isDone);

      first.complete("stock");

      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(60, SECONDS);
      assertThat(all).allMatch(call -> call.join().equals("stock"));
    }
  }

  @Test
  void a_probe_that_never_completes_opens_the_breaker_again() throws Exception {
    String[] lease = {"CircuitBreaker/maxProbeDuration", "PT0.2S"};
    try (Container container = Container.configured(lease, Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);
      var breaker =
          container
              .get(Policies.class)
              .circuitBreakers()
              .find(Inventory.class.getName() + "/probed")
              .orElseThrow();
      CountDownLatch reopened = new CountDownLatch(1);
      breaker.on(
          StateTransition.class,
          event -> {
            if (event.from() == State.HALF_OPEN && event.to() == State.OPEN) {
              reopened.countDown();
            }
          });
      assertThat(failure(fail(inventory))).isInstanceOf(IOException.class);
      var probe = inventory.probed(new CompletableFuture<>()).toCompletableFuture();
      while (breaker.state() == State.OPEN) { // The wait of a millisecond was not over.
        assertThat(failure(probe)).isInstanceOf(CircuitBreakerOpenException.class);
        probe = inventory.probed(new CompletableFuture<>()).toCompletableFuture();
      }

      assertThat(reopened.await(LIMIT, SECONDS)).isTrue();
      assertThat(probe).isNotDone();
    }
  }

  @Test
  void cancelling_interrupts_the_thread_while_it_is_in_the_method_and_never_after()
      throws Exception {
    String[] oneThread = {"Asynchronous/threads", "1"};
    try (Container container = Container.configured(oneThread, Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);
      for (int round = 0; round < 200; round++) {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Future<String> cancelled = inventory.interruptible(running, interrupted);
        assertThat(running.await(LIMIT, SECONDS)).isTrue();

        assertThat(cancelled.cancel(true)).isTrue();
        // The same thread goes on with this one, and must not see the interrupt of the other.
        Future<String> next = inventory.lookAtInterrupts();

        assertThat(next.get(LIMIT, SECONDS)).isEqualTo("not interrupted");
        assertThat(interrupted.getCount()).isZero();
        assertThatThrownBy(cancelled::get).isInstanceOf(CancellationException.class);
      }
    }
  }

  @Test
  void a_call_that_is_given_up_without_an_interrupt_is_neither_made_again_nor_answered()
      throws Exception {
    try (Container container = Container.of(Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);
      CountDownLatch running = new CountDownLatch(1);
      CountDownLatch fail = new CountDownLatch(1);
      Future<String> call = inventory.failing(running, fail);
      assertThat(running.await(LIMIT, SECONDS)).isTrue();

      assertThat(call.cancel(false)).isTrue();
      fail.countDown();
      // Behind it in the same pool there is nothing to wait for; a second call shows that it is
      // over.
      assertThat(inventory.failing(running, fail).get(LIMIT, SECONDS)).isEqualTo("none");

      assertThat(call).isCancelled();
      assertThat(inventory.begun()).isEqualTo(1 + 4 + 1_000);
    }
  }

  @Test
  void an_attempt_that_does_not_heed_its_timeout_does_not_hold_up_the_next() throws Exception {
    try (Container container = Container.of(Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);

      Future<String> call = inventory.deaf();

      assertThat(call.get(LIMIT, SECONDS)).isEqualTo("stock");
      inventory.letGo();
    }
  }

  @Test
  void the_fallback_of_a_refused_call_does_not_run_on_the_callers_thread() throws Exception {
    try (Container container = Container.of(Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);
      CompletableFuture<String> never = new CompletableFuture<>();
      CompletionStage<String> running = inventory.threadOrRefused(never);
      CompletionStage<String> waiting = inventory.threadOrRefused(never);

      CompletionStage<String> refused = inventory.threadOrRefused(never);

      assertThat(refused.toCompletableFuture().get(LIMIT, SECONDS)).startsWith("recloser-call-");
      assertThat(running.toCompletableFuture()).isNotDone();
      assertThat(waiting.toCompletableFuture()).isNotDone();
    }
  }

  @Test
  void what_a_stage_fails_with_is_judged_without_the_wrapper_that_stages_put_around_it()
      throws Exception {
    try (Container container = Container.of(Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);

      assertThat(failure(inventory.supplied().toCompletableFuture()))
          .isInstanceOf(IOException.class);
      assertThat(failure(inventory.supplied().toCompletableFuture()))
          .isInstanceOf(CircuitBreakerOpenException.class);
    }
  }

  @Test
  void the_end_of_the_application_ends_its_calls_and_its_threads() throws Exception {
    String[] oneThread = {"Asynchronous/threads", "1"};
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    Future<String> call;
    Future<String> waiting;
    try (Container container = Container.configured(oneThread, Inventory.class)) {
      Inventory inventory = container.get(Inventory.class);
      assertThat(inventory.tellThread(thread).get(LIMIT, SECONDS)).isNull();
      call = inventory.interruptible(running, interrupted);
      assertThat(running.await(LIMIT, SECONDS)).isTrue();
      waiting = inventory.lookAtInterrupts();
    }

    assertThat(interrupted.await(LIMIT, SECONDS)).isTrue();
    assertThat(failure(call)).isInstanceOf(CancellationException.class);
    assertThat(failure(waiting)).isInstanceOf(CancellationException.class);
    thread.get(LIMIT, SECONDS).join(SECONDS.toMillis(LIMIT));
    assertThat(thread.join().isAlive()).isFalse();
  }

  private static Future<String> fail(Inventory inventory) {
    return inventory
        .probed(CompletableFuture.failedFuture(new IOException()))
        .toCompletableFuture();
  }

  private static Throwable failure(Future<?> future) {
    Throwable thrown = catchThrowable(() -> future.get(LIMIT, SECONDS));
    return thrown instanceof ExecutionException ? thrown.getCause() : thrown;
  }
}

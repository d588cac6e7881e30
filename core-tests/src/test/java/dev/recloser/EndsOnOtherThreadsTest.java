package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stages that are ended by a thread which is in a call of its own. */
class EndsOnOtherThreadsTest {
  private static final Duration LIMIT = Duration.ofMillis(200);

  private final FakeTime time = FakeTime.create();
  private final Timeout timeout =
      Timeout.create("other", s -> s.timeoutDuration(LIMIT).ticker(time).scheduler(time));
  private final CircuitBreaker breaker = CircuitBreaker.create("inventory", s -> s.ticker(time));

  /** A client whose method does not say that it returns a stage. */
  interface Client {
    Object ask();
  }

  @AfterEach
  void nothing_is_left() {
    assertThat(breaker.snapshot().callsInFlight()).isZero();
    assertThat(time.pendingTimers()).isZero();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(Scope.current()).isNull();
  }

  /** Ends a stage from within a call that is out of time, and ignores that. */
  private void endFromTimedOutCall(Runnable end) {
    assertThatThrownBy(
            () ->
                timeout.run(
                    () -> {
                      time.advance(LIMIT);
                      end.run();
                    }))
        .isInstanceOf(TimeoutExceededException.class);
  }

  @Test
  void their_end_is_not_the_timeout_of_the_thread_that_ends_them() {
    CompletableFuture<String> source = new CompletableFuture<>();
    CompletableFuture<String> later = breaker.callAsync(() -> source);

    endFromTimedOutCall(() -> source.complete("stock"));

    assertThat(later).isCompletedWithValue("stock");
    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
  }

  @Test
  void neither_is_that_of_a_stage_which_a_wrapped_method_hands_out_itself() {
    CompletableFuture<String> source = new CompletableFuture<>() {};
    Object later = breaker.<Client>wrap(Client.class, () -> source).ask();

    endFromTimedOutCall(() -> source.complete("stock"));

    assertThat(later).isSameAs(source);
    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
  }

  @Test
  void an_adaptive_limit_does_not_take_it_for_a_failure() {
    assertKeepsItsLimit(
        Bulkhead.create(
            "inventory",
            s -> s.ticker(time).scheduler(time).adaptiveLimit(l -> l.initialLimit(20))));
  }

  @Test
  void nor_does_one_whose_calls_have_threads_of_their_own() {
    assertKeepsItsLimit(
        Bulkhead.create(
            "inventory",
            s ->
                s.ticker(time)
                    .scheduler(time)
                    .callExecutor(Runnable::run)
                    .adaptiveLimit(l -> l.initialLimit(20))));
  }

  private void assertKeepsItsLimit(Bulkhead bulkhead) {
    for (int i = 0; i < 100; i++) {
      CompletableFuture<String> source = new CompletableFuture<>();
      CompletableFuture<String> later = bulkhead.callAsync(() -> source);

      endFromTimedOutCall(() -> source.complete("stock"));

      assertThat(later).isCompletedWithValue("stock");
    }
    assertThat(bulkhead.metrics().running()).isZero();
    assertThat(bulkhead.metrics().limit()).isEqualTo(20);
  }

  @Test
  void a_stage_that_its_own_timeout_ends_is_still_a_failure() {
    CompletableFuture<String> source = new CompletableFuture<>();
    Supplier<CompletableFuture<String>> call = () -> breaker.callAsync(() -> source);
    CompletableFuture<String> later = timeout.callAsync(call);

    time.advance(LIMIT);

    assertThat(later).isCompletedExceptionally();
    assertThat(source).isCancelled();
    assertThat(breaker.metrics().failed()).isEqualTo(1);
  }

  @Test
  void a_slot_is_free_when_the_call_that_was_given_up_has_been_cancelled() {
    Bulkhead bulkhead =
        Bulkhead.create(
            "inventory",
            s ->
                s.maxConcurrentCalls(1)
                    .maxWaitDuration(LIMIT)
                    .executor(Runnable::run)
                    .scheduler(time));
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<String> givenUp = bulkhead.callAsync(() -> first);
    AtomicReference<Boolean> firstWasOver = new AtomicReference<>();
    CompletableFuture<String> next =
        bulkhead.callAsync(
            () -> {
              firstWasOver.set(first.isDone());
              return CompletableFuture.completedFuture("stock");
            });

    givenUp.cancel(true);

    assertThat(next).isCompletedWithValue("stock");
    assertThat(firstWasOver).hasValue(true);
  }
}

package dev.recloser;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.test.FlakyCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Guarding a call that ends when its stage does. */
final class AsyncCallTest extends Scenario {
  private final CompletableFuture<String> source = new CompletableFuture<>();

  @Test
  void a_success_ends_the_call_when_the_stage_completes() {
    CircuitBreaker breaker = small(1);
    CompletableFuture<String> answer = breaker.callAsync(() -> source);
    assertThat(breaker).hasCallsInFlight(1);
    assertThat(answer).isNotDone();

    source.complete("7 left");

    assertThat(answer).isCompletedWithValue("7 left");
    assertThat(breaker).hasNoCallsInFlight().hasFailureRate(0);
  }

  @Test
  void a_failure_ends_the_call_as_one() {
    CircuitBreaker breaker = small(1);
    IOException own = new IOException("own");
    CompletableFuture<String> answer = breaker.callAsync(() -> source);

    source.completeExceptionally(own);

    assertThatThrownBy(answer::get).isInstanceOf(ExecutionException.class).hasCause(own);
    assertThat(breaker).hasFailureRate(100);
  }

  @Test
  @DisplayName("Oracle 25: however often the answer is read, the call is recorded once")
  void reading_records_nothing() throws Exception {
    CircuitBreaker breaker = small(1);
    CompletableFuture<String> answer = breaker.callAsync(() -> source);
    source.complete("7 left");

    for (int i = 0; i < 5; i++) {
      assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("7 left");
    }

    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
  }

  @Test
  @DisplayName("Oracle 25: a reader that gives up waiting does not end the call")
  void giving_up_waiting_ends_nothing() {
    CircuitBreaker breaker = small(1);
    CompletableFuture<String> answer = breaker.callAsync(() -> source);

    assertThatThrownBy(() -> answer.get(0, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);

    assertThat(breaker).hasCallsInFlight(1);
    source.complete("7 left");
    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
  }

  @Test
  void the_duration_is_that_of_the_stage() {
    CircuitBreaker breaker = small(1, s -> s.slowCallDurationThreshold(millis(100)));
    FlakyCall<String> stock = FlakyCall.returning("7 left", time).succeed(1, millis(101));

    CompletableFuture<String> answer = breaker.callAsync(stock::start);
    time.advance(millis(101));

    assertThat(answer).isCompletedWithValue("7 left");
    assertThat(breaker.metrics().slow()).isEqualTo(1);
  }

  @Test
  void a_failure_within_a_CompletionException_is_what_is_inside() {
    CircuitBreaker breaker = small(1, s -> s.ignoreExceptions(IOException.class));
    IOException own = new IOException("own");
    CompletableFuture<String> answer =
        breaker.callAsync(() -> source.thenApply(text -> text + "!"));

    source.completeExceptionally(own);

    assertThatThrownBy(answer::get).isInstanceOf(ExecutionException.class).hasCause(own);
    assertThatThrownBy(answer::join).isInstanceOf(CompletionException.class).hasCause(own);
    assertThat(breaker.metrics().ignored()).isEqualTo(1);
  }

  @Test
  void a_stage_that_is_complete_already_counts_at_once() {
    CircuitBreaker breaker = small(1);

    CompletableFuture<String> good =
        breaker.callAsync(() -> CompletableFuture.completedFuture("fine"));
    CompletableFuture<String> bad =
        breaker.callAsync(() -> CompletableFuture.failedFuture(new IOException()));
    CompletableFuture<String> none =
        breaker.callAsync(() -> CompletableFuture.completedFuture(null));

    assertThat(good).isCompletedWithValue("fine");
    assertThat(bad).isCompletedExceptionally();
    // Two calls, one of them failed: open.
    assertThat(none).isCompletedExceptionally();
    assertThat(breaker).isOpen().hasFailureRate(50).hasNoCallsInFlight();
  }

  @Test
  void a_stage_may_complete_with_null() {
    CircuitBreaker breaker = small(1);
    assertThat(breaker.<String>callAsync(() -> CompletableFuture.completedFuture(null)))
        .isCompletedWithValue(null);
    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
  }

  @Test
  void a_stage_that_can_only_be_listened_to_is_enough() {
    CircuitBreaker breaker = small(1);
    CompletionStage<String> minimal = source.minimalCompletionStage();
    CompletableFuture<String> answer = breaker.callAsync(() -> minimal);

    source.complete("fine");

    assertThat(answer).isCompletedWithValue("fine");
    assertThat(breaker).hasNoCallsInFlight();
  }

  @Test
  void a_supplier_that_throws_is_a_call_that_failed() {
    CircuitBreaker breaker = small(1);
    IllegalStateException own = new IllegalStateException("cannot start");

    CompletableFuture<String> answer =
        breaker.callAsync(
            () -> {
              throw own;
            });

    assertThatThrownBy(answer::get).isInstanceOf(ExecutionException.class).hasCause(own);
    assertThat(breaker).hasFailureRate(100).hasNoCallsInFlight();
  }

  @Test
  @DisplayName("B1: a supplier that throws an Error is a call that failed")
  void supplier_that_throws_an_error() {
    CircuitBreaker breaker = small(1);

    CompletableFuture<String> answer =
        breaker.callAsync(
            () -> {
              throw new StackOverflowError();
            });

    assertThat(answer).isCompletedExceptionally();
    assertThat(breaker).hasFailureRate(100).hasNoCallsInFlight();
  }

  @Test
  void a_supplier_that_returns_no_stage_is_a_call_that_failed() {
    CircuitBreaker breaker = small(1);

    CompletableFuture<String> answer = breaker.callAsync(() -> null);

    assertThatThrownBy(answer::join)
        .hasCauseInstanceOf(NullPointerException.class)
        .hasMessageContaining("the call returned null instead of a stage");
    assertThat(breaker).hasFailureRate(100).hasNoCallsInFlight();
  }

  @Test
  void a_refused_call_is_a_failed_future_and_is_not_started() {
    CircuitBreaker breaker = breakers.inState(State.FORCED_OPEN, "inventory");
    AtomicInteger started = new AtomicInteger();

    CompletableFuture<String> answer =
        breaker.callAsync(
            () -> {
              started.incrementAndGet();
              return source;
            });

    assertThatThrownBy(answer::get).hasCauseInstanceOf(CallNotPermittedException.class);
    assertThat(started).hasValue(0);
  }

  @Test
  void cancelling_the_answer_cancels_the_source_and_is_no_failure() {
    CircuitBreaker breaker = small(1);
    CompletableFuture<String> answer = breaker.callAsync(() -> source);

    answer.cancel(true);

    assertThat(source).isCancelled();
    assertThat(breaker.metrics().cancelled()).isEqualTo(1);
    assertThat(breaker).hasFailureRate(Double.NaN).hasNoCallsInFlight();
  }

  @Test
  void a_source_that_is_cancelled_is_no_failure() {
    CircuitBreaker breaker = small(1);
    CompletableFuture<String> answer = breaker.callAsync(() -> source);

    source.cancel(true);

    assertThatThrownBy(answer::join).isInstanceOf(CancellationException.class);
    assertThat(breaker.metrics().cancelled()).isEqualTo(1);
  }

  @Test
  void a_time_out_that_the_caller_puts_on_the_answer_is_a_failure_and_cancels_the_source()
      throws InterruptedException {
    CircuitBreaker breaker = small(1);
    CompletableFuture<String> answer = breaker.callAsync(() -> source);
    CountDownLatch callIsOver = new CountDownLatch(1);
    breaker.on(CircuitBreakerEvent.CallFinished.class, event -> callIsOver.countDown());

    CompletableFuture<String> limited = answer.orTimeout(1, TimeUnit.MILLISECONDS);

    // The timer's thread completes the answer, and then ends the source, and then the call.
    assertThat(callIsOver.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(source).isCancelled();
    assertThatThrownBy(limited::get).hasCauseInstanceOf(TimeoutException.class);
    assertThat(breaker).hasFailureRate(100).hasNoCallsInFlight();
  }

  @Test
  void a_value_that_the_caller_puts_in_place_ends_the_call_as_a_success() {
    CircuitBreaker breaker = small(1);
    CompletableFuture<String> answer = breaker.callAsync(() -> source);

    answer.complete("from elsewhere");
    source.complete("too late");

    assertThat(answer).isCompletedWithValue("from elsewhere");
    assertThat(breaker.metrics().succeeded()).isEqualTo(1);
    assertThat(breaker.metrics().failed()).isZero();
  }

  @Test
  void the_breaker_has_counted_the_result_before_anybody_sees_it() {
    CircuitBreaker breaker = small(1);
    List<Object> seen = new ArrayList<>();
    fail(breaker);
    CompletableFuture<String> answer = breaker.callAsync(() -> source);
    CompletableFuture<Void> first =
        answer.handle(
            (result, thrown) -> {
              seen.add(breaker.state());
              seen.add(breaker.snapshot().callsInFlight());
              return null;
            });
    CompletableFuture<Void> second =
        answer.handle(
            (result, thrown) -> {
              seen.add(breaker.metrics().failed());
              return null;
            });

    source.completeExceptionally(new IOException());

    assertThat(first).isDone();
    assertThat(second).isDone();
    assertThat(seen).containsExactlyInAnyOrder(State.OPEN, 0L, 2L);
  }

  @Test
  void the_next_step_of_a_chain_can_call_again_at_once() {
    CircuitBreaker breaker = small(1);
    openAndProbe(breaker).close();
    CompletableFuture<String> answer =
        breaker
            .callAsync(() -> source)
            .thenCompose(
                text ->
                    breaker.callAsync(() -> CompletableFuture.completedFuture(text + " twice")));

    source.complete("fine");

    assertThat(answer).isCompletedWithValue("fine twice");
    assertThat(breaker).isClosed();
  }

  @Test
  @DisplayName("B4: a classifier that throws does not keep the stage from completing")
  void throwing_classifier() {
    CircuitBreaker breaker =
        small(
            1,
            s ->
                s.classifier(
                    (result, thrown) -> {
                      throw new IllegalStateException("broken classifier");
                    }));
    CompletableFuture<String> answer = breaker.callAsync(() -> source);

    source.complete("fine");

    assertThat(answer).isCompletedWithValue("fine");
    assertThat(breaker).hasNoCallsInFlight();
  }

  @Test
  void a_stage_that_refuses_to_be_listened_to_is_a_call_that_failed() {
    CircuitBreaker breaker = small(1);

    CompletableFuture<String> answer = breaker.callAsync(Deaf::new);

    assertThat(answer).isCompletedExceptionally();
    assertThat(breaker).hasFailureRate(100).hasNoCallsInFlight();
  }

  /** A stage that throws where it should listen. */
  private static final class Deaf extends CompletableFuture<String> {
    @Override
    public CompletableFuture<String> whenComplete(
        BiConsumer<? super String, ? super Throwable> action) {
      throw new UnsupportedOperationException("deaf");
    }
  }
}

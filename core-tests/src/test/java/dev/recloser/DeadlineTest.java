package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.test.FakeTime;
import dev.recloser.test.RecordingListener;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One deadline for everything on the way, in what is left of it. */
class DeadlineTest {
  private final FakeTime time = FakeTime.create();

  @AfterEach
  void nothing_is_left() {
    assertThat(Deadline.remainingOfCall()).isEmpty();
    assertThat(time.pendingTimers()).isZero();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  private Deadline deadline(long millis) {
    return Deadline.after(Duration.ofMillis(millis), time);
  }

  private Retry retry(int attempts, long waitMillis) {
    return Retry.create(
        "inventory",
        s ->
            s.maxAttempts(attempts)
                .waitDuration(Duration.ofMillis(waitMillis))
                .exponentialBackoffMultiplier(1)
                .jitter(Jitter.NONE)
                .ticker(time)
                .scheduler(time));
  }

  private Timeout timeout(long millis) {
    return Timeout.create(
        "inventory",
        s -> s.timeoutDuration(Duration.ofMillis(millis)).ticker(time).scheduler(time));
  }

  private String down() throws IOException {
    throw new IOException("down");
  }

  @Test
  void a_call_knows_how_long_it_has_left() {
    List<Optional<Duration>> seen = new ArrayList<>();

    String result =
        deadline(800)
            .call(
                () -> {
                  seen.add(Deadline.remainingOfCall());
                  time.advance(Duration.ofMillis(300));
                  seen.add(Deadline.remainingOfCall());
                  time.advance(Duration.ofMillis(900));
                  seen.add(Deadline.remainingOfCall());
                  return "stock";
                });

    assertThat(result).isEqualTo("stock");
    assertThat(seen)
        .containsExactly(
            Optional.of(Duration.ofMillis(800)),
            Optional.of(Duration.ofMillis(500)),
            Optional.of(Duration.ZERO));
  }

  @Test
  void of_several_the_earliest_holds_and_the_outer_one_is_back_afterwards() {
    deadline(800)
        .call(
            () -> {
              deadline(900).call(() -> assertLeft(800));
              deadline(200).call(() -> assertLeft(200));
              timeout(50).call(() -> assertLeft(50));
              return assertLeft(800);
            });
  }

  private Object assertLeft(long millis) {
    assertThat(Deadline.remainingOfCall()).contains(Duration.ofMillis(millis));
    return "";
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 100_000_000, Long.MIN_VALUE, -50_000_000})
  void a_deadline_is_right_wherever_readings_start(long origin) {
    FakeTime elsewhere = FakeTime.startingAt(origin);
    Deadline deadline = Deadline.after(Duration.ofMillis(150), elsewhere);

    elsewhere.advance(Duration.ofMillis(149));
    assertThat(deadline.remaining()).isEqualTo(Duration.ofMillis(1));
    elsewhere.advance(Duration.ofMillis(2));
    assertThat(deadline.remaining()).isZero();
    assertThat(deadline).hasToString("in 0 s");
  }

  @Test
  void a_deadline_may_have_passed_but_not_lie_beyond_what_can_be_measured() {
    assertThat(Deadline.after(Duration.ofSeconds(Long.MIN_VALUE), time).remaining()).isZero();
    assertThatThrownBy(() -> Deadline.after(Duration.ofDays(36_501), time))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("time: 36501 d (expected: at most 36,500 days)");
  }

  @Test
  void a_retry_begins_no_wait_that_would_end_after_it() {
    Retry retry = retry(10, 300);
    RecordingListener heard = RecordingListener.on(retry);

    Throwable thrown = catchThrowable(() -> deadline(800).call(() -> retry.call(this::down)));

    assertThat(thrown).isInstanceOf(IOException.class);
    assertThat(time.elapsed()).isEqualTo(Duration.ofMillis(600));
    assertThat(RetryTrail.of(thrown))
        .hasValueSatisfying(
            trail -> {
              assertThat(trail.attempts()).isEqualTo(3);
              assertThat(trail.reason()).isEqualTo(RetryEnd.DEADLINE);
              assertThat(trail.waited()).isEqualTo(Duration.ofMillis(600));
            });
    assertThat(heard.of(RetryEvent.GaveUp.class))
        .containsExactly(new RetryEvent.GaveUp("inventory", 3, RetryEnd.DEADLINE, thrown));
  }

  @Test
  void neither_does_that_of_a_stage_whose_attempts_come_from_a_timer() {
    Retry retry = retry(10, 300);

    CompletableFuture<String> later =
        deadline(800)
            .callAsync(
                () ->
                    retry.callAsync(() -> CompletableFuture.failedFuture(new IOException("down"))));
    time.advance(Duration.ofSeconds(10));

    assertThatThrownBy(later::join).hasCauseInstanceOf(IOException.class);
    assertThat(retry.metrics().retries()).isEqualTo(2);
  }

  @Test
  void each_attempt_has_what_is_left_and_not_a_fresh_time() {
    Pipeline<String> pipeline =
        Pipeline.create("orders", p -> p.retry(retry(10, 10)).timeout(timeout(200)));
    List<Duration> limits = new ArrayList<>();

    Throwable thrown =
        catchThrowable(
            () ->
                deadline(500)
                    .call(
                        () ->
                            pipeline.call(
                                () -> {
                                  limits.add(Deadline.remainingOfCall().orElseThrow());
                                  time.sleep(Duration.ofSeconds(10));
                                  return "stock";
                                })));

    assertThat(thrown).isInstanceOf(TimeoutExceededException.class);
    assertThat(limits)
        .containsExactly(Duration.ofMillis(200), Duration.ofMillis(200), Duration.ofMillis(80));
    assertThat(((TimeoutExceededException) thrown).limit()).isEqualTo(Duration.ofMillis(80));
    assertThat(time.elapsed()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void a_call_for_which_there_is_no_time_left_is_not_made() {
    Timeout timeout = timeout(200);
    RecordingListener heard = RecordingListener.on(timeout);
    List<String> made = new ArrayList<>();

    assertThatThrownBy(() -> deadline(0).call(() -> timeout.call(() -> made.add("call"))))
        .isInstanceOf(TimeoutExceededException.class)
        .hasMessage("inventory timed out: no answer within 0 s");
    assertThatThrownBy(
            () ->
                deadline(0)
                    .callAsync(
                        () ->
                            timeout.callAsync(
                                () -> CompletableFuture.completedFuture(made.add("stage"))))
                    .join())
        .hasCauseInstanceOf(TimeoutExceededException.class);

    assertThat(made).isEmpty();
    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(0, 0, 2));
    assertThat(heard.events()).hasSize(2);
  }

  @Test
  void nobody_waits_for_a_slot_or_a_permit_beyond_it() {
    Bulkhead bulkhead =
        Bulkhead.create(
            "inventory",
            s -> s.maxConcurrentCalls(1).maxWaitDuration(Duration.ofSeconds(5)).scheduler(time));
    RateLimiter limiter =
        RateLimiter.create(
            "inventory", s -> s.limitForPeriod(1).maxBurst(1).ticker(time).scheduler(time));
    limiter.acquire();
    try (BulkheadSlot slot = bulkhead.acquire()) {
      assertThat(slot).isNotNull();
      CompletableFuture<String> waiting =
          deadline(400)
              .callAsync(
                  () -> bulkhead.callAsync(() -> CompletableFuture.completedFuture("stock")));
      time.advance(Duration.ofMillis(399));
      assertThat(waiting).isNotDone();
      time.advance(Duration.ofMillis(1));
      assertThatThrownBy(waiting::join)
          .hasCauseInstanceOf(BulkheadFullException.class)
          .hasMessageContaining("refused the call after 400 ms");
      assertThatThrownBy(() -> deadline(0).call(() -> bulkhead.call(() -> "stock")))
          .isInstanceOf(BulkheadFullException.class);
    }
    assertThatThrownBy(() -> deadline(500).call(() -> limiter.call(() -> "stock")))
        .isInstanceOf(RequestNotPermittedException.class);
    assertThat(time.elapsed()).isEqualTo(Duration.ofMillis(400));
  }

  @Test
  void it_goes_with_the_call_to_the_thread_of_an_executor() throws Exception {
    Timeout timeout =
        Timeout.create(
            "inventory",
            s -> s.executor(task -> new Thread(task).start()).ticker(time).scheduler(time));

    Duration seen =
        deadline(300).call(() -> timeout.call(() -> Deadline.remainingOfCall().orElseThrow()));

    assertThat(seen).isEqualTo(Duration.ofMillis(300));
  }
}

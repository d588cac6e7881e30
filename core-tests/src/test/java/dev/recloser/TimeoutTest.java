package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits, and what breakers and callers see of them; see TimeoutThreadsTest for threads. */
final class TimeoutTest {
  private final FakeTime time = FakeTime.create();
  private final CapturedLog log = new CapturedLog();

  /** How the call is made. */
  private enum Run {
    PLAIN,
    EXECUTOR,
    STAGE,
    PROXY,
    PROXY_STAGE
  }

  @AfterEach
  void nothing_is_left() {
    log.close();
    assertThat(Thread.interrupted()).isFalse();
    assertThat(Scope.current()).isNull();
    assertThat(time.pendingTimers()).isZero();
  }

  private Timeout timeout(Run way, Consumer<TimeoutConfig.Builder> settings) {
    return Timeout.create(
        "inventory",
        TimeoutConfig.of(
                s ->
                    s.ticker(time)
                        .scheduler(time)
                        .timeoutDuration(millis(100))
                        .executor(way == Run.EXECUTOR ? Runnable::run : null))
            .with(settings));
  }

  private Timeout timeout(Run way) {
    return timeout(way, s -> {});
  }

  @Test
  void it_is_told_how_long_a_call_took() {
    Timeout timeout = timeout(Run.STAGE);
    List<TimeoutEvent> told = new ArrayList<>();
    timeout.on(TimeoutEvent.class, told::add);
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> inTime = timeout.callAsync(() -> stage);
    time.advance(millis(40));
    stage.complete("stock");

    CompletableFuture<String> late = timeout.callAsync(CompletableFuture::new);
    time.advance(millis(100));

    assertThat(inTime).isCompletedWithValue("stock");
    assertThat(late).isCompletedExceptionally();
    assertThat(told)
        .containsExactly(
            new TimeoutEvent.CallFinished("inventory", millis(40), null),
            new TimeoutEvent.TimedOut("inventory", millis(100), millis(100)));
  }

  private CircuitBreaker breaker(String name) {
    return CircuitBreaker.create(name, s -> s.ticker(time));
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  private static boolean isStage(Run way) {
    return way == Run.STAGE || way == Run.PROXY_STAGE;
  }

  /** What is called, through the pipeline. */
  private static Way.Client guarded(
      Run way,
      Pipeline<Object> pipeline,
      CheckedSupplier<Object, Throwable> plain,
      Supplier<CompletableFuture<Object>> stage) {
    Way.Client target =
        new Way.Client() {
          @Override
          public Object get() throws Throwable {
            return plain.get();
          }

          @Override
          public CompletableFuture<Object> getAsync() {
            return stage.get();
          }
        };
    boolean isProxy = way == Run.PROXY || way == Run.PROXY_STAGE;
    return (isProxy ? Way.PROXY : Way.PLAIN).through(pipeline, target);
  }

  /** Makes a call that takes a time and ends so: a Throwable is thrown. */
  private Object call(Run way, Pipeline<Object> pipeline, long millis, Object end)
      throws Throwable {
    CompletableFuture<Object> source = new CompletableFuture<>();
    Way.Client client = guarded(way, pipeline, () -> after(millis, end), () -> source);
    if (!isStage(way)) {
      return client.get();
    }
    CompletableFuture<Object> later = client.getAsync();
    time.advance(millis(millis));
    if (end instanceof Throwable thrown) {
      source.completeExceptionally(thrown);
    } else {
      source.complete(end);
    }
    try {
      return later.join();
    } catch (RuntimeException e) {
      throw ExceptionRules.unwrap(e);
    }
  }

  private Object call(Run way, Policy policy, long millis, Object end) throws Throwable {
    return call(way, pipeline(policy), millis, end);
  }

  private static Pipeline<Object> pipeline(Policy... policies) {
    return Pipeline.create(
        "orders",
        calls -> {
          for (Policy policy : policies) {
            if (policy instanceof Timeout timeout) {
              calls.timeout(timeout);
            } else if (policy instanceof Retry retry) {
              calls.retry(retry);
            } else {
              calls.circuitBreaker((CircuitBreaker) policy);
            }
          }
        });
  }

  /** Gives way to an interrupt that came meanwhile, as blocking calls do. */
  private Object after(long millis, Object end) throws Throwable {
    time.advance(millis(millis));
    if (Thread.interrupted()) {
      throw new InterruptedException("gave way");
    }
    if (end instanceof Throwable thrown) {
      throw thrown;
    }
    return end;
  }

  @ParameterizedTest
  @EnumSource
  void a_call_that_ends_in_time_is_left_alone(Run way) throws Throwable {
    Timeout timeout = timeout(way);
    IOException down = new IOException("down");

    assertThat(call(way, timeout, 99, "stock")).isEqualTo("stock");
    assertThat(catchThrowable(() -> call(way, timeout, 99, down))).isSameAs(down);

    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(1, 1, 0));
  }

  @ParameterizedTest
  @EnumSource
  void a_call_that_takes_as_long_as_the_limit_is_timed_out(Run way) {
    Timeout timeout = timeout(way);

    assertThatThrownBy(() -> call(way, timeout, 100, "stock"))
        .isInstanceOfSatisfying(
            TimeoutExceededException.class,
            exceeded -> {
              assertThat(exceeded.policy()).isEqualTo("inventory");
              assertThat(exceeded.limit()).isEqualTo(millis(100));
              assertThat(exceeded.getStackTrace()).isEmpty();
            })
        .hasMessage("inventory timed out: no answer within 100 ms");

    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(0, 0, 1));
  }

  @ParameterizedTest
  @EnumSource
  void null_is_a_result(Run way) throws Throwable {
    if (isStage(way)) {
      assertThat(
              timeout(way).callAsync(() -> CompletableFuture.<Object>completedFuture(null)).join())
          .isNull();
    } else {
      assertThat(timeout(way).<Object, RuntimeException>call(() -> null)).isNull();
    }
  }

  @Test
  void the_exception_shows_where_the_call_was() {
    assertThatThrownBy(() -> call(Run.PLAIN, timeout(Run.PLAIN), 100, "stock"))
        .hasCause(new InterruptedException("gave way"));
    assertThatThrownBy(
            () ->
                call(
                    Run.STAGE,
                    timeout(Run.STAGE, s -> s.writableStackTraceEnabled(true)),
                    100,
                    "stock"))
        .satisfies(thrown -> assertThat(thrown.getStackTrace()).isNotEmpty())
        .hasNoCause();
  }

  @ParameterizedTest
  @EnumSource
  void breakers_around_and_inside_count_a_failure(Run way) {
    CircuitBreaker around = breaker("around");
    CircuitBreaker inside = breaker("inside");

    assertThatThrownBy(
            () -> call(way, pipeline(around, timeout(way), inside), 100, new IOException()))
        .isInstanceOf(TimeoutExceededException.class);

    for (CircuitBreaker breaker : List.of(around, inside)) {
      assertThat(breaker.metrics().failed()).as(breaker.name()).isEqualTo(1);
      assertThat(breaker.metrics().cancelled()).as(breaker.name()).isZero();
    }
    assertThat(inside.snapshot().callsInFlight()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void breakers_that_list_their_failures_count_it_too(Run way) {
    Consumer<CircuitBreakerConfig.Builder> listed =
        s -> s.recordExceptions(IOException.class).ticker(time);
    CircuitBreaker around = CircuitBreaker.create("around", listed);
    CircuitBreaker inside = CircuitBreaker.create("inside", listed);
    CircuitBreaker ignoring =
        CircuitBreaker.create(
            "ignoring",
            s ->
                s.recordException(thrown -> true)
                    .ignoreExceptions(TimeoutExceededException.class)
                    .ticker(time));

    assertThatThrownBy(
            () -> call(way, pipeline(ignoring, around, timeout(way), inside), 100, "stock"))
        .isInstanceOf(TimeoutExceededException.class);

    assertThat(around.metrics().failed()).isEqualTo(1);
    assertThat(inside.metrics().failed()).isEqualTo(1);
    assertThat(ignoring.metrics().ignored()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void a_cancellation_in_time_stays_one(Run way) {
    CircuitBreaker inside = breaker("inside");

    assertThatThrownBy(
            () -> call(way, pipeline(timeout(way), inside), 99, new CancellationException()))
        .isInstanceOf(CancellationException.class);

    assertThat(inside.metrics().cancelled()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"PLAIN", "EXECUTOR"})
  void a_permit_left_without_a_word_is_timed_out_with_its_call(Run way) {
    CircuitBreaker inside = breaker("inside");
    Timeout timeout = timeout(way);
    for (long millis : new long[] {100, 1}) {
      var unused =
          catchThrowable(
              () ->
                  timeout.call(
                      () -> {
                        try (Permit permit = inside.acquire()) {
                          return after(millis, new IOException(permit.toString()));
                        }
                      }));
    }

    assertThat(inside.metrics().failed()).isEqualTo(1);
    assertThat(inside.metrics().cancelled()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void of_two_timeouts_the_shorter_one_ends_the_call(Run way) {
    for (boolean outerIsShorter : new boolean[] {true, false}) {
      Timeout shorter = timeout(way, s -> s.timeoutDuration(millis(50)));
      Timeout longer = timeout(way);
      CircuitBreaker between = breaker("between");
      CircuitBreaker inside = breaker("inside");
      Pipeline<Object> pipeline =
          outerIsShorter
              ? pipeline(shorter, between, longer, inside)
              : pipeline(longer, between, shorter, inside);

      assertThatThrownBy(() -> call(way, pipeline, 60, "stock"))
          .isInstanceOfSatisfying(
              TimeoutExceededException.class,
              exceeded -> assertThat(exceeded.limit()).isEqualTo(millis(50)));

      assertThat(between.metrics().failed()).isEqualTo(1);
      assertThat(inside.metrics().failed()).isEqualTo(1);
      // Inside the shorter one, the longer one has no more time than that.
      assertThat(longer.metrics())
          .isEqualTo(outerIsShorter ? new TimeoutMetrics(0, 0, 1) : new TimeoutMetrics(0, 1, 0));
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void two_timeouts_may_end_a_call_at_once(Run way) {
    Timeout outer = timeout(way);
    Timeout inner = timeout(way);

    assertThatThrownBy(() -> call(way, pipeline(outer, inner), 100, "stock"))
        .isInstanceOf(TimeoutExceededException.class);

    assertThat(outer.metrics().timedOut()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void a_retry_around_it_gives_each_attempt_its_time(Run way) throws Throwable {
    Retry retry = Retry.create("again", s -> s.waitDuration(Duration.ZERO).scheduler(time));
    Pipeline<Object> pipeline = pipeline(retry, timeout(way));
    List<Integer> attempts = new ArrayList<>();

    if (isStage(way)) {
      CompletableFuture<Object> later =
          pipeline.callAsync(
              () -> {
                attempts.add(1);
                return attempts.size() < 3
                    ? new CompletableFuture<>()
                    : CompletableFuture.completedFuture("stock");
              });
      time.advance(millis(200));
      assertThat(later.join()).isEqualTo("stock");
    } else {
      assertThat(
              pipeline.call(
                  () -> {
                    attempts.add(1);
                    return after(attempts.size() < 3 ? 100 : 1, "stock");
                  }))
          .isEqualTo("stock");
    }

    assertThat(attempts).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 10})
  void a_retry_inside_it_does_not_go_on_after_it(long waitMillis) {
    Retry retry = Retry.create("again", s -> s.waitDuration(millis(waitMillis)).scheduler(time));
    List<Integer> attempts = new ArrayList<>();

    assertThatThrownBy(
            () ->
                pipeline(timeout(Run.PLAIN), retry)
                    .call(
                        () -> {
                          attempts.add(1);
                          Throwable hidden = catchThrowable(() -> after(100, "stock"));
                          throw new IOException("down", hidden);
                        }))
        .isInstanceOf(TimeoutExceededException.class);

    assertThat(attempts).hasSize(1);
  }

  @Test
  void a_timed_out_stage_is_cancelled_and_its_caller_told_after_that() {
    CompletableFuture<String> source = new CompletableFuture<>();
    List<Object> seen = new ArrayList<>();
    CompletableFuture<String> later = timeout(Run.STAGE).callAsync(() -> source);
    var unused =
        later.whenComplete(
            (result, thrown) -> {
              seen.add(source.isCancelled());
              seen.add(Scope.isEnded(Scope.current()));
            });

    time.advance(millis(99));
    assertThat(later).isNotDone();
    time.advance(millis(1));

    assertThat(later).isCompletedExceptionally();
    assertThat(seen).containsExactly(true, false);
  }

  @Test
  void a_source_that_cannot_be_cancelled_keeps_nobody_waiting() {
    CompletableFuture<String> source =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterruptIfRunning) {
            throw new IllegalStateException("broken");
          }
        };
    CompletableFuture<String> later = timeout(Run.STAGE).callAsync(() -> source);

    time.advance(millis(100));

    assertThat(later).isCompletedExceptionally();
  }

  @Test
  void cancelling_the_future_cancels_the_stage_and_the_timer() {
    CircuitBreaker inside = breaker("inside");
    Timeout timeout = timeout(Run.STAGE);
    CompletableFuture<Object> source = new CompletableFuture<>();
    CompletableFuture<Object> later = pipeline(timeout, inside).callAsync(() -> source);
    assertThat(time.pendingTimers()).isEqualTo(1);

    later.cancel(true);

    assertThat(source).isCancelled();
    assertThat(time.pendingTimers()).isZero();
    assertThat(inside.metrics().cancelled()).isEqualTo(1);
    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(0, 1, 0));
  }

  @Test
  void a_stage_that_is_done_needs_no_timer_but_must_have_been_in_time() {
    Timeout timeout = timeout(Run.STAGE, s -> s.scheduler(TimeoutTest::broken));

    assertThat(timeout.callAsync(() -> CompletableFuture.completedFuture("stock")))
        .isCompletedWithValue("stock");
    assertThat(timeout.callAsync(() -> started(CompletableFuture.completedFuture("stock"))))
        .isCompletedExceptionally();
    CompletableFuture<String> source = new CompletableFuture<>();
    assertThat(timeout.callAsync(() -> started(source))).isCompletedExceptionally();
    assertThat(source).isCancelled();
  }

  private CompletableFuture<String> started(CompletableFuture<String> stage) {
    time.advance(millis(100));
    return stage;
  }

  @ParameterizedTest
  @EnumSource
  void a_scheduler_that_throws_costs_no_more_than_punctuality(Run way) throws Throwable {
    Timeout timeout = timeout(way, s -> s.scheduler(TimeoutTest::broken));

    assertThat(call(way, timeout, 99, "stock")).isEqualTo("stock");
    assertThatThrownBy(() -> call(way, timeout, 500, "stock"))
        .isInstanceOf(TimeoutExceededException.class);
    assertThat(log.entries())
        .extracting(LogRecord::getMessage)
        .containsExactly("The scheduler of inventory threw (told once)");
  }

  @ParameterizedTest
  @EnumSource
  void a_timer_that_cannot_be_cancelled_harms_nobody(Run way) throws Throwable {
    List<Runnable> timers = new ArrayList<>();
    Timeout timeout =
        timeout(
            way,
            s ->
                s.scheduler(
                    (task, delay) -> {
                      timers.add(task);
                      return () -> {
                        throw new IllegalStateException("broken");
                      };
                    }));

    assertThat(call(way, timeout, 99, "stock")).isEqualTo("stock");
    timers.forEach(Runnable::run);

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(1, 0, 0));
  }

  private static Cancellable broken(Runnable task, Duration delay) {
    throw new IllegalStateException("broken");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 100})
  void an_interrupt_from_before_the_call_is_there_after_it(long millis) {
    Thread.currentThread().interrupt();

    var unused =
        catchThrowable(
            () ->
                timeout(Run.PLAIN)
                    .run(
                        () -> {
                          time.advance(millis(millis));
                        }));

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void a_rejection_by_the_executor_is_a_refusal() {
    Timeout timeout =
        timeout(
            Run.EXECUTOR,
            s ->
                s.executor(
                    task -> {
                      throw new RejectedExecutionException("full");
                    }));

    assertThatThrownBy(() -> timeout.call(() -> "stock"))
        .isInstanceOf(CallNotStartedException.class)
        .hasMessage(
            "inventory could not start the call: its executor rejected it"
                + " (java.util.concurrent.RejectedExecutionException: full)")
        .hasCauseInstanceOf(RejectedExecutionException.class);

    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(0, 1, 0));
  }

  @Test
  void an_answer_from_an_executor_keeps_its_source() {
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p -> p.timeout(timeout(Run.EXECUTOR)).fallback(f -> f.onFailure(thrown -> "unknown")));

    Answer<String> answer =
        pipeline.answer(
            () -> {
              throw new IllegalStateException("down");
            });

    assertThat(answer.source()).isEqualTo(Answer.Source.FALLBACK);
  }

  @Test
  void an_executor_that_throws_after_all_changes_nothing_about_the_result() {
    Timeout timeout =
        timeout(
            Run.EXECUTOR,
            s ->
                s.executor(
                    task -> {
                      task.run();
                      throw new IllegalStateException("broken");
                    }));

    assertThat(timeout.<String, RuntimeException>call(() -> "stock")).isEqualTo("stock");
  }

  @Test
  void it_stands_in_a_pipeline_with_its_settings() {
    assertThat(
            Pipeline.<String>create(
                    "orders",
                    p ->
                        p.timeout(Duration.ofSeconds(2))
                            .timeout(s -> s.executor(Runnable::run))
                            .timeout(Timeout.create("inventory", millis(200))))
                .describe())
        .isEqualTo(
            """
            orders:
              timeout orders timeoutDuration 2 s
              timeout orders timeoutDuration 1 s, executor set
              timeout inventory timeoutDuration 200 ms
              the call""");
  }

  @Test
  void a_limit_must_be_more_than_nothing() {
    assertThatThrownBy(() -> Timeout.create("inventory", Duration.ZERO))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            """
            A timeout cannot be configured like this:
              - timeoutDuration: 0 s (expected: more than zero, at most 36,500 days)""");
    assertThatThrownBy(() -> Timeout.create(" ", millis(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

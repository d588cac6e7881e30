package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits, queue and time of a bulkhead, on one thread; {@link BulkheadThreadsTest} has more. */
final class BulkheadTest {
  private static final Duration WAIT = Duration.ofMillis(500);

  private final FakeTime time = FakeTime.create();
  private final List<String> started = new ArrayList<>();

  /** How the call is made. */
  /** Looked at after every test: all have ended, so nothing may be left of them. */
  private @Nullable Bulkhead bulkhead;

  @AfterEach
  void nothingIsLeft() {
    if (bulkhead != null) {
      assertThat(bulkhead.metrics().running()).as("running").isZero();
      assertThat(bulkhead.metrics().waiting()).as("waiting").isZero();
    }
    assertThat(time.pendingTimers()).as("timers").isZero();
  }

  private Bulkhead bulkhead(Consumer<BulkheadConfig.Builder> settings) {
    bulkhead =
        Bulkhead.create(
            "inventory",
            BulkheadConfig.of(
                    s ->
                        s.scheduler(time)
                            .ticker(time)
                            .executor(Runnable::run)
                            .maxConcurrentCalls(1))
                .with(settings));
    return bulkhead;
  }

  private Bulkhead waiting() {
    return bulkhead(s -> s.maxWaitDuration(WAIT).maxQueuedCalls(10));
  }

  /** Makes a call whose name is noted when it starts, and which ends when its stage does. */
  private CompletableFuture<String> call(
      Bulkhead bulkhead, String name, CompletableFuture<String> stage) {
    return bulkhead.callAsync(
        () -> {
          started.add(name);
          return stage;
        });
  }

  private CompletableFuture<String> callEnded(Bulkhead bulkhead, String name) {
    return call(bulkhead, name, CompletableFuture.completedFuture(name));
  }

  private String call(Way way, Bulkhead bulkhead, CheckedSupplier<String, Throwable> call)
      throws Throwable {
    return (String) way.call(bulkhead, Way.client(call::get), time);
  }

  private static BulkheadSlot taken(Bulkhead bulkhead) {
    return Objects.requireNonNull(bulkhead.tryAcquire());
  }

  private static @Nullable Throwable failureOf(CompletableFuture<?> future) {
    assertThat(future).isDone();
    Throwable thrown = catchThrowable(future::join);
    return thrown instanceof CompletionException ? thrown.getCause() : thrown;
  }

  @ParameterizedTest
  @EnumSource
  void a_call_beyond_the_limit_is_refused(Way way) throws Throwable {
    Bulkhead bulkhead = bulkhead(s -> s.maxConcurrentCalls(2));

    try (BulkheadSlot first = taken(bulkhead);
        BulkheadSlot second = bulkhead.acquire()) {
      assertThat(List.of(first, second)).doesNotHaveDuplicates();
      assertThatThrownBy(() -> call(way, bulkhead, () -> "stock"))
          .isInstanceOf(BulkheadFullException.class)
          .hasMessage("inventory refused the call, 2 of 2 are running")
          .satisfies(refused -> assertThat(refused.getStackTrace()).isEmpty());
      assertThat(bulkhead.tryAcquire()).isNull();
    }

    assertThat(call(way, bulkhead, () -> "stock")).isEqualTo("stock");
    assertThat(bulkhead.metrics()).isEqualTo(new BulkheadMetrics(3, 2, 0, 0, 0, 2, 2, null));
  }

  @ParameterizedTest
  @EnumSource
  void a_call_is_told_when_it_gets_its_slot_and_when_it_has_given_it_back(Way way)
      throws Throwable {
    Bulkhead bulkhead = bulkhead(s -> {});
    bulkhead.on(
        BulkheadEvent.class,
        event -> started.add(event + " running " + bulkhead.metrics().running()));

    String unused = call(way, bulkhead, () -> "stock");

    assertThat(started)
        .containsExactly(
            "CallAdmitted[policy=inventory, waited=PT0S] running 1",
            "CallFinished[policy=inventory, duration=PT0S] running 0");
  }

  @Test
  void slots_by_hand_and_refusals_are_told() {
    Bulkhead bulkhead = bulkhead(s -> s.maxWaitDuration(WAIT).maxQueuedCalls(1));
    List<BulkheadEvent> told = new ArrayList<>();
    bulkhead.on(BulkheadEvent.class, told::add);

    BulkheadSlot slot = bulkhead.acquire();
    assertThat(bulkhead.tryAcquire()).isNull();
    CompletableFuture<String> late = callEnded(bulkhead, "late");
    assertThat(callEnded(bulkhead, "one too many")).isCompletedExceptionally();
    time.advance(WAIT);
    CompletableFuture<String> givenUp = callEnded(bulkhead, "given up");
    givenUp.cancel(true);
    slot.close();
    slot.close();

    assertThat(late).isCompletedExceptionally();
    assertThat(told)
        .containsExactly(
            new BulkheadEvent.CallAdmitted("inventory", Duration.ZERO),
            new BulkheadEvent.CallRefused("inventory", Duration.ZERO),
            new BulkheadEvent.CallRefused("inventory", Duration.ZERO),
            new BulkheadEvent.CallRefused("inventory", WAIT),
            new BulkheadEvent.CallFinished("inventory", WAIT));
  }

  @Test
  void it_is_told_how_long_a_call_waited_and_how_long_it_had_its_slot() {
    Bulkhead bulkhead = bulkhead(s -> s.maxWaitDuration(WAIT).maxQueuedCalls(1));
    List<BulkheadEvent> told = new ArrayList<>();
    bulkhead.on(BulkheadEvent.class, told::add);
    CompletableFuture<String> stage = new CompletableFuture<>();
    Duration half = WAIT.dividedBy(2);

    BulkheadSlot slot = bulkhead.acquire();
    CompletableFuture<String> late = call(bulkhead, "late", stage);
    time.advance(half);
    slot.close();
    time.advance(WAIT);
    stage.complete("stock");

    assertThat(late).isCompletedWithValue("stock");
    assertThat(told)
        .containsExactly(
            new BulkheadEvent.CallAdmitted("inventory", Duration.ZERO),
            new BulkheadEvent.CallAdmitted("inventory", half),
            new BulkheadEvent.CallFinished("inventory", half),
            new BulkheadEvent.CallFinished("inventory", WAIT));
  }

  @Test
  void a_ticker_that_throws_costs_a_listener_the_time_and_the_call_nothing() {
    IllegalStateException broken = new IllegalStateException("broken");
    Bulkhead bulkhead =
        bulkhead(
            s ->
                s.ticker(
                    () -> {
                      throw broken;
                    }));
    List<PolicyEvent> told = new ArrayList<>();
    bulkhead.on(PolicyEvent.class, told::add);

    assertThat(bulkhead.<String, RuntimeException>call(() -> "stock")).isEqualTo("stock");

    assertThat(told)
        .containsExactly(
            new BulkheadEvent.CallAdmitted("inventory", Duration.ZERO),
            new PolicyEvent.UserCodeFailed("inventory", "ticker", broken),
            new BulkheadEvent.CallFinished("inventory", null));
  }

  @ParameterizedTest
  @EnumSource
  void a_slot_comes_back_however_the_call_ends(Way way) throws Throwable {
    Bulkhead bulkhead = bulkhead(s -> {});
    List<Throwable> ends =
        List.of(new IOException("down"), new AssertionError(), new CancellationException());

    for (Throwable end : ends) {
      assertThat(
              catchThrowable(
                  () ->
                      call(
                          way,
                          bulkhead,
                          () -> {
                            throw end;
                          })))
          // Since Java 23 whoever waits for a cancelled future gets an exception around its own.
          .matches(thrown -> thrown == end || thrown.getCause() == end);
    }

    assertThat(call(way, bulkhead, () -> "stock")).isEqualTo("stock");
  }

  @Test
  void the_slot_is_free_before_the_caller_sees_the_end() {
    Bulkhead bulkhead = bulkhead(s -> {});
    CompletableFuture<String> stage = new CompletableFuture<>();
    List<Integer> running = new ArrayList<>();
    var unused =
        call(bulkhead, "a", stage).thenRun(() -> running.add(bulkhead.metrics().running()));

    stage.complete("stock");

    assertThat(running).containsExactly(0);
  }

  @Test
  void a_slot_that_is_closed_twice_comes_back_once() {
    Bulkhead bulkhead = bulkhead(s -> {});
    BulkheadSlot first = bulkhead.acquire();
    first.close();
    BulkheadSlot second = bulkhead.acquire();

    first.close();

    assertThat(bulkhead.tryAcquire()).isNull();
    second.close();
  }

  @Test
  void waiting_calls_start_in_order_as_slots_come_back() {
    Bulkhead bulkhead = waiting();
    BulkheadSlot slot = bulkhead.acquire();
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<String> first = call(bulkhead, "first", stage);
    CompletableFuture<String> second = callEnded(bulkhead, "second");
    assertThat(started).isEmpty();
    assertThat(bulkhead.metrics().waiting()).isEqualTo(2);

    slot.close();
    assertThat(started).containsExactly("first");
    stage.complete("stock");

    assertThat(started).containsExactly("first", "second");
    assertThat(first).isCompletedWithValue("stock");
    assertThat(second).isCompletedWithValue("second");
    assertThat(bulkhead.metrics()).isEqualTo(new BulkheadMetrics(3, 0, 0, 0, 0, 1, 1, null));
  }

  @Test
  void the_end_of_a_plain_call_starts_those_that_wait() throws Exception {
    Bulkhead bulkhead = waiting();
    List<CompletableFuture<String>> later = new ArrayList<>();

    assertThatThrownBy(
            () ->
                bulkhead.call(
                    () -> {
                      later.add(callEnded(bulkhead, "later"));
                      throw new IOException("down");
                    }))
        .isInstanceOf(IOException.class);

    assertThat(later.get(0)).isCompletedWithValue("later");
  }

  @Test
  void a_call_that_has_waited_in_vain_leaves_the_queue_and_takes_no_slot_with_it() {
    Bulkhead bulkhead = waiting();
    BulkheadSlot slot = bulkhead.acquire();
    CompletableFuture<String> first = callEnded(bulkhead, "first");
    time.advance(Duration.ofMillis(100));
    CompletableFuture<String> second = callEnded(bulkhead, "second");

    time.advance(WAIT.minusMillis(101));
    assertThat(first).isNotDone();
    time.advance(Duration.ofMillis(1));

    assertThat(failureOf(first))
        .isInstanceOf(BulkheadFullException.class)
        .hasMessage(
            "inventory refused the call after 500 ms, 1 of 1 are running and 1 of 10 waiting");
    slot.close();
    assertThat(second).isCompletedWithValue("second");
    assertThat(started).containsExactly("second");
    assertThat(bulkhead.metrics()).isEqualTo(new BulkheadMetrics(2, 1, 0, 0, 0, 1, 1, null));
  }

  @Test
  void a_waiting_call_that_is_cancelled_leaves_the_queue_and_is_not_made() {
    Bulkhead bulkhead = waiting();
    BulkheadSlot slot = bulkhead.acquire();
    CompletableFuture<String> first = callEnded(bulkhead, "first");
    CompletableFuture<String> second = callEnded(bulkhead, "second");

    first.cancel(true);
    assertThat(time.pendingTimers()).isEqualTo(1);
    assertThat(bulkhead.metrics().waiting()).isEqualTo(1);
    slot.close();

    assertThat(started).containsExactly("second");
    assertThat(second).isCompletedWithValue("second");
    assertThat(bulkhead.metrics()).isEqualTo(new BulkheadMetrics(2, 0, 1, 0, 0, 1, 1, null));
  }

  @Test
  void cancelling_a_call_cancels_its_stage_and_frees_the_slot_whether_it_waited_or_not() {
    Bulkhead bulkhead = waiting();
    CompletableFuture<String> firstStage = new CompletableFuture<>();
    CompletableFuture<String> secondStage = new CompletableFuture<>();
    CompletableFuture<String> first = call(bulkhead, "first", firstStage);
    CompletableFuture<String> second = call(bulkhead, "second", secondStage);

    first.cancel(true);
    assertThat(firstStage).isCancelled();
    assertThat(started).containsExactly("first", "second");
    second.cancel(true);

    assertThat(secondStage).isCancelled();
    assertThat(bulkhead.metrics()).isEqualTo(new BulkheadMetrics(2, 0, 0, 0, 0, 1, 1, null));
  }

  @Test
  void a_call_cancelled_while_it_is_started_is_cancelled() {
    Bulkhead bulkhead = waiting();
    BulkheadSlot slot = bulkhead.acquire();
    CompletableFuture<String> stage = new CompletableFuture<>();
    List<CompletableFuture<String>> self = new ArrayList<>();
    self.add(
        bulkhead.callAsync(
            () -> {
              self.get(0).cancel(true);
              return stage;
            }));

    slot.close();

    assertThat(stage).isCancelled();
  }

  @Test
  void a_full_queue_refuses_at_once() {
    Bulkhead bulkhead = bulkhead(s -> s.maxWaitDuration(WAIT).maxQueuedCalls(1));
    BulkheadSlot slot = bulkhead.acquire();
    CompletableFuture<String> first = callEnded(bulkhead, "first");

    assertThat(failureOf(callEnded(bulkhead, "second")))
        .isInstanceOfSatisfying(
            BulkheadFullException.class,
            refused -> {
              assertThat(refused.policy()).isEqualTo("inventory");
              assertThat(refused.maxConcurrentCalls()).isEqualTo(1);
              assertThat(refused.runningCalls()).isEqualTo(1);
              assertThat(refused.waitingCalls()).isEqualTo(1);
              assertThat(refused.maxQueuedCalls()).isEqualTo(1);
              assertThat(refused.waited()).isZero();
            })
        .hasMessage("inventory refused the call, 1 of 1 are running and 1 of 1 waiting");
    assertThatThrownBy(() -> bulkhead.call(() -> "third"))
        .isInstanceOf(BulkheadFullException.class);

    slot.close();
    assertThat(first).isCompletedWithValue("first");
  }

  @Test
  void as_many_may_wait_as_may_run_unless_set() {
    assertThat(BulkheadConfig.defaults().maxQueuedCalls()).isEqualTo(25);
    assertThat(BulkheadConfig.of(s -> s.maxConcurrentCalls(7)).maxQueuedCalls()).isEqualTo(7);
    assertThat(
            BulkheadConfig.of(s -> s.maxWaitDuration(WAIT).maxQueuedCalls(3))
                .with(s -> s.maxQueuedCalls(null))
                .maxQueuedCalls())
        .isEqualTo(25);
  }

  @Test
  void a_long_queue_of_calls_that_end_at_once_is_served_to_the_last() {
    int calls = 100_000;
    Bulkhead bulkhead = bulkhead(s -> s.maxWaitDuration(WAIT).maxQueuedCalls(calls));
    BulkheadSlot slot = bulkhead.acquire();
    List<CompletableFuture<String>> all = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      all.add(bulkhead.callAsync(() -> CompletableFuture.completedFuture("stock")));
    }

    slot.close();

    assertThat(all).allMatch(call -> call.isDone() && !call.isCompletedExceptionally());
    assertThat(bulkhead.metrics())
        .isEqualTo(new BulkheadMetrics(calls + 1, 0, 0, 0, 0, 1, 1, null));
  }

  @Test
  void a_plain_call_made_while_another_is_started_is_not_left_waiting() {
    Bulkhead bulkhead = waiting();
    BulkheadSlot slot = bulkhead.acquire();
    var unused =
        callEnded(bulkhead, "first").thenRun(() -> bulkhead.run(() -> started.add("plain")));
    CompletableFuture<String> second = callEnded(bulkhead, "second");

    slot.close();

    assertThat(started).containsExactly("first", "second", "plain");
    assertThat(second).isCompletedWithValue("second");
  }

  @Test
  void a_fair_bulkhead_keeps_a_free_slot_for_those_who_wait() {
    assertThat(newcomersSlot(waiting())).isNull();
    assertThat(started).containsExactly("first", "second");
  }

  @Test
  void an_unfair_bulkhead_gives_a_free_slot_to_a_newcomer() {
    Bulkhead unfair =
        bulkhead(s -> s.maxWaitDuration(WAIT).maxQueuedCalls(10).fairCallHandlingEnabled(false));

    BulkheadSlot slot = newcomersSlot(unfair);

    assertThat(started).containsExactly("first");
    Objects.requireNonNull(slot).close();
    assertThat(started).containsExactly("first", "second");
  }

  /** What one gets who comes when the first of two that waited has ended. */
  private @Nullable BulkheadSlot newcomersSlot(Bulkhead bulkhead) {
    List<@Nullable BulkheadSlot> newcomer = new ArrayList<>();
    BulkheadSlot slot = bulkhead.acquire();
    var first = callEnded(bulkhead, "first").thenRun(() -> newcomer.add(bulkhead.tryAcquire()));
    var second = callEnded(bulkhead, "second");
    slot.close();
    assertThat(first).isDone();
    assertThat(second).isNotCancelled();
    return newcomer.get(0);
  }

  @Test
  void a_slot_about_to_be_given_does_not_count_against_the_queue() {
    Bulkhead bulkhead = bulkhead(s -> s.maxWaitDuration(WAIT).maxQueuedCalls(2));
    BulkheadSlot slot = bulkhead.acquire();
    List<CompletableFuture<String>> third = new ArrayList<>();
    var unused =
        callEnded(bulkhead, "first").thenRun(() -> third.add(callEnded(bulkhead, "third")));
    CompletableFuture<String> second = callEnded(bulkhead, "second");

    slot.close();

    assertThat(second).isCompletedWithValue("second");
    assertThat(third.get(0)).isCompletedWithValue("third");
  }

  @Test
  void a_lower_limit_takes_effect_as_calls_end() {
    Bulkhead bulkhead = bulkhead(s -> s.maxConcurrentCalls(3));
    List<BulkheadSlot> slots = List.of(bulkhead.acquire(), bulkhead.acquire(), bulkhead.acquire());

    bulkhead.reconfigure(s -> s.maxConcurrentCalls(1));

    for (BulkheadSlot slot : slots) {
      assertThatThrownBy(bulkhead::acquire).isInstanceOf(BulkheadFullException.class);
      slot.close();
    }
    assertThat(bulkhead.metrics()).isEqualTo(new BulkheadMetrics(3, 3, 0, 0, 0, 3, 1, null));
    taken(bulkhead).close();
  }

  @Test
  void a_higher_limit_serves_those_who_wait() {
    Bulkhead bulkhead = waiting();
    List<CompletableFuture<String>> stages = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      stages.add(new CompletableFuture<>());
      var unused = call(bulkhead, "call " + i, stages.get(i));
    }
    assertThat(started).containsExactly("call 0");

    bulkhead.reconfigure(BulkheadConfig.of(s -> s.maxConcurrentCalls(3)));

    assertThat(started).containsExactly("call 0", "call 1", "call 2");
    assertThat(bulkhead.config().maxConcurrentCalls()).isEqualTo(3);
    stages.forEach(stage -> stage.complete("stock"));
    assertThat(started).hasSize(4);
  }

  @Test
  void wrong_settings_change_nothing() {
    Bulkhead bulkhead = bulkhead(s -> {});
    BulkheadConfig before = bulkhead.config();

    assertThatThrownBy(() -> bulkhead.reconfigure(s -> s.maxConcurrentCalls(0)))
        .isInstanceOf(InvalidConfigurationException.class);

    assertThat(bulkhead.config()).isSameAs(before);
    taken(bulkhead).close();
  }

  @ParameterizedTest
  @EnumSource
  void without_a_timer_a_call_is_refused_rather_than_left_waiting(Way way) throws Throwable {
    IllegalStateException dead = new IllegalStateException("shut down");
    Bulkhead bulkhead =
        bulkhead(
            s ->
                s.maxWaitDuration(WAIT)
                    .scheduler(
                        (task, delay) -> {
                          throw dead;
                        }));
    BulkheadSlot slot = bulkhead.acquire();

    assertThatThrownBy(() -> call(way, bulkhead, () -> "stock"))
        .isInstanceOf(BulkheadFullException.class)
        .hasSuppressedException(dead);

    slot.close();
    assertThat(call(way, bulkhead, () -> "stock")).isEqualTo("stock");
    assertThat(bulkhead.metrics()).isEqualTo(new BulkheadMetrics(2, 1, 0, 0, 0, 1, 1, null));
  }

  @Test
  void a_timer_that_cannot_be_cancelled_finds_nobody() {
    Bulkhead bulkhead =
        bulkhead(
            s ->
                s.maxWaitDuration(WAIT)
                    .scheduler(
                        (task, delay) -> {
                          time.schedule(task, delay);
                          return () -> {
                            throw new IllegalStateException("broken");
                          };
                        }));
    BulkheadSlot slot = bulkhead.acquire();
    CompletableFuture<String> later = callEnded(bulkhead, "later");
    slot.close();

    time.advance(WAIT);

    assertThat(later).isCompletedWithValue("later");
    assertThat(bulkhead.metrics().refused()).isZero();
  }

  @Test
  void a_waiting_call_that_throws_instead_of_starting_keeps_no_slot() {
    Bulkhead bulkhead = waiting();
    BulkheadSlot slot = bulkhead.acquire();
    IllegalStateException broken = new IllegalStateException("broken");
    CompletableFuture<String> first =
        bulkhead.callAsync(
            () -> {
              throw broken;
            });
    CompletableFuture<String> second = callEnded(bulkhead, "second");

    slot.close();

    assertThat(failureOf(first)).isSameAs(broken);
    assertThat(second).isCompletedWithValue("second");
  }

  @Test
  void calls_by_the_same_supplier_are_different_calls() {
    Bulkhead bulkhead = waiting();
    List<CompletableFuture<String>> stages = new ArrayList<>();
    Supplier<CompletableFuture<String>> supplier =
        () -> {
          stages.add(new CompletableFuture<>());
          return stages.get(stages.size() - 1);
        };
    List<CompletableFuture<String>> calls = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      calls.add(bulkhead.callAsync(supplier));
    }

    for (int i = 0; i < 3; i++) {
      assertThat(stages).hasSize(i + 1);
      stages.get(i).complete("stock");
    }

    assertThat(calls).allMatch(CompletableFuture::isDone);
    assertThat(bulkhead.metrics().mostRunning()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void a_refusal_is_no_failure_for_a_breaker_around_it(Way way) {
    CircuitBreaker breaker = CircuitBreaker.create("inventory", s -> s.ticker(time));
    Bulkhead bulkhead = bulkhead(s -> {});
    Pipeline<String> pipeline =
        Pipeline.create("orders", p -> p.circuitBreaker(breaker).bulkhead(bulkhead));

    try (BulkheadSlot slot = bulkhead.acquire()) {
      assertThat(slot).isNotNull();
      Throwable thrown =
          way == Way.PLAIN
              ? catchThrowable(() -> pipeline.call(() -> "stock"))
              : failureOf(pipeline.callAsync(() -> CompletableFuture.completedFuture("stock")));
      assertThat(thrown).isInstanceOf(BulkheadFullException.class);
    }

    assertThat(breaker.metrics().failed()).isZero();
    assertThat(breaker.metrics().ignored()).isEqualTo(1);
  }

  @Test
  void a_pipeline_tells_of_it() {
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders", p -> p.bulkhead(s -> s.maxWaitDuration(WAIT)).bulkhead(bulkhead(s -> {})));

    assertThat(pipeline.describe())
        .isEqualTo(
            """
            orders:
              bulkhead orders maxConcurrentCalls 25, maxWaitDuration 500 ms, maxQueuedCalls 25,\
             fairCallHandlingEnabled true
              bulkhead inventory maxConcurrentCalls 1, executor set
              the call""");
  }

  @Test
  void a_refusal_has_a_stack_trace_if_asked() {
    Bulkhead bulkhead = bulkhead(s -> s.writableStackTraceEnabled(true));

    try (BulkheadSlot slot = bulkhead.acquire()) {
      assertThat(slot).isNotNull();
      assertThat(catchThrowable(bulkhead::acquire).getStackTrace()).isNotEmpty();
    }
  }

  @Test
  void all_faults_are_told_at_once() {
    assertThatThrownBy(
            () ->
                BulkheadConfig.of(
                    s ->
                        s.maxConcurrentCalls(0)
                            .maxWaitDuration(Duration.ofMillis(-1))
                            .maxQueuedCalls(-1)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            """
            A bulkhead cannot be configured like this:
              - maxConcurrentCalls: 0 (expected: 1 to 1,000,000)
              - maxWaitDuration: -1 ms (expected: zero or more, at most 36,500 days)
              - maxQueuedCalls: -1 (expected: 0 to 1,000,000)""");
    assertThatThrownBy(() -> BulkheadConfig.of(s -> s.maxQueuedCalls(5)))
        .hasMessageContaining(
            "maxQueuedCalls: 5 without maxWaitDuration (expected: a time for which calls may"
                + " wait)");
    assertThatThrownBy(() -> Bulkhead.create(" ", s -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

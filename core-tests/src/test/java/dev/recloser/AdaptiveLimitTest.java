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
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A limit that a bulkhead finds by itself, one decision at a time; {@link
 * AdaptiveLimitSimulationTest} has it at work. Scenarios named CL are those in which Netflix'
 * concurrency-limits is wrong, Helidon 9542 and failsafe-go 127 are issues of these.
 */
final class AdaptiveLimitTest {
  private static final Duration NORMAL = Duration.ofMillis(100);
  private final IOException down = new IOException("503");

  private FakeTime time = FakeTime.create();
  private final List<PolicyEvent> told = new ArrayList<>();
  private final List<Bulkhead> made = new ArrayList<>();

  @AfterEach
  void no_slot_is_lost() {
    assertThat(made).allSatisfy(bulkhead -> assertThat(bulkhead.metrics().running()).isZero());
    assertThat(time.pendingTimers()).isZero();
  }

  private Bulkhead bulkhead(Consumer<AdaptiveLimitConfig.Builder> settings) {
    return bulkheadOf(
        config ->
            config.ticker(time).adaptiveLimit(a -> a.initialLimit(20)).adaptiveLimit(settings));
  }

  private Bulkhead bulkheadOf(Consumer<BulkheadConfig.Builder> settings) {
    Bulkhead bulkhead = Bulkhead.create("inventory", settings);
    bulkhead.on(PolicyEvent.class, this::remember);
    made.add(bulkhead);
    return bulkhead;
  }

  private void remember(PolicyEvent event) {
    if (event instanceof BulkheadEvent.LimitChanged
        || event instanceof PolicyEvent.UserCodeFailed) {
      told.add(event);
    }
  }

  /** As many calls at once as get a slot, which all take that long. */
  private List<BulkheadSlot> full(Bulkhead bulkhead, Duration latency) {
    List<BulkheadSlot> slots = taken(bulkhead, Integer.MAX_VALUE);
    time.advance(latency);
    return slots;
  }

  private static List<BulkheadSlot> taken(Bulkhead bulkhead, int most) {
    List<BulkheadSlot> slots = new ArrayList<>();
    while (slots.size() < most) {
      BulkheadSlot slot = bulkhead.tryAcquire();
      if (slot == null) {
        return slots;
      }
      slots.add(slot);
    }
    return slots;
  }

  private void succeed(Bulkhead bulkhead, Duration latency) {
    full(bulkhead, latency).forEach(slot -> slot.complete("stock"));
  }

  private void succeed(Bulkhead bulkhead, Duration latency, int calls) {
    for (int left = calls; left > 0; ) {
      List<BulkheadSlot> slots = full(bulkhead, latency);
      slots.forEach(slot -> slot.complete("stock"));
      left -= slots.size();
    }
  }

  private void fail(Bulkhead bulkhead, Duration latency, Throwable thrown) {
    full(bulkhead, latency).forEach(slot -> slot.fail(thrown));
  }

  /** Calls one after the other, for which any limit is enough. */
  private void quietly(Bulkhead bulkhead, Duration latency, int calls) {
    for (int i = 0; i < calls; i++) {
      BulkheadSlot slot = bulkhead.acquire();
      time.advance(latency);
      slot.complete("stock");
    }
  }

  /** A bulkhead that has seen what is normal while little went on. */
  private Bulkhead learnt(Consumer<AdaptiveLimitConfig.Builder> settings) {
    Bulkhead bulkhead = bulkhead(settings);
    quietly(bulkhead, NORMAL, 20);
    assertThat(bulkhead.metrics().baselineLatency()).isEqualTo(NORMAL);
    assertThat(bulkhead.metrics().limit()).isEqualTo(20);
    return bulkhead;
  }

  private static int limit(Bulkhead bulkhead) {
    return bulkhead.metrics().limit();
  }

  private static void assertAdmits(Bulkhead bulkhead, int calls) {
    List<BulkheadSlot> slots = taken(bulkhead, Integer.MAX_VALUE);
    assertThat(slots).hasSize(calls);
    slots.forEach(BulkheadSlot::close);
  }

  @ParameterizedTest
  @EnumSource
  void it_grows_while_it_is_fully_used_and_calls_take_no_longer_than_normal(
      LimitAlgorithm algorithm) {
    Bulkhead bulkhead = learnt(a -> a.algorithm(algorithm));

    succeed(bulkhead, NORMAL);

    int step = algorithm == LimitAlgorithm.AIMD ? 21 : 24;
    assertThat(limit(bulkhead)).isEqualTo(step);
    assertThat(told)
        .containsExactly(
            new BulkheadEvent.LimitChanged(
                "inventory", 20, step, LimitChangeReason.LATENCY_NORMAL));
    assertAdmits(bulkhead, step);
    for (int i = 0; i < 400; i++) {
      succeed(bulkhead, NORMAL);
    }
    assertThat(limit(bulkhead)).isEqualTo(200);
    assertThat(bulkhead.metrics().mostRunning()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  void it_does_not_grow_while_it_is_not_used(LimitAlgorithm algorithm) {
    Bulkhead bulkhead = learnt(a -> a.algorithm(algorithm));

    for (int i = 0; i < 100; i++) {
      List<BulkheadSlot> slots = taken(bulkhead, 15);
      time.advance(NORMAL);
      slots.forEach(slot -> slot.complete("stock"));
    }

    assertThat(told).isEmpty();
  }

  /** CL-5, CL-4: from several clock origins. */
  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MAX_VALUE - 1_000_000_000L, Long.MIN_VALUE, 123_456_789_012L})
  void CL_5_a_latency_that_steps_up_and_stays_does_not_make_the_limit_grow(long origin) {
    for (LimitAlgorithm algorithm : LimitAlgorithm.values()) {
      time = FakeTime.startingAt(origin);
      Bulkhead bulkhead = learnt(a -> a.algorithm(algorithm));

      for (int samples = 0; samples < 3_000; ) {
        List<BulkheadSlot> slots = full(bulkhead, Duration.ofMillis(170));
        slots.forEach(slot -> slot.complete("stock"));
        samples += slots.size();
        assertThat(limit(bulkhead)).isLessThanOrEqualTo(20);
      }

      assertThat(bulkhead.metrics().baselineLatency()).isEqualTo(NORMAL);
    }
  }

  @Test
  void a_gradient_keeps_much_when_calls_are_somewhat_slow_and_little_when_they_are_very_slow() {
    Bulkhead bulkhead = learnt(a -> a.initialLimit(20));
    succeed(bulkhead, Duration.ofMillis(170), 1_000);
    assertThat(limit(bulkhead)).isEqualTo(20);

    succeed(bulkhead, Duration.ofMillis(300), 1_000);

    assertThat(limit(bulkhead)).isEqualTo(3);
    assertThat(told)
        .allMatch(
            event ->
                event instanceof BulkheadEvent.LimitChanged change
                    && change.reason() == LimitChangeReason.LATENCY_HIGH
                    && change.to() >= change.from() / 2);
  }

  @ParameterizedTest
  @EnumSource
  void CL_8_drops_really_take_the_limit_down(LimitAlgorithm algorithm) {
    Bulkhead bulkhead = bulkhead(a -> a.algorithm(algorithm));
    for (int i = 0; i < 100; i++) {
      bulkhead.acquire().fail(down);
    }
    assertThat(limit(bulkhead)).isEqualTo(3);

    Bulkhead busy = bulkhead(a -> a.algorithm(algorithm));
    for (int drops = 0; drops < 100; ) {
      List<BulkheadSlot> slots = full(busy, NORMAL);
      slots.forEach(slot -> slot.fail(down));
      drops += slots.size();
    }
    assertThat(limit(busy)).isEqualTo(3);
  }

  @Test
  void all_calls_that_run_when_the_dependency_breaks_down_are_one_step_down() {
    Bulkhead bulkhead = bulkhead(a -> a.initialLimit(100));

    fail(bulkhead, NORMAL, down);

    assertThat(told)
        .containsExactly(
            new BulkheadEvent.LimitChanged("inventory", 100, 75, LimitChangeReason.FAILURES));
  }

  @ParameterizedTest
  @EnumSource
  void quick_failures_do_not_raise_the_limit(LimitAlgorithm algorithm) {
    Bulkhead bulkhead = learnt(a -> a.algorithm(algorithm).failureRateThreshold(100));

    for (int i = 0; i < 1_000; i++) {
      List<BulkheadSlot> slots = full(bulkhead, Duration.ofMillis(1));
      for (int call = 0; call < slots.size(); call++) {
        if (call == 0) {
          slots.get(call).complete("stock");
        } else {
          slots.get(call).fail(down);
        }
      }
    }

    assertThat(told).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void refusals_further_in_neither_raise_nor_lower_the_limit(LimitAlgorithm algorithm) {
    Bulkhead bulkhead = learnt(a -> a.algorithm(algorithm));
    CircuitBreaker open = CircuitBreaker.create("open");
    open.transitionTo(CircuitBreaker.State.FORCED_OPEN);
    Throwable refusal = catchThrowable(() -> open.call(() -> "stock"));
    assertThat(refusal).isInstanceOf(CallNotPermittedException.class);

    for (int i = 0; i < 100; i++) {
      List<BulkheadSlot> slots = full(bulkhead, NORMAL);
      slots.get(0).fail(refusal);
      slots.forEach(slot -> slot.complete("stock"));
    }

    assertThat(told).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void CL_4_stable_time_outs_take_it_to_the_floor_and_keep_it_there(LimitAlgorithm algorithm) {
    Bulkhead bulkhead = learnt(a -> a.algorithm(algorithm));
    Timeout timeout =
        Timeout.create("timeout", t -> t.timeoutDuration(NORMAL).ticker(time).scheduler(time));
    Pipeline<String> calls =
        Pipeline.create("calls", policies -> policies.bulkhead(bulkhead).timeout(timeout));

    for (int i = 0; i < 50; i++) {
      timeOut(calls, bulkhead);
    }

    assertThat(limit(bulkhead)).isEqualTo(3);
    assertThat(told)
        .allMatch(
            event ->
                event instanceof BulkheadEvent.LimitChanged change && change.to() < change.from());
  }

  private void timeOut(Pipeline<String> calls, Bulkhead bulkhead) {
    List<CompletableFuture<String>> all = new ArrayList<>();
    for (int call = limit(bulkhead); call > 0; call--) {
      all.add(calls.callAsync(CompletableFuture::new));
    }
    time.advance(NORMAL);
    assertThat(all).allMatch(CompletableFuture::isCompletedExceptionally);
  }

  @Test
  void a_timeout_around_the_bulkhead_is_a_failure_though_the_call_is_cancelled() {
    Bulkhead bulkhead = learnt(a -> {});
    Timeout timeout =
        Timeout.create("timeout", t -> t.timeoutDuration(NORMAL).ticker(time).scheduler(time));
    Pipeline<String> calls =
        Pipeline.create("calls", policies -> policies.timeout(timeout).bulkhead(bulkhead));

    timeOut(calls, bulkhead);

    assertThat(told)
        .containsExactly(
            new BulkheadEvent.LimitChanged("inventory", 20, 15, LimitChangeReason.FAILURES));
  }

  @ParameterizedTest
  @EnumSource
  void what_callers_cancel_says_nothing(LimitAlgorithm algorithm) {
    Bulkhead bulkhead = learnt(a -> a.algorithm(algorithm));

    for (int i = 0; i < 100; i++) {
      CompletableFuture<String> call = bulkhead.callAsync(CompletableFuture::new);
      time.advance(Duration.ofSeconds(1));
      call.cancel(true);
    }
    fail(bulkhead, Duration.ofSeconds(1), new CancellationException());
    fail(bulkhead, Duration.ofSeconds(1), new InterruptedException());

    assertThat(told).isEmpty();
  }

  @Test
  void a_slot_that_is_closed_without_a_word_says_nothing() {
    Bulkhead bulkhead = learnt(a -> {});

    for (int i = 0; i < 100; i++) {
      full(bulkhead, Duration.ofSeconds(1)).forEach(BulkheadSlot::close);
      full(bulkhead, NORMAL).forEach(BulkheadSlot::close);
    }

    assertThat(told).isEmpty();
  }

  @Test
  void what_the_classifier_calls_a_success_or_ignores_is_no_failure() {
    Classifier notFound =
        Classifier.onException(IllegalArgumentException.class, e -> Outcome.SUCCESS)
            .orElse(Classifier.onException(IllegalStateException.class, e -> Outcome.IGNORED))
            .orElse(Classifier.onResult(String.class, r -> r.isEmpty() ? Outcome.FAILURE : null));
    Bulkhead bulkhead = learnt(a -> a.classifier(notFound));

    fail(bulkhead, NORMAL, new IllegalStateException());
    assertThat(told).isEmpty();
    fail(bulkhead, NORMAL, new IllegalArgumentException());
    assertThat(limit(bulkhead)).isEqualTo(24);
    full(bulkhead, NORMAL).forEach(slot -> slot.complete(""));

    assertThat(limit(bulkhead)).isEqualTo(18);
  }

  /** Helidon 9542: with an AIMD that steps down for each slow call, two thirds are then refused. */
  @ParameterizedTest
  @EnumSource
  void three_slow_or_failed_calls_in_a_hundred_do_not_lower_the_limit(LimitAlgorithm algorithm) {
    Bulkhead bulkhead = learnt(a -> a.algorithm(algorithm));
    Random random = new Random(3);

    for (int i = 0; i < 200; i++) {
      List<BulkheadSlot> slots = full(bulkhead, NORMAL);
      List<BulkheadSlot> slow = new ArrayList<>();
      for (BulkheadSlot slot : slots) {
        int chance = random.nextInt(100);
        if (chance < 3) {
          slow.add(slot);
        } else if (chance < 6) {
          slot.fail(down);
        } else {
          slot.complete("stock");
        }
      }
      time.advance(Duration.ofSeconds(5));
      slow.forEach(slot -> slot.complete("stock"));
    }

    assertThat(told)
        .isNotEmpty()
        .allMatch(
            event ->
                event instanceof BulkheadEvent.LimitChanged change && change.to() > change.from());
  }

  @Test
  void CL_1_with_a_coarse_clock_a_call_that_took_no_time_is_no_sample_and_returns_its_slot() {
    Bulkhead bulkhead = bulkhead(a -> a.initialLimit(5));

    for (int i = 0; i < 100; i++) {
      succeed(bulkhead, Duration.ZERO);
    }

    assertThat(told).isEmpty();
    assertThat(bulkhead.metrics().baselineLatency()).isNull();
    assertAdmits(bulkhead, 5);
  }

  @Test
  void a_clock_that_goes_backwards_makes_no_sample() {
    AtomicInteger readings = new AtomicInteger();
    Bulkhead bulkhead =
        bulkheadOf(
            config -> config.ticker(() -> -readings.incrementAndGet()).adaptiveLimit(a -> {}));

    for (int i = 0; i < 100; i++) {
      bulkhead.run(() -> {});
    }

    assertThat(bulkhead.metrics().baselineLatency()).isNull();
  }

  @Test
  void CL_2_a_call_that_is_completed_twice_returns_one_slot_and_counts_once() {
    Bulkhead bulkhead = bulkhead(a -> a.initialLimit(20));
    List<BulkheadSlot> slots = taken(bulkhead, 20);

    for (int i = 0; i < 10; i++) {
      slots.get(0).fail(down);
      slots.get(0).complete("stock");
      slots.get(0).close();
    }

    assertThat(told).isEmpty();
    assertThat(bulkhead.metrics().running()).isEqualTo(19);
    assertThat(taken(bulkhead, 2)).hasSize(1).allSatisfy(BulkheadSlot::close);
    slots.forEach(BulkheadSlot::close);
  }

  @Test
  void CL_6_each_bulkhead_has_its_own_gauge() {
    Bulkhead one = bulkhead(a -> {});
    Bulkhead other = bulkhead(a -> a.initialLimit(50));

    for (int i = 0; i < 4; i++) {
      one.acquire().fail(down);
    }

    assertThat(one.metrics().limit()).isEqualTo(15);
    assertThat(other.metrics().limit()).isEqualTo(50);
  }

  @Test
  void CL_7_without_waiting_a_call_is_admitted_while_there_is_room() {
    assertAdmits(bulkhead(a -> {}), 20);
  }

  @Test
  void CL_9_a_call_that_throws_an_error_returns_its_slot_and_is_a_failure() {
    Bulkhead bulkhead = bulkhead(a -> {});
    AssertionError error = new AssertionError();

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(
              () ->
                  bulkhead.run(
                      () -> {
                        throw error;
                      }))
          .isSameAs(error);
      assertThat(
              bulkhead.callAsync(
                  () -> {
                    throw error;
                  }))
          .isCompletedExceptionally();
    }

    assertThat(bulkhead.metrics().running()).isZero();
    assertThat(limit(bulkhead)).isEqualTo(15);
  }

  @Test
  void what_is_normal_is_measured_at_the_floor_before_the_limit_is_raised_for_the_first_time() {
    Bulkhead bulkhead = bulkhead(a -> a.minLimit(5));
    Duration loaded = Duration.ofMillis(300);

    succeed(bulkhead, loaded);
    assertThat(limit(bulkhead)).isEqualTo(5);
    assertThat(bulkhead.explain())
        .endsWith(
            "the limit was lowered from 20 for a moment, to see how long calls take when few run.");
    succeed(bulkhead, NORMAL);
    succeed(bulkhead, NORMAL);

    assertThat(bulkhead.metrics().baselineLatency()).isEqualTo(NORMAL);
    assertThat(limit(bulkhead)).isEqualTo(20);
    succeed(bulkhead, loaded);
    assertThat(told)
        .containsExactly(
            new BulkheadEvent.LimitChanged("inventory", 20, 5, LimitChangeReason.MEASURING),
            new BulkheadEvent.LimitChanged("inventory", 5, 20, LimitChangeReason.MEASURED),
            new BulkheadEvent.LimitChanged("inventory", 20, 13, LimitChangeReason.LATENCY_HIGH));
  }

  @Test
  void a_look_at_the_floor_that_finds_failures_stays_there() {
    Bulkhead bulkhead = bulkhead(a -> {});
    succeed(bulkhead, NORMAL);
    assertThat(limit(bulkhead)).isEqualTo(3);

    fail(bulkhead, NORMAL, down);
    succeed(bulkhead, NORMAL, 12);

    assertThat(limit(bulkhead)).isEqualTo(3);
  }

  @Test
  void a_baseline_that_is_given_is_not_measured() {
    Bulkhead bulkhead = bulkhead(a -> a.baselineLatency(NORMAL));
    assertThat(bulkhead.metrics().baselineLatency()).isEqualTo(NORMAL);

    succeed(bulkhead, Duration.ofMillis(20), 100);
    assertThat(bulkhead.metrics().baselineLatency()).isEqualTo(NORMAL);
    succeed(bulkhead, Duration.ofMillis(400), 1_000);

    assertThat(limit(bulkhead)).isEqualTo(3);
    assertThat(bulkhead.metrics().baselineLatency()).isEqualTo(NORMAL);
  }

  @Test
  void a_longest_latency_holds_whatever_is_normal() {
    Bulkhead bulkhead = bulkhead(a -> a.maxLatency(Duration.ofMillis(50)));
    quietly(bulkhead, NORMAL, 20);

    succeed(bulkhead, NORMAL);

    assertThat(limit(bulkhead)).isLessThan(20);
  }

  /** failsafe-go 127: there the limit grows again after some minutes. */
  @ParameterizedTest
  @EnumSource
  void a_slow_spell_of_hours_is_not_taken_for_normal(LimitAlgorithm algorithm) {
    Bulkhead bulkhead = learnt(a -> a.algorithm(algorithm));
    Duration slow = Duration.ofMillis(400);

    Duration end = time.elapsed().plus(Duration.ofHours(23));
    while (time.elapsed().compareTo(end) < 0) {
      succeed(bulkhead, slow);
      time.advance(Duration.ofSeconds(10));
    }

    assertThat(bulkhead.metrics().baselineLatency()).isEqualTo(NORMAL);
    assertThat(limit(bulkhead)).isEqualTo(3);
    succeed(bulkhead, NORMAL, 1_000);
    assertThat(limit(bulkhead)).isGreaterThan(20);
  }

  @Test
  void a_change_for_the_worse_that_lasts_for_days_is_found_also_where_the_load_is_never_low() {
    Bulkhead bulkhead = learnt(a -> {});
    Duration slow = Duration.ofMillis(220);

    Duration end = time.elapsed().plus(Duration.ofHours(49));
    while (time.elapsed().compareTo(end) < 0) {
      succeed(bulkhead, slow);
      time.advance(Duration.ofSeconds(10));
    }

    assertThat(bulkhead.metrics().baselineLatency()).isEqualTo(slow);
    assertThat(limit(bulkhead)).isEqualTo(200);
    assertThat(told)
        .filteredOn(
            event ->
                event instanceof BulkheadEvent.LimitChanged change
                    && change.reason() == LimitChangeReason.MEASURING)
        .as("looks at the floor, hourly while it is slow and never while all is well")
        .hasSizeBetween(23, 49);
  }

  @Test
  void two_slow_evenings_with_nothing_between_do_not_make_a_slow_day() {
    Bulkhead bulkhead = learnt(a -> {});

    quietly(bulkhead, Duration.ofMillis(400), 100);
    time.advance(Duration.ofHours(24));
    quietly(bulkhead, Duration.ofMillis(400), 100);

    assertThat(bulkhead.metrics().baselineLatency()).isEqualTo(NORMAL);
  }

  @Test
  void a_change_for_the_better_is_found_in_seconds_and_a_lucky_round_is_not_believed() {
    Bulkhead bulkhead = learnt(a -> {});

    quietly(bulkhead, Duration.ofMillis(20), 20);
    assertThat(bulkhead.metrics().baselineLatency()).isEqualTo(Duration.ofMillis(90));
    quietly(bulkhead, Duration.ofMillis(20), 600);

    assertThat(bulkhead.metrics().baselineLatency())
        .isBetween(Duration.ofMillis(20), Duration.ofMillis(22));
  }

  @Test
  void calls_that_wait_are_admitted_when_the_limit_rises() {
    Bulkhead bulkhead =
        bulkheadOf(
            config ->
                config
                    .ticker(time)
                    .scheduler(time)
                    .executor(Runnable::run)
                    .maxWaitDuration(Duration.ofMinutes(1))
                    .maxQueuedCalls(100)
                    .adaptiveLimit(a -> a.initialLimit(20).baselineLatency(NORMAL)));
    List<CompletableFuture<String>> running = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      var unused =
          bulkhead.callAsync(
              () -> {
                running.add(new CompletableFuture<>());
                return running.get(running.size() - 1);
              });
    }
    time.advance(NORMAL);

    List.copyOf(running).forEach(call -> call.complete("stock"));

    assertThat(limit(bulkhead)).isEqualTo(24);
    assertThat(running).hasSize(44);
    for (int i = 0; i < running.size(); i++) {
      running.get(i).complete("stock");
    }
    assertThat(running).hasSize(60);
  }

  @Test
  void without_an_adaptive_limit_and_without_a_listener_no_clock_is_read() {
    AtomicInteger read = new AtomicInteger();
    Bulkhead bulkhead =
        Bulkhead.create("inventory", config -> config.ticker(read::incrementAndGet));

    bulkhead.run(() -> {});
    bulkhead.acquire().complete("stock");
    assertThat(bulkhead.callAsync(() -> CompletableFuture.completedFuture("stock")))
        .isCompletedWithValue("stock");

    assertThat(read).hasValue(0);
    bulkhead.on(BulkheadEvent.CallFinished.class, event -> {});
    bulkhead.run(() -> {});
    assertThat(read).as("begin and end").hasValue(2);
  }

  @Test
  void a_ticker_or_a_classifier_that_throws_costs_neither_call_nor_slot() {
    IllegalStateException broken = new IllegalStateException("broken");
    Bulkhead clockless =
        bulkheadOf(
            config ->
                config
                    .ticker(
                        () -> {
                          throw broken;
                        })
                    .adaptiveLimit(a -> {}));
    Bulkhead unjudged =
        bulkhead(
            a ->
                a.classifier(
                    (result, thrown) -> {
                      throw broken;
                    }));

    assertThat(clockless.<String, RuntimeException>call(() -> "stock")).isEqualTo("stock");
    assertThat(unjudged.<String, RuntimeException>call(() -> "stock")).isEqualTo("stock");

    assertThat(told)
        .containsExactly(
            // By the limit, and by who measures for the listener.
            new PolicyEvent.UserCodeFailed("inventory", "ticker", broken),
            new PolicyEvent.UserCodeFailed("inventory", "ticker", broken),
            new PolicyEvent.UserCodeFailed("inventory", "classifier", broken));
  }

  @Test
  void changed_settings_go_on_from_what_was_found() {
    Bulkhead bulkhead = learnt(a -> {});
    succeed(bulkhead, NORMAL);
    List<BulkheadSlot> before = taken(bulkhead, 24);
    told.clear();

    bulkhead.reconfigure(c -> c.maxWaitDuration(Duration.ofMillis(1)));
    assertThat(limit(bulkhead)).isEqualTo(24);
    bulkhead.reconfigure(c -> c.adaptiveLimit(a -> a.algorithm(LimitAlgorithm.AIMD)));
    assertThat(limit(bulkhead)).isEqualTo(24);
    bulkhead.reconfigure(c -> c.adaptiveLimit(a -> a.maxLimit(22)));
    assertThat(limit(bulkhead)).isEqualTo(22);

    assertThat(bulkhead.metrics().baselineLatency()).isEqualTo(NORMAL);
    before.forEach(slot -> slot.fail(down));
    assertThat(told)
        .as("calls begun under other settings say nothing")
        .containsExactly(
            new BulkheadEvent.LimitChanged("inventory", 24, 22, LimitChangeReason.RECONFIGURED));
  }

  @Test
  void it_can_be_switched_off_and_on() {
    Bulkhead bulkhead = learnt(a -> {});
    List<BulkheadSlot> before = taken(bulkhead, 20);

    bulkhead.reconfigure(c -> c.adaptiveLimit(null).maxConcurrentCalls(30));
    before.forEach(slot -> slot.fail(down));
    assertThat(limit(bulkhead)).isEqualTo(30);
    assertThat(bulkhead.metrics().baselineLatency()).isNull();
    bulkhead.reconfigure(c -> c.adaptiveLimit(a -> {}));
    assertThat(limit(bulkhead)).isEqualTo(30);

    for (int i = 0; i < 6; i++) {
      bulkhead.acquire().fail(down);
    }
    assertThat(limit(bulkhead)).isLessThan(30);
  }

  @Test
  void it_explains_itself() {
    Bulkhead bulkhead = learnt(a -> {});
    assertThat(bulkhead.explain())
        .isEqualTo(
            "inventory: 0 of 20 slots taken, 0 calls waiting; 0 of 20 calls refused so far;"
                + " the limit has not changed.");

    succeed(bulkhead, NORMAL);
    assertThat(bulkhead.explain())
        .endsWith("the limit was raised from 20, for calls took 100 ms, normally 100 ms.");
    succeed(bulkhead, Duration.ofMillis(450));
    assertThat(bulkhead.explain())
        .contains(" of 15 slots")
        .endsWith("the limit was lowered from 24, for calls took 450 ms, normally 100 ms.");
    fail(bulkhead, NORMAL, down);

    assertThat(bulkhead.explain())
        .endsWith("the limit was lowered from 15, for 4 of 4 calls failed.");
  }

  @Test
  void its_settings_are_told() {
    BulkheadConfig config = BulkheadConfig.of(c -> c.adaptiveLimit(a -> a.minLimit(5)));

    assertThat(config)
        .hasToString(
            "maxConcurrentCalls 25, adaptiveLimit (algorithm GRADIENT, initialLimit 25, minLimit 5,"
                + " maxLimit 200, latencyTolerance 1.5, maxSlowSpellDuration 1 d,"
                + " failureRateThreshold 20.0, backoffFactor 0.75, adjustmentInterval 100 ms)");
    assertThat(config).isEqualTo(BulkheadConfig.of(c -> c.adaptiveLimit(a -> a.minLimit(5))));
    assertThat(config.with(c -> c.adaptiveLimit(a -> a.maxLimit(100))).adaptiveLimit())
        .satisfies(
            adaptive -> assertThat(Objects.requireNonNull(adaptive).minLimit()).isEqualTo(5));
    assertThat(config.with(c -> c.adaptiveLimit(null))).isEqualTo(BulkheadConfig.defaults());
  }

  @Test
  void a_limit_of_which_only_the_bounds_are_set_begins_within_them() {
    BulkheadConfig low = BulkheadConfig.of(c -> c.adaptiveLimit(a -> a.maxLimit(20)));
    assertThat(Objects.requireNonNull(low.adaptiveLimit()).initialLimit()).isEqualTo(20);
    assertThat(low.maxConcurrentCalls()).isEqualTo(20);
    BulkheadConfig high = BulkheadConfig.of(c -> c.adaptiveLimit(a -> a.minLimit(30)));
    assertThat(Objects.requireNonNull(high.adaptiveLimit()).initialLimit()).isEqualTo(30);
    assertThat(low.with(c -> c.adaptiveLimit(null)).maxConcurrentCalls())
        .isEqualTo(BulkheadConfig.DEFAULT_MAX_CONCURRENT_CALLS);
  }

  @Test
  void all_that_is_wrong_is_told_at_once() {
    assertThatThrownBy(
            () ->
                BulkheadConfig.of(
                    c ->
                        c.maxConcurrentCalls(2)
                            .maxWaitDuration(Duration.ofMillis(-1))
                            .adaptiveLimit(
                                a ->
                                    a.latencyTolerance(1)
                                        .backoffFactor(Double.NaN)
                                        .failureRateThreshold(0)
                                        .maxLatency(Duration.ZERO)
                                        .baselineLatency(Duration.ZERO)
                                        .maxSlowSpellDuration(Duration.ZERO)
                                        .adjustmentInterval(Duration.ofNanos(-1)))))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            """
            A bulkhead cannot be configured like this:
              - maxWaitDuration: -1 ms (expected: zero or more, at most 36,500 days)
              - adaptiveLimit.initialLimit: 2, the maxConcurrentCalls (expected: 3 to 200)
              - adaptiveLimit.latencyTolerance: 1.0 (expected: more than 1, at most 100)
              - adaptiveLimit.backoffFactor: NaN (expected: 0.1 to 0.99)
              - adaptiveLimit.failureRateThreshold: 0.0 (expected: a percentage above 0, at most 100,\
             with at most six decimals)
              - adaptiveLimit.maxSlowSpellDuration: 0 s (expected: more than zero, at most 36,500 days)
              - adaptiveLimit.adjustmentInterval: -1 ns (expected: zero or more, at most 36,500 days)
              - adaptiveLimit.maxLatency: 0 s (expected: more than zero, at most 36,500 days)
              - adaptiveLimit.baselineLatency: 0 s (expected: more than zero, at most 36,500 days)""");
    assertThatThrownBy(
            () -> BulkheadConfig.of(c -> c.adaptiveLimit(a -> a.minLimit(0).maxLimit(1_000_001))))
        .hasMessageContaining("adaptiveLimit.minLimit: 0 (expected: 1 to 1,000,000)")
        .hasMessageContaining("adaptiveLimit.maxLimit: 1000001 (expected: 1 to 1,000,000)");
    assertThatThrownBy(
            () -> BulkheadConfig.of(c -> c.adaptiveLimit(a -> a.minLimit(9).maxLimit(8))))
        .hasMessageContaining("adaptiveLimit.minLimit: 9 (expected: at most 8, the maxLimit)");
  }

  @ParameterizedTest
  @EnumSource
  void whatever_happens_it_stays_in_its_bounds_and_does_not_grow_on_a_failing_call(
      LimitAlgorithm algorithm) {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      time = FakeTime.startingAt(random.nextLong());
      int floor = 1 + random.nextInt(10);
      int ceiling = floor + random.nextInt(50);
      Bulkhead bulkhead =
          bulkhead(
              a -> a.algorithm(algorithm).initialLimit(floor).minLimit(floor).maxLimit(ceiling));
      List<BulkheadSlot> running = new ArrayList<>();
      for (int step = 0; step < 2_000; step++) {
        step(random, bulkhead, running);
        assertThat(limit(bulkhead)).as("seed %s", seed).isBetween(floor, ceiling);
      }
      running.forEach(BulkheadSlot::close);
    }
  }

  private void step(Random random, Bulkhead bulkhead, List<BulkheadSlot> running) {
    time.advance(Duration.ofMillis(random.nextInt(20)));
    running.addAll(taken(bulkhead, random.nextInt(4)));
    if (running.isEmpty()) {
      return;
    }
    BulkheadSlot slot = running.remove(random.nextInt(running.size()));
    int before = limit(bulkhead);
    switch (random.nextInt(40)) {
      case 0 -> {
        slot.fail(down);
        assertThat(limit(bulkhead)).isLessThanOrEqualTo(before);
      }
      case 1 -> {
        slot.close();
        assertThat(limit(bulkhead)).isEqualTo(before);
      }
      case 2 -> {
        slot.fail(new CancellationException());
        assertThat(limit(bulkhead)).isEqualTo(before);
      }
      default -> slot.complete("stock");
    }
  }
}

package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which calls a budget counts as recent, whoever notes when they were made. */
class RetryBudgetTest {
  private final FakeTime time = FakeTime.create();

  private final Deque<RetryBudget.Bell> set = new ConcurrentLinkedDeque<>();

  /**
   * A half of the recent calls, dated by a timer that rings when the test says so, or by no one.
   */
  private RetryBudget half(boolean timed) {
    return new RetryBudget(50, 0, time, timed ? set::add : null);
  }

  private static void deposit(RetryBudget budget, int calls) {
    for (int i = 0; i < calls; i++) {
      budget.deposit();
    }
  }

  private void seconds(long seconds) {
    time.advance(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void the_calls_of_just_now_count_at_once(boolean timed) {
    RetryBudget budget = half(timed);

    deposit(budget, 3);
    assertThat(budget.left()).isEqualTo(1);
    deposit(budget, 1);
    assertThat(budget.left()).isEqualTo(2);
    assertThat(budget.withdraw()).isTrue();
    assertThat(budget.withdraw()).isTrue();
    assertThat(budget.withdraw()).isFalse();
    assertThat(budget.isUncharged()).isFalse();
  }

  @Test
  void an_unlimited_one_allows_every_retry_and_counts_nothing() {
    RetryBudget budget = RetryBudget.unlimited();

    for (int retry = 0; retry < 10_000; retry++) {
      assertThat(budget.withdraw()).isTrue();
    }
    budget.deposit();

    assertThat(budget.left()).isEqualTo(Integer.MAX_VALUE);
    assertThat(budget.isUncharged()).isTrue();
  }

  @Test
  void a_call_counts_for_ten_seconds_from_then_on() {
    RetryBudget budget = half(/* timed= */ false);

    deposit(budget, 4);
    seconds(4);
    deposit(budget, 2);
    seconds(5);
    assertThat(budget.left()).isEqualTo(3);
    seconds(1);
    assertThat(budget.left()).isEqualTo(1);
    seconds(4);
    assertThat(budget.left()).isZero();
  }

  private void ring() {
    RetryBudget.Bell bell = set.poll();
    if (bell != null) {
      bell.ring();
    }
  }

  @Test
  void the_timer_notes_when_calls_were_made_that_nobody_has_asked_for() {
    RetryBudget budget = half(/* timed= */ true);

    deposit(budget, 4);
    ring();
    seconds(4);
    deposit(budget, 2);
    ring();
    seconds(5);
    assertThat(budget.left()).isEqualTo(3);
    seconds(1);
    assertThat(budget.left()).isEqualTo(1);
    seconds(4);
    assertThat(budget.left()).isZero();
  }

  @Test
  void the_timer_is_set_while_there_are_calls_and_again_by_the_next_one() {
    RetryBudget budget = half(/* timed= */ true);
    assertThat(set).isEmpty();

    deposit(budget, 2);
    assertThat(set).hasSize(1);
    ring();
    assertThat(set).hasSize(1);
    ring();
    assertThat(set).isEmpty();
    deposit(budget, 1);
    assertThat(set).hasSize(1);
  }

  @Test
  void without_a_timer_that_can_be_set_calls_note_it_themselves() {
    RetryBudget budget =
        new RetryBudget(
            50,
            0,
            time,
            bell -> {
              throw new OutOfMemoryError("unable to create native thread");
            });

    deposit(budget, 4);
    seconds(9);
    deposit(budget, 2);
    assertThat(budget.left()).isEqualTo(3);
    seconds(1);
    assertThat(budget.left()).isEqualTo(1);
  }

  @Test
  void on_the_systems_time_it_counts_the_same() {
    RetryBudget budget = RetryBudget.create(50, 0);

    deposit(budget, 4);

    assertThat(budget.left()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void no_call_is_lost_or_counted_twice_whoever_asks_meanwhile(boolean timed)
      throws InterruptedException {
    int callers = 4;
    int each = 20_000;
    RetryBudget budget = half(timed);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      Thread thread = new Thread(() -> deposit(budget, each));
      threads.add(thread);
      thread.start();
    }

    int before = 0;
    while (threads.stream().anyMatch(Thread::isAlive)) {
      int left = budget.left();
      assertThat(left).isBetween(before, callers * each / 2);
      before = left;
      ring();
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(budget.left()).isEqualTo(callers * each / 2);
  }
}

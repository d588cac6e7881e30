package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class StartOrderTest {
  private static final long SECOND = 1_000_000_000L;
  private static final RecordedOutcome OK = RecordedOutcome.parse("ok");

  private final StartOrder order = new StartOrder();
  private long line;

  @Test
  void a_call_waits_until_none_that_began_before_it_can_come() {
    assertThat(add(100, 10)).isTrue();
    assertThat(add(105, 90)).isTrue();
    assertThat(taken()).isEmpty();
    add(135, 1);
    assertThat(taken()).isEmpty();
    add(136, 1);
    assertThat(taken()).containsExactly(15L);
    order.end();
    assertThat(taken()).containsExactly(90L, 134L, 135L);
    assertThat(order.shortened()).isZero();
  }

  @Test
  void a_call_that_is_told_of_too_late_begins_as_early_as_it_still_can() {
    add(100, 10);
    add(300, 1);
    add(300, 1);
    assertThat(taken()).containsExactly(90L);
    assertThat(add(301, 250)).isTrue();
    order.end();
    StartOrder.Entry late = order.poll();
    assertThat(late.call().startNanos()).isEqualTo(90 * SECOND);
    assertThat(late.call().endNanos()).isEqualTo(301 * SECOND);
    assertThat(order.shortened()).isEqualTo(1);
  }

  @Test
  void a_call_that_was_over_by_then_is_not_taken() {
    add(100, 10);
    add(300, 1);
    add(300, 1);
    assertThat(taken()).containsExactly(90L);
    assertThat(add(89, 1)).isFalse();
    assertThat(add(90, 1)).isTrue();
  }

  @Test
  void a_line_with_a_time_far_in_the_future_moves_nothing() {
    add(100, 10);
    add(1_000_000, 1);
    add(102, 2);
    add(103, 50);
    assertThat(taken()).isEmpty();
    add(221, 1);
    assertThat(taken()).containsExactly(53L, 90L, 100L);
    order.end();
    assertThat(taken()).containsExactly(220L, 999_999L);
    assertThat(order.shortened()).isZero();
  }

  @Test
  void the_first_line_may_be_the_one_with_the_wrong_time() {
    add(1_000_000, 1);
    add(100, 1);
    add(101, 50);
    add(102, 60);
    assertThat(taken()).isEmpty();
    order.end();
    assertThat(taken()).containsExactly(42L, 51L, 99L, 999_999L);
  }

  /** A clock that was wrong for a while: the order is lost once, not from then on. */
  @Test
  void several_lines_with_a_wrong_time_are_believed_until_there_are_others() {
    add(100, 1);
    add(1_000_000, 1);
    add(1_000_001, 1);
    assertThat(taken()).containsExactly(99L);
    add(101, 1);
    add(102, 1);
    add(160, 59);
    add(161, 61);
    assertThat(taken()).isEmpty();
    order.end();
    assertThat(taken()).containsExactly(100L, 100L, 101L, 101L, 999_999L, 1_000_000L);
  }

  @Test
  void a_quiet_hour_is_believed_when_the_next_line_is_there() {
    add(100, 1);
    add(3_700, 1);
    assertThat(taken()).isEmpty();
    add(7_300, 1);
    assertThat(taken()).containsExactly(99L);
    add(7_301, 1);
    assertThat(taken()).containsExactly(3_699L);
  }

  @Test
  void two_calls_of_one_line_do_not_bear_each_other_out() {
    add(100, 1);
    add(1_000_000, 1);
    line--;
    add(1_000_000, 2);
    assertThat(taken()).isEmpty();
  }

  @Test
  void calls_that_begin_together_stay_in_the_order_of_their_lines() {
    add(10, 5);
    add(7, 2);
    add(6, 1);
    order.end();
    List<Long> lines = new ArrayList<>();
    for (StartOrder.Entry entry = order.poll(); entry != null; entry = order.poll()) {
      lines.add(entry.line());
    }
    assertThat(lines).containsExactly(1L, 2L, 3L);
  }

  /** Against sorting them all, for logs in the order of ends with calls of up to two minutes. */
  @Test
  void random_logs_are_sorted_as_if_they_were_read_whole() {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StartOrder streamed = new StartOrder();
      List<Long> starts = new ArrayList<>();
      List<Long> sorted = new ArrayList<>();
      long end = 0;
      for (int i = 0; i < 500; i++) {
        end += random.nextLong(3 * SECOND);
        LoggedCall call = LoggedCall.endedAt(end, random.nextLong(120 * SECOND), OK);
        starts.add(call.startNanos());
        assertThat(streamed.add(new StartOrder.Entry(call, i, ""))).isTrue();
        take(streamed, sorted);
      }
      streamed.end();
      take(streamed, sorted);
      starts.sort(Comparator.naturalOrder());
      assertThat(sorted).as("seed %d", seed).isEqualTo(starts);
    }
  }

  private static void take(StartOrder order, List<Long> into) {
    for (StartOrder.Entry entry = order.poll(); entry != null; entry = order.poll()) {
      into.add(entry.call().startNanos());
    }
  }

  /** A call by when it ended and how long it took, in seconds. */
  private boolean add(long end, long duration) {
    LoggedCall call = LoggedCall.endedAt(end * SECOND, duration * SECOND, OK);
    return order.add(new StartOrder.Entry(call, ++line, ""));
  }

  /** When the calls that can be had began, in seconds. */
  private List<Long> taken() {
    List<Long> nanos = new ArrayList<>();
    take(order, nanos);
    return nanos.stream().map(start -> start / SECOND).toList();
  }
}

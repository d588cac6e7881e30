package dev.recloser.test;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Cancellable;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Every test from every origin; the name of a run shows its own, the random one included. */
@ParameterizedClass(name = "origin {0}")
@MethodSource("origins")
class FakeTimeTest {
  private final long origin;
  private final FakeTime time;
  private final List<String> ran = new ArrayList<>();

  FakeTimeTest(long origin) {
    this.origin = origin;
    time = FakeTime.startingAt(origin);
  }

  static LongStream origins() {
    return LongStream.of(
        0,
        1,
        -1,
        Long.MIN_VALUE,
        Long.MAX_VALUE - 10,
        FakeTime.DEFAULT_ORIGIN,
        new Random().nextLong());
  }

  @Test
  void stands_still_until_it_is_advanced() {
    assertThat(time.nanoTime()).isEqualTo(origin);
    assertThat(time.nanoTime()).isEqualTo(origin);
    assertThat(time.elapsed()).isZero();
  }

  @Test
  void moves_by_exactly_what_it_is_advanced() {
    time.advance(ofSeconds(3));
    time.advance(ofNanos(1));

    assertThat(time.nanoTime() - origin).isEqualTo(3_000_000_001L);
    assertThat(time.elapsed()).isEqualTo(ofNanos(3_000_000_001L));
  }

  @Test
  void advances_to_a_moment() {
    time.advance(ofSeconds(1));
    time.advanceTo(ofSeconds(5));
    time.advanceTo(ofSeconds(5));

    assertThat(time.elapsed()).isEqualTo(ofSeconds(5));
  }

  @Test
  void reads_the_moment_of_each_timer_while_it_runs() {
    List<Long> readings = new ArrayList<>();
    time.schedule(() -> readings.add(time.nanoTime() - origin), ofNanos(30));
    time.schedule(() -> readings.add(time.nanoTime() - origin), ofNanos(7));

    time.advance(ofNanos(100));

    assertThat(readings).containsExactly(7L, 30L);
    assertThat(time.elapsed()).isEqualTo(ofNanos(100));
  }

  @Test
  void runs_a_timer_at_its_moment_and_not_a_nanosecond_earlier() {
    schedule("timer", 10);

    time.advance(ofNanos(9));
    assertThat(ran).isEmpty();

    time.advance(ofNanos(1));
    assertThat(ran).containsExactly("timer");
  }

  @Test
  void runs_a_timer_once() {
    schedule("timer", 10);

    time.advance(ofNanos(10));
    time.advance(ofNanos(10));

    assertThat(ran).containsExactly("timer");
  }

  @Test
  void runs_timers_in_the_order_of_their_moments_whenever_they_were_scheduled() {
    schedule("third", 30);
    schedule("first", 10);
    time.advance(ofNanos(5));
    schedule("second", 15);

    time.advance(ofNanos(100));

    assertThat(ran).containsExactly("first", "second", "third");
  }

  @Test
  void runs_timers_of_one_moment_in_the_order_in_which_they_were_scheduled() {
    for (int i = 0; i < 5; i++) {
      schedule("early " + i, 10);
    }
    time.advance(ofNanos(4));
    schedule("late", 6);

    time.advance(ofNanos(6));

    assertThat(ran).containsExactly("early 0", "early 1", "early 2", "early 3", "early 4", "late");
  }

  @Test
  void runs_a_timer_without_delay_at_the_next_advance() {
    schedule("now", 0);
    assertThat(ran).isEmpty();

    time.runDueTimers();

    assertThat(ran).containsExactly("now");
    assertThat(time.elapsed()).isZero();
  }

  @Test
  void runs_timers_that_timers_schedule_if_they_are_due_on_the_way() {
    time.schedule(
        () -> {
          ran.add("first");
          schedule("same moment", 0);
          schedule("at the end", 5);
          schedule("beyond", 6);
        },
        ofNanos(10));
    schedule("between", 12);

    time.advance(ofNanos(15));

    assertThat(ran).containsExactly("first", "same moment", "between", "at the end");
    assertThat(time.untilNextTimer()).contains(ofNanos(1));
  }

  @Test
  void lets_a_timer_advance_the_time_itself() {
    time.schedule(() -> time.advance(ofNanos(20)), ofNanos(10));
    schedule("passed by the timer", 25);
    schedule("passed after it", 40);

    time.advance(ofNanos(50));

    assertThat(ran).containsExactly("passed by the timer", "passed after it");
    assertThat(time.elapsed()).as("both advances in full").isEqualTo(ofNanos(70));
  }

  @Test
  void forgets_a_timer_that_is_cancelled() {
    Cancellable timer = schedule("cancelled", 10);
    schedule("kept", 10);

    timer.cancel();
    timer.cancel();

    assertThat(time.pendingTimers()).isOne();
    time.advance(ofNanos(10));
    assertThat(ran).containsExactly("kept");
  }

  @Test
  void lets_a_timer_cancel_another_of_the_same_moment() {
    List<Cancellable> later = new ArrayList<>();
    time.schedule(() -> later.forEach(Cancellable::cancel), ofNanos(10));
    later.add(schedule("cancelled", 10));

    time.advance(ofNanos(10));

    assertThat(ran).isEmpty();
    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void does_nothing_when_a_timer_is_cancelled_that_has_run() {
    Cancellable timer = schedule("timer", 10);
    time.advance(ofNanos(10));

    timer.cancel();
    schedule("another", 10);

    assertThat(time.pendingTimers()).isOne();
  }

  @Test
  void counts_the_timers_that_are_pending() {
    assertThat(time.pendingTimers()).isZero();
    assertThat(time.untilNextTimer()).isEmpty();
    schedule("first", 10);
    schedule("second", 20);

    time.advance(ofNanos(4));
    assertThat(time.pendingTimers()).isEqualTo(2);
    assertThat(time.untilNextTimer()).contains(ofNanos(6));

    time.advance(ofNanos(6));
    assertThat(time.pendingTimers()).isOne();
    assertThat(time.untilNextTimer()).contains(ofNanos(10));
  }

  @Test
  void reaches_the_end_and_runs_other_timers_before_it_tells_what_one_has_thrown() {
    time.schedule(() -> fail(new IllegalStateException("first")), ofNanos(10));
    schedule("same moment", 10);
    time.schedule(() -> fail(new AssertionError("second")), ofNanos(20));
    schedule("later", 30);

    assertThatThrownBy(() -> time.advance(ofNanos(40)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("first")
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1))
        .hasSuppressedException(new AssertionError("second"));

    assertThat(ran).containsExactly("same moment", "later");
    assertThat(time.elapsed()).isEqualTo(ofNanos(40));
    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void tells_of_an_exception_that_two_timers_throw_once() {
    RuntimeException thrown = new IllegalStateException("both");
    time.schedule(() -> fail(thrown), ofNanos(10));
    time.schedule(() -> fail(thrown), ofNanos(10));

    assertThatThrownBy(() -> time.advance(ofNanos(10)))
        .isSameAs(thrown)
        .hasNoSuppressedExceptions();
  }

  @Test
  void lets_checked_exceptions_of_timers_through_as_they_are() {
    Exception thrown = new Exception("checked");
    time.schedule(() -> fail(thrown), ZERO);

    assertThatThrownBy(time::runDueTimers).isSameAs(thrown);
  }

  @Test
  void refuses_to_go_back() {
    time.advance(ofSeconds(2));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> time.advance(ofNanos(-1)))
        .withMessage("time: PT-0.000000001S (expected: zero or more)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> time.advanceTo(ofSeconds(1)))
        .withMessage("sinceStart: PT1S (expected: at least PT2S, the present)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> schedule("timer", -1))
        .withMessage("delay: PT-0.000000001S (expected: zero or more)");
    assertThat(time.elapsed()).isEqualTo(ofSeconds(2));
    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void goes_as_far_as_nanoseconds_can_be_counted_and_no_further() {
    time.advance(ofNanos(Long.MAX_VALUE - 2));
    time.advance(ofNanos(1));

    assertThat(time.elapsed()).isEqualTo(ofNanos(Long.MAX_VALUE - 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> time.advance(ofNanos(1)))
        .withMessage("time: PT0.000000001S (expected: to stay within 292 years of the start)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> time.advance(ChronoUnit.FOREVER.getDuration()));
  }

  @Test
  void never_runs_a_timer_that_is_due_beyond_what_can_be_reached() {
    time.advance(ofSeconds(1));
    time.schedule(() -> ran.add("longest"), ofNanos(Long.MAX_VALUE));
    time.schedule(() -> ran.add("for ever"), ChronoUnit.FOREVER.getDuration());

    time.advanceTo(ofNanos(Long.MAX_VALUE - 1));

    assertThat(ran).isEmpty();
    assertThat(time.pendingTimers()).isEqualTo(2);
  }

  @Test
  void keeps_the_order_of_timers_that_lie_centuries_apart() {
    Duration centuries = Duration.ofDays(90_000);
    time.schedule(() -> ran.add("far"), centuries);
    time.schedule(() -> ran.add("near"), ofNanos(1));

    time.advance(centuries);

    assertThat(ran).containsExactly("near", "far");
  }

  private Cancellable schedule(String name, long nanos) {
    return time.schedule(() -> ran.add(name), ofNanos(nanos));
  }

  private static void fail(Throwable thrown) {
    throw Sneaky.rethrow(thrown);
  }
}

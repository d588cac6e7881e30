package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the live window is made of. */
final class WindowSlicesTest {
  private static final WindowSlice GOOD = new WindowSlice(1, 0, 0, 0);
  private static final WindowSlice BAD = new WindowSlice(1, 1, 0, 0);

  private final FakeTime time = FakeTime.create();

  @Test
  void the_calls_of_a_count_window_come_one_by_one_and_the_oldest_first() {
    CircuitBreaker breaker = counting(4);
    for (boolean fails : new boolean[] {true, true, false, false, true, false}) {
      end(breaker, fails);
    }
    assertThat(breaker.windowSlices(10)).containsExactly(GOOD, GOOD, BAD, GOOD);
    assertThat(breaker.windowSlices(4)).containsExactly(GOOD, GOOD, BAD, GOOD);
  }

  @Test
  void too_many_calls_are_put_together_and_only_the_oldest_part_is_shorter() {
    CircuitBreaker breaker = counting(100);
    for (int call = 1; call <= 7; call++) {
      end(breaker, call == 1 || call == 4);
    }
    assertThat(breaker.windowSlices(3))
        .containsExactly(
            new WindowSlice(1, 1, 0, 0), new WindowSlice(3, 1, 0, 0), new WindowSlice(3, 0, 0, 0));
    assertThat(breaker.windowSlices(1)).containsExactly(new WindowSlice(7, 2, 0, 0));
    assertThat(breaker.windowSlices(Integer.MAX_VALUE)).hasSize(7);
  }

  @Test
  void a_slow_call_is_slow_in_its_place() {
    CircuitBreaker breaker =
        CircuitBreaker.create(
            "b", c -> c.ticker(time).slowCallDurationThreshold(Duration.ofMillis(10)));
    breaker.run(() -> time.advance(Duration.ofMillis(11)));
    breaker.run(() -> {});
    assertThat(breaker.windowSlices(10)).containsExactly(new WindowSlice(1, 0, 1, 0), GOOD);
  }

  @Test
  void which_of_the_failed_ones_were_slow_is_known() {
    for (boolean timed : new boolean[] {false, true}) {
      CircuitBreaker breaker = timing(timed, 10);
      end(breaker, /* fails= */ true, /* slow= */ true);
      end(breaker, /* fails= */ true, /* slow= */ false);
      end(breaker, /* fails= */ false, /* slow= */ true);
      assertThat(breaker.windowSlices(1)).containsExactly(new WindowSlice(3, 2, 2, 1));
      assertThat(breaker.snapshot().window().slowFailed()).isEqualTo(1);
    }
  }

  @Test
  void the_slices_of_a_time_window_are_all_there_and_pass_with_time() {
    CircuitBreaker breaker = timing(5);
    end(breaker, true);
    time.advance(Duration.ofSeconds(2));
    end(breaker, false);
    WindowSlice none = new WindowSlice(0, 0, 0, 0);
    assertThat(breaker.windowSlices(10)).containsExactly(none, none, BAD, none, GOOD);
    time.advance(Duration.ofSeconds(3));
    assertThat(breaker.windowSlices(10)).containsExactly(none, GOOD, none, none, none);
    assertThat(breaker.windowSlices(2)).containsExactly(new WindowSlice(1, 0, 0, 0), none);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 10, 60})
  void they_add_up_to_the_window_whatever_its_kind(int most) {
    Random random = new Random(most);
    for (CircuitBreaker breaker : List.of(timing(false, 64), timing(false, 13), timing(true, 9))) {
      for (int call = 0; call < 200; call++) {
        end(breaker, random.nextInt(4) == 0, random.nextInt(3) == 0);
        time.advance(Duration.ofMillis(random.nextInt(300)));
        List<WindowSlice> slices = breaker.windowSlices(most);
        WindowSnapshot window = breaker.snapshot().window();
        assertThat(slices).hasSizeLessThanOrEqualTo(most);
        assertThat(slices.stream().mapToInt(WindowSlice::calls).sum()).isEqualTo(window.calls());
        assertThat(slices.stream().mapToInt(WindowSlice::failed).sum()).isEqualTo(window.failed());
        assertThat(slices.stream().mapToInt(WindowSlice::slow).sum()).isEqualTo(window.slow());
        assertThat(slices.stream().mapToInt(WindowSlice::slowFailed).sum())
            .isEqualTo(window.slowFailed());
      }
    }
  }

  @Test
  void a_state_without_a_window_has_none() {
    CircuitBreaker breaker = counting(10);
    end(breaker, true);
    for (State state : List.of(State.OPEN, State.HALF_OPEN, State.FORCED_OPEN, State.DISABLED)) {
      breaker.transitionTo(state);
      assertThat(breaker.windowSlices(10)).as(state.name()).isEmpty();
    }
    breaker.transitionTo(State.METRICS_ONLY);
    end(breaker, true);
    assertThat(breaker.windowSlices(10)).containsExactly(BAD);
  }

  @Test
  void successes_that_nobody_has_taken_over_are_there() {
    CircuitBreaker breaker = counting(20);
    IntStream.range(0, 50).forEach(call -> end(breaker, false));
    assertThat(breaker.windowSlices(50)).isEqualTo(Collections.nCopies(20, GOOD));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void none_at_all_is_no_answer(int most) {
    assertThatThrownBy(() -> counting(10).windowSlices(most))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("most: " + most + " (expected: at least 1)");
  }

  private CircuitBreaker counting(int size) {
    return CircuitBreaker.create(
        "b", c -> c.ticker(time).slidingWindowSize(size).failureRateThreshold(100));
  }

  private CircuitBreaker timing(int slices) {
    return CircuitBreaker.create(
        "b",
        c ->
            c.ticker(time)
                .slidingWindowSize(Duration.ofSeconds(slices))
                .slidingWindowSlices(slices)
                .minimumNumberOfCalls(1_000));
  }

  /** One that times its calls, and judges none. */
  private CircuitBreaker timing(boolean byTime, int size) {
    return CircuitBreaker.create(
        "b",
        c -> {
          c.ticker(time).slowCallDurationThreshold(Duration.ofMillis(10));
          c.failureRateThreshold(100).slowCallRateThreshold(100);
          if (byTime) {
            c.slidingWindowSize(Duration.ofSeconds(size)).slidingWindowSlices(size);
            c.minimumNumberOfCalls(1_000);
          } else {
            c.slidingWindowSize(size);
          }
        });
  }

  private void end(CircuitBreaker breaker, boolean fails, boolean slow) {
    try (Permit permit = breaker.acquire()) {
      time.advance(Duration.ofMillis(slow ? 11 : 0));
      if (fails) {
        permit.fail(new IllegalStateException());
      } else {
        permit.record(Outcome.SUCCESS);
      }
    }
  }

  private static void end(CircuitBreaker breaker, boolean fails) {
    try (Permit permit = breaker.acquire()) {
      if (fails) {
        permit.fail(new IllegalStateException());
      } else {
        permit.record(Outcome.SUCCESS);
      }
    }
  }
}

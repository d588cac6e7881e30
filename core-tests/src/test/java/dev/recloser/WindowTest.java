package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both windows, by themselves and against a list of all calls. */
final class WindowTest {
  private static final long MS = 1_000_000;

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        -1,
        -5 * MS,
        Long.MIN_VALUE,
        Long.MIN_VALUE + 1,
        Long.MAX_VALUE,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE - 50 * MS,
        1L << 62
      })
  void countsWhatAListOfAllCallsCountsFromAnyOrigin(long origin) {
    for (long seed = 0; seed < 50; seed++) {
      compare(seed, origin);
    }
  }

  private static void compare(long seed, long origin) {
    SplittableRandom random = new SplittableRandom(seed);
    CircuitBreakerConfig config = drawn(random);
    Window window = Window.of(config, origin);
    NaiveWindow list = new NaiveWindow(config, 0);
    long elapsed = 0;
    for (int step = 0; step < 300; step++) {
      elapsed += advance(random, list, elapsed);
      if (random.nextInt(50) == 0) {
        config = drawn(random);
        window.expire(origin + elapsed);
        window = window.reshaped(config, origin + elapsed);
        list.reshape(config, elapsed);
      }
      if (random.nextInt(3) > 0) {
        boolean failed = random.nextBoolean();
        boolean slow = random.nextBoolean();
        window.add(failed, slow, origin + elapsed);
        list.add(failed, slow, elapsed);
      } else if (random.nextBoolean()) {
        int run = random.nextInt(1, random.nextInt(2, 300));
        window.expire(origin + elapsed);
        window.addSuccesses(run);
        for (int i = 0; i < run; i++) {
          list.add(false, false, elapsed);
        }
      }
      window.expire(origin + elapsed);
      assertThat(numbersOf(window))
          .as("seed %d, step %d, %s", seed, step, config)
          .containsExactly(list.calls(elapsed), list.failed(elapsed), list.slow(elapsed));
      assertThat(window.slowFailed).isEqualTo(list.slowFailed(elapsed));
    }
  }

  private static CircuitBreakerConfig drawn(SplittableRandom random) {
    return CircuitBreakerConfig.of(config -> ModelSettings.WINDOW.draw(config, random));
  }

  /** Often not at all, often to about the end of a slice, and now and then for years. */
  private static long advance(SplittableRandom random, NaiveWindow list, long elapsed) {
    Long boundary = list.nextSliceAt(elapsed);
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> 0;
      case 3, 4 -> boundary == null ? 1 : boundary - elapsed;
      case 5 -> boundary == null ? 1 : boundary - elapsed - 1;
      case 6 -> random.nextLong(500 * MS);
      case 7 -> random.nextInt(20) == 0 ? Duration.ofDays(365).toNanos() : 1;
      default -> random.nextLong(4 * MS);
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 65, 127, 128, 129, 1_000})
  void aCountWindowHoldsTheLastCallsHoweverOftenItGoesRound(int size) {
    CountWindow window = new CountWindow(size);
    for (int call = 1; call <= 3 * size + 1; call++) {
      window.add(/* callFailed= */ call % size == 0, /* callSlow= */ call % size == 0, 0);
      assertThat(numbersOf(window))
          .as("call %d", call)
          .containsExactly(Math.min(call, size), call < size ? 0 : 1, call < size ? 0 : 1);
    }
  }

  @Test
  void aCountWindowDoesNotForgetWithTime() {
    CountWindow window = new CountWindow(2);
    window.add(true, false, 0);
    window.expire(Long.MAX_VALUE);
    assertThat(numbersOf(window)).containsExactly(1, 1, 0);
  }

  @Test
  void aSmallerCountWindowKeepsTheLastCalls() {
    Window window = new CountWindow(4);
    for (int call = 1; call <= 6; call++) {
      window.add(/* callFailed= */ call <= 4, /* callSlow= */ call == 6, 0);
    }
    assertThat(numbersOf(window)).containsExactly(4, 2, 1);
    window = window.reshaped(countConfig(3), 0);
    assertThat(numbersOf(window)).containsExactly(3, 1, 1);
    window.add(false, false, 0);
    assertThat(numbersOf(window)).containsExactly(3, 0, 1);
  }

  @Test
  void aLargerCountWindowKeepsAllCallsInTheirOrder() {
    Window window = new CountWindow(2);
    window.add(false, false, 0);
    window.add(true, false, 0);
    window.add(false, true, 0);
    window = window.reshaped(countConfig(3), 0);
    window.add(false, false, 0);
    assertThat(numbersOf(window)).containsExactly(3, 1, 1);
    window.add(false, false, 0);
    assertThat(numbersOf(window)).containsExactly(3, 0, 1);
  }

  @Test
  void aTimeWindowIsThePresentSliceAndThoseBeforeIt() {
    Window window = Window.of(timeConfig(30, 3), 0);
    window.add(true, false, 0);
    window.add(false, true, 10 * MS);
    window.expire(30 * MS - 1);
    assertThat(numbersOf(window)).containsExactly(2, 1, 1);
    window.expire(30 * MS);
    assertThat(numbersOf(window)).containsExactly(1, 0, 1);
    window.expire(40 * MS);
    assertThat(numbersOf(window)).containsExactly(0, 0, 0);
  }

  @Test
  void slicesAreRoundedUpToWholeNanoseconds() {
    CircuitBreakerConfig config =
        CircuitBreakerConfig.of(
            c -> c.slidingWindowSize(Duration.ofNanos(10 * MS + 1)).slidingWindowSlices(10));
    Window window = Window.of(config, 0);
    window.add(true, false, 0);
    window.expire(10 * MS + 9);
    assertThat(window.calls).isEqualTo(1);
    window.expire(10 * MS + 10);
    assertThat(window.calls).isZero();
  }

  @Test
  void idleTimeOfAnyLengthEmptiesATimeWindowOnce() {
    for (long idle : new long[] {30 * MS, 60 * MS, 300 * MS, Duration.ofDays(36_500).toNanos()}) {
      Window window = Window.of(timeConfig(30, 3), Long.MAX_VALUE);
      window.add(true, true, Long.MAX_VALUE);
      window.add(false, false, Long.MAX_VALUE + idle);
      assertThat(numbersOf(window)).as("idle for %d ns", idle).containsExactly(1, 0, 0);
    }
  }

  @Test
  void aReadingFromBeforeTheNewestSliceFallsIntoIt() {
    Window window = Window.of(timeConfig(30, 3), 0);
    window.add(false, false, 25 * MS);
    window.add(true, false, 5 * MS);
    window.expire(50 * MS - 1);
    assertThat(numbersOf(window)).containsExactly(2, 1, 0);
  }

  @Test
  void aWindowOfTheSameShapeStaysTheSame() {
    Window counts = new CountWindow(5);
    assertThat(counts.reshaped(countConfig(5), 0)).isSameAs(counts);
    Window slices = Window.of(timeConfig(30, 3), 0);
    assertThat(slices.reshaped(timeConfig(30, 3), 7)).isSameAs(slices);
  }

  @Test
  void anotherTypeLengthOrNumberOfSlicesStartsEmptyFromThatMoment() {
    Window counts = new CountWindow(5);
    counts.add(true, true, 0);
    assertThat(counts.reshaped(timeConfig(30, 3), 7).calls).isZero();

    Window slices = Window.of(timeConfig(30, 3), 0);
    slices.add(true, true, 0);
    assertThat(slices.reshaped(countConfig(5), 7).calls).isZero();
    assertThat(slices.reshaped(timeConfig(30, 2), 7).calls).isZero();

    Window longer = slices.reshaped(timeConfig(60, 3), 7);
    assertThat(longer.calls).isZero();
    longer.add(true, true, 7);
    longer.expire(7 + 60 * MS - 1);
    assertThat(longer.calls).isEqualTo(1);
    longer.expire(7 + 60 * MS);
    assertThat(longer.calls).isZero();
  }

  private static int[] numbersOf(Window window) {
    return new int[] {window.calls, window.failed, window.slow};
  }

  private static CircuitBreakerConfig countConfig(int size) {
    return CircuitBreakerConfig.of(config -> config.slidingWindowSize(size));
  }

  private static CircuitBreakerConfig timeConfig(long millis, int slices) {
    return CircuitBreakerConfig.of(
        config -> config.slidingWindowSize(Duration.ofMillis(millis)).slidingWindowSlices(slices));
  }
}

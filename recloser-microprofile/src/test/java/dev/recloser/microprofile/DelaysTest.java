package dev.recloser.microprofile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
final class DelaysTest {
  private static final Duration YEARS = Duration.ofDays(36_500);

  private static Duration wait(long delay, long jitter, double growth, int attempt, double random) {
    long nanos = 1_000_000;
    return new Delays(delay * nanos, jitter * nanos, growth, YEARS.toNanos(), () -> random)
        .apply(attempt);
  }

  @ParameterizedTest
  @CsvSource({
    "400, 400, 0, 0",
    "400, 400, 0.5, 400",
    "400, 400, 1, 800",
    "400, 100, 0, 300",
    "0, 400, 0.75, 200",
    "0, 0, 1, 0"
  })
  void a_wait_is_as_much_shorter_as_longer(long delay, long jitter, double random, long millis) {
    assertThat(wait(delay, jitter, 1, 5, random)).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void none_is_negative() {
    assertThat(wait(100, 400, 1, 1, 0)).isEqualTo(Duration.ZERO);
  }

  @ParameterizedTest
  @CsvSource({"1, 100", "2, 200", "3, 400", "11, 102400"})
  void a_delay_grows_if_that_is_configured(int attempt, long millis) {
    assertThat(wait(100, 0, 2, attempt, 1)).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void no_wait_overflows_at_any_attempt() {
    assertThat(wait(100, 400, 2, Integer.MAX_VALUE, 1)).isEqualTo(YEARS);
  }

  @Test
  void the_longest_is_the_longest_with_jitter_as_well() {
    Delays delays = new Delays(100, 100, 2, 150, () -> 1); // nanoseconds
    assertThat(delays.apply(1)).isEqualTo(Duration.ofNanos(150));
  }

  @Test
  void what_is_drawn_stays_within_the_bounds() {
    Delays delays = Delays.of(Duration.ofMillis(400), Duration.ofMillis(100), 1, YEARS);
    for (int draw = 0; draw < 1_000; draw++) {
      assertThat(delays.apply(1)).isBetween(Duration.ofMillis(300), Duration.ofMillis(500));
    }
  }
}

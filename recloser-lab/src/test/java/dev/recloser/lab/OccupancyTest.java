package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.InvalidConfigurationException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The numbers of the worked example: 200 workers, 1,000 calls a second. */
final class OccupancyTest {
  private final Occupancy healthy = new Occupancy(1_000, Duration.ofMillis(50), 200);

  @Test
  void a_quarter_of_the_pool_is_busy_on_a_usual_day() {
    assertThat(healthy.needed()).isEqualTo(50);
    assertThat(healthy.busy()).isEqualTo(50);
    assertThat(healthy.ceiling()).isEqualTo(4_000);
    assertThat(healthy.isFull()).isFalse();
    assertThat(healthy.timeToFill()).isNull();
    assertThat(healthy.longestTime()).isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void a_hundred_times_the_latency_is_a_hundredth_of_the_capacity() {
    Occupancy slow = healthy.taking(Duration.ofSeconds(5));

    assertThat(slow.needed()).isEqualTo(5_000);
    assertThat(slow.busy()).isEqualTo(200);
    assertThat(slow.ceiling()).isEqualTo(40);
    assertThat(slow.timeToFill()).isEqualTo(Duration.ofMillis(200));
    assertThat(slow.busyAfter(Duration.ofMillis(100))).isEqualTo(100);
    assertThat(slow.busyAfter(Duration.ofSeconds(1))).isEqualTo(200);
  }

  @Test
  void a_timeout_of_200_ms_exactly_saturates_the_pool() {
    Occupancy cut = healthy.taking(Duration.ofMillis(200));

    assertThat(cut.needed()).isEqualTo(200);
    assertThat(cut.isFull()).isTrue();
    assertThat(healthy.taking(Duration.ofMillis(199)).isFull()).isFalse();
  }

  @Test
  void numbers_that_cannot_be_are_told_all_at_once() {
    assertThatThrownBy(() -> new Occupancy(Double.NaN, Duration.ZERO, 0))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContainingAll(
            "callsPerSecond: NaN (expected: more than 0)",
            "time: PT0S (expected: more than zero)",
            "pool: 0 (expected: at least 1)");
  }
}

package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DemoResultTest {
  @Test
  void without_a_breaker_a_worker_is_held_for_as_long_as_a_call_takes() {
    DemoResult result = SampleResults.without();

    assertThat(result.arrivalsPerSecond()).isEqualTo(80);
    assertThat(result.holdingTime()).isEqualTo(Duration.ofMillis(750));
    assertThat(result.predictedBusy()).isEqualTo(60);
  }

  @Test
  void with_a_breaker_a_worker_is_held_until_it_opens() {
    DemoResult result = SampleResults.with();

    assertThat(result.holdingTime()).isEqualTo(Duration.ofMillis(300));
    assertThat(result.predictedBusy()).isEqualTo(24);
  }

  @Test
  void the_worst_moment_is_the_sample_with_most_busy_workers() {
    assertThat(SampleResults.with().worstBusy()).isEqualTo(24);
  }
}

package dev.recloser.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Percentiles of calls, measured only while somebody asks for them. */
final class LatenciesTest {
  private final FakeTime time = FakeTime.create();
  private final Latencies latencies = new Latencies(time);
  private final CircuitBreaker breaker =
      CircuitBreaker.create(
          "b", c -> c.ticker(time).slowCallDurationThreshold(Duration.ofSeconds(5)));

  @Test
  void they_are_of_the_calls_since_somebody_asked() {
    call(9_000);
    assertThat(latencies.of(breaker)).isEmpty();
    for (int millis = 100; millis >= 1; millis--) {
      call(millis);
    }
    assertThat(latencies.of(breaker))
        .hasValue(
            new Latencies.Percentiles(
                100,
                Duration.ofMillis(50),
                Duration.ofMillis(95),
                Duration.ofMillis(99),
                Duration.ofMillis(100)));
  }

  @Test
  void one_call_is_all_percentiles() {
    assertThat(latencies.of(breaker)).isEmpty();
    call(7);
    Duration seven = Duration.ofMillis(7);
    assertThat(latencies.of(breaker))
        .hasValue(new Latencies.Percentiles(1, seven, seven, seven, seven));
  }

  @Test
  void old_calls_make_room() {
    assertThat(latencies.of(breaker)).isEmpty();
    call(4_000);
    for (int i = 0; i < Latencies.CALLS; i++) {
      call(0);
      assertThat(latencies.of(breaker)).isPresent();
    }
    assertThat(latencies.of(breaker).orElseThrow().max()).isZero();
  }

  @Test
  void who_no_longer_asks_costs_nothing() {
    assertThat(latencies.of(breaker)).isEmpty();
    time.advance(Duration.ofSeconds(31));
    assertThat(latencies.size()).isEqualTo(1);
    call(1);
    assertThat(latencies.size()).isZero();
    call(1);
    assertThat(latencies.of(breaker)).as("it begins anew").isEmpty();
  }

  @Test
  void a_breaker_without_calls_is_forgotten_when_somebody_asks_for_another() {
    assertThat(latencies.of(breaker)).isEmpty();
    time.advance(Duration.ofSeconds(31));
    assertThat(latencies.of(CircuitBreaker.create("other"))).isEmpty();
    assertThat(latencies.size()).isEqualTo(1);
    latencies.close();
    assertThat(latencies.size()).isZero();
  }

  @Test
  void a_closed_panel_listens_to_none_whoever_asks() {
    latencies.close();
    assertThat(latencies.of(breaker)).isEmpty();
    call(1);
    assertThat(latencies.of(breaker)).isEmpty();
    assertThat(latencies.size()).isZero();
  }

  private void call(int millis) {
    breaker.run(() -> time.advance(Duration.ofMillis(millis)));
  }
}

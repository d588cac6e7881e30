package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.test.FakeTime;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunClockTest {
  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE - 1})
  void counts_from_the_start_whatever_the_ticker_reads(long origin) {
    FakeTime time = FakeTime.startingAt(origin);
    var clock = new RunClock(time, DemoPlan.ofRun(Duration.ofSeconds(10)));
    time.advance(Duration.ofSeconds(5));
    clock.start();
    time.advance(Duration.ofSeconds(3));

    assertThat(clock.elapsed()).hasSeconds(3);
    assertThat(clock.phase()).isEqualTo(Phase.SICK);
  }
}

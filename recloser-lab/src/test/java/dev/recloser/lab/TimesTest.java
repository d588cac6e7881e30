package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimesTest {
  @ParameterizedTest
  @CsvSource({
    "PT0S, 0:00.000",
    "PT0.0009S, 0:00.000",
    "PT12.8S, 0:12.800",
    "PT59M59.999S, 59:59.999",
    "PT1H2M3.4S, 1:02:03.400",
    "PT50H, 2d 02:00:00.000",
    "P36500D, 36500d 00:00:00.000"
  })
  void aMomentReadsAsOnAClock(Duration time, String text) {
    assertThat(Times.clock(time.toNanos())).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT0.000000001S, 1 ns",
    "PT0.0000019S, 1900 ns",
    "PT0.00001S, 0.01 ms",
    "PT0.0125S, 12.5 ms",
    "PT0.2S, 200 ms",
    "PT22.4S, 22.4 s",
    "PT30S, 30 s",
    "PT59.9999S, 59.999 s",
    "PT1M, 1 min",
    "PT1M5.9S, 1 min 5 s",
    "PT65M, 1 h 5 min",
    "PT72H, 3 d",
    "P10000000DT5H, 10000000 d 5 h"
  })
  void aLengthReadsInItsTwoLargestUnits(Duration time, String text) {
    assertThat(Times.span(time)).isEqualTo(text);
  }
}

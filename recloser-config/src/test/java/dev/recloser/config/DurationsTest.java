package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "10ns, PT0.00000001S",
    "500us, PT0.0005S",
    "150ms, PT0.15S",
    "30s, PT30S",
    "30 s, PT30S",
    "30S, PT30S",
    "2m, PT2M",
    "1h, PT1H",
    "1d, PT24H",
    "250, PT0.25S",
    "0, PT0S",
    "-5s, PT-5S",
    "PT1M30S, PT1M30S",
    "pt0.5s, PT0.5S",
    "P2D, PT48H"
  })
  void reads(String text, Duration expected) {
    assertThat(Durations.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "s",
        "1.5s",
        "30sec",
        "30  s",
        "30s 5ms",
        "PT",
        "1w",
        "ten",
        "9223372036854775808",
        "9223372036854775807d"
      })
  void does_not_read(String text) {
    assertThat(Durations.parse(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"30", "-1", "0"})
  void a_bare_number_has_no_unit(String text) {
    assertThat(Durations.parseWithUnit(text)).isNull();
  }
}

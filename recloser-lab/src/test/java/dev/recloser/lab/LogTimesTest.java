package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LogTimesTest {
  private final LogTimes times = new LogTimes();

  @ParameterizedTest
  @CsvSource({
    "31/Jan/2026:12:00:00 +0000, 2026-01-31T12:00:00Z",
    "31/Jan/2026:12:00:00 +0100, 2026-01-31T11:00:00Z",
    "31/Jan/2026:12:00:00 -0330, 2026-01-31T15:30:00Z",
    "31/Jan/2026:12:00:00.5 +0000, 2026-01-31T12:00:00.5Z",
    "31/Jan/2026:12:00:00.123, 2026-01-31T12:00:00.123Z",
    "31/Jan/2026:12:00:00, 2026-01-31T12:00:00Z",
    "29/Feb/2028:23:59:59 +0000, 2028-02-29T23:59:59Z",
    "01/Jan/1970:00:00:00 +0000, 1970-01-01T00:00:00Z",
    "31/Dec/2026:23:59:60 +0000, 2027-01-01T00:00:00Z",
    "2026-01-31T12:00:00+01:00, 2026-01-31T11:00:00Z",
    "2026-01-31T12:00:00.000001Z, 2026-01-31T12:00:00.000001Z"
  })
  void a_moment_is_counted_from_1970(String text, Instant moment) {
    long nanos = Duration.between(Instant.EPOCH, moment).toNanos();
    assertThat(times.toNanos(text)).isEqualTo(nanos);
    assertThat(times.toNanos(text)).as("on the same day").isEqualTo(nanos);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "31/Jan/2026",
        "31/Foo/2026:12:00:00 +0000",
        "31/Feb/2026:12:00:00 +0000",
        "31.Jan.2026:12:00:00 +0000",
        "31/Jan/2026 12:00:00 +0000",
        "31/Jan/2026:24:00:00 +0000",
        "31/Jan/2026:12:61:00 +0000",
        "31/Jan/2026:12:00:00 0000",
        "31/Jan/2026:12:00:00 +01:00",
        "31/Jan/2026:12:00:00 CET",
        "31/Jan/2026:12:00:00.1234567890 +0000",
        "31/Dec/1969:12:00:00 +0000",
        "31/Jan/2126:12:00:00 +0000",
        "2026-01-31 12:00:00",
        "1769860800"
      })
  void anything_else_is_none(String text) {
    assertThat(times.toNanos(text)).isEqualTo(-1);
  }

  @Test
  void a_wrong_day_does_not_spoil_the_next() {
    assertThat(times.toNanos("01/Jan/1970:00:00:01 +0000")).isEqualTo(1_000_000_000L);
    assertThat(times.toNanos("99/Jan/1970:00:00:01 +0000")).isEqualTo(-1);
    assertThat(times.toNanos("02/Jan/1970:00:00:01 +0000")).isEqualTo(86_401_000_000_000L);
  }
}

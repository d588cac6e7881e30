package dev.recloser.lab;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstantsTest {
  private final Instants instants = requireNonNull(Instants.startingWith("2026-01-31T12:00:00.5Z"));

  @ParameterizedTest
  @CsvSource({
    "2026-01-31T12:00:00.5Z, PT0S",
    "2026-01-31T12:00:00.500000001Z, PT0.000000001S",
    "2026-01-31T12:00:01Z, PT0.5S",
    "2026-01-31T23:59:59.999Z, PT11H59M59.499S",
    "2026-01-31T24:00:00Z, PT11H59M59.5S",
    "2026-01-31T14:00:01+01:00, PT1H0.5S",
    "2026-02-01T00:00:00Z, PT11H59M59.5S",
    "2026-01-31t12:00:01z, PT0.5S"
  })
  void countsFromTheFirst(String text, Duration elapsed) {
    assertThat(instants.toNanos(text)).isEqualTo(elapsed.toNanos());
    instants.toNanos("2026-01-31T12:30:00Z"); // Now the day is known.
    assertThat(instants.toNanos(text)).isEqualTo(elapsed.toNanos());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Z",
        "2026-01-31T12:00:00.4Z",
        "2026-01-30T12:00:01Z",
        "2126-01-31T12:00:01Z",
        "2026-01-31T25:00:00Z",
        "2026-01-31T12:60:00Z",
        "2026-01-31T12:00:61Z",
        "2026-01-31T12:0a:00Z",
        "2026-01-31T12-00-01Z",
        "2026-01-31T12:00:01.1234567890Z",
        "2026-01-31T12:00:01,5Z",
        "2026-01-31T12:00:01.5xZ",
        "2026-01-31T12:00:01.5",
        "2026-01-31T12:00:01.-5Z",
        "2026-01-31T1/:00:01Z"
      })
  void whatIsNoInstantOrOutOfRangeIsNone(String text) {
    assertThat(instants.toNanos(text)).isEqualTo(-1);
    instants.toNanos("2026-01-31T12:30:00Z"); // Now the day is known.
    assertThat(instants.toNanos(text)).isEqualTo(-1);
  }

  @Test
  void readsLikeTheJdkInAnyOrder() {
    Random random = new Random(1);
    Instant first = Instant.parse("2026-01-31T12:00:00.5Z");
    for (int i = 0; i < 100_000; i++) {
      long nanos = random.nextLong(Duration.ofDays(3).toNanos()) / (i % 2 == 0 ? 1 : 1_000_000);
      assertThat(instants.toNanos(first.plusNanos(nanos).toString())).isEqualTo(nanos);
    }
  }
}

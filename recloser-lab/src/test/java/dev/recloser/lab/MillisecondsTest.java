package dev.recloser.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MillisecondsTest {
  @Test
  void readsNumbersOfAnyLengthLikeTheJdk() {
    Random random = new Random(1);
    for (int i = 0; i < 100_000; i++) {
      BigDecimal millis = BigDecimal.valueOf(random.nextLong(1L << random.nextInt(1, 40)));
      millis = millis.movePointLeft(random.nextInt(12));
      long nanos = millis.movePointRight(6).longValue();
      assertThat(Milliseconds.toNanos(millis.toPlainString())).as("%s", millis).isEqualTo(nanos);
      assertThat(Milliseconds.toNanos(millis.toString())).as("%s", millis).isEqualTo(nanos);
    }
  }

  @Test
  void refusesNumbersThatNobodyWrites() {
    assertThat(Milliseconds.toNanos("0".repeat(101))).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0",
    "PT0.000000001S, 0.000001",
    "PT0.0125S, 12.5",
    "PT100S, 100000",
    "PT-0.5S, -500",
    "P100000000000DT0.001S, 8640000000000000001"
  })
  void writesTheShortestNumberThatIsExact(Duration time, String text) {
    assertThat(Milliseconds.of(time).toPlainString()).isEqualTo(text);
    if (time.toDays() < 36_500) {
      assertThat(Milliseconds.ofNanos(time.toNanos()).toPlainString()).isEqualTo(text);
    }
  }
}

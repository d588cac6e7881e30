package dev.recloser.test;

import static dev.recloser.test.RecloserAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.recloser.CircuitBreaker;
import dev.recloser.RefusalReason;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The example that the package shows. */
@ExtendWith(RecloserExtension.class)
class ExampleTest {
  @Test
  void is_probed_after_the_wait(FakeTime time, Breakers breakers) {
    CircuitBreaker inventory = breakers.create("inventory", c -> c.slidingWindowSize(4));
    FlakyCall<String> stock = FlakyCall.returning("7 left", time).fail(4, IOException::new);

    for (int i = 0; i < 4; i++) {
      assertThatIOException().isThrownBy(() -> inventory.call(stock));
    }
    assertThat(inventory).isOpen().refusesCalls(RefusalReason.OPEN);

    time.advance(Duration.ofSeconds(60));
    assertThat(inventory).permitsCalls().isHalfOpen();
  }
}

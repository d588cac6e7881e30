package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FateTest {
  @Test
  void an_order_meets_the_same_fate_in_every_run() {
    assertThat(fates(Phase.SICK)).isEqualTo(fates(Phase.SICK));
  }

  @Test
  void a_healthy_inventory_answers_within_20_ms() {
    assertThat(fates(Phase.HEALTHY))
        .allMatch(fate -> fate.status() == 200)
        .allMatch(fate -> fate.delay().toMillis() >= 10 && fate.delay().toMillis() <= 20);
    assertThat(fates(Phase.RECOVERED)).isEqualTo(fates(Phase.HEALTHY));
  }

  @Test
  void of_ten_calls_to_a_sick_inventory_seven_hang_two_are_slow_and_one_is_refused() {
    List<Fate> fates = fates(Phase.SICK);

    assertThat(share(fates.stream().filter(FateTest::hangs).count())).isBetween(68, 72);
    assertThat(share(fates.stream().filter(FateTest::isSlow).count())).isBetween(18, 22);
    assertThat(share(fates.stream().filter(f -> f.status() == 503).count())).isBetween(8, 12);
  }

  private static boolean hangs(Fate fate) {
    return fate.delay().compareTo(HttpInventory.TIMEOUT) > 0;
  }

  private static boolean isSlow(Fate fate) {
    return fate.delay().compareTo(Duration.ofMillis(200)) >= 0 && !hangs(fate);
  }

  private static int share(long ofTenThousand) {
    return Math.round(ofTenThousand / 100f);
  }

  private static List<Fate> fates(Phase phase) {
    return IntStream.range(0, 10_000).mapToObj(order -> Fate.of(order, phase)).toList();
  }
}

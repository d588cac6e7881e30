package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemoPlanTest {
  @Test
  void inventory_is_healthy_then_sick_then_healthy_again() {
    DemoPlan plan = DemoPlan.ofRun(Duration.ofSeconds(10));

    assertThat(plan.phaseAt(Duration.ZERO)).isEqualTo(Phase.HEALTHY);
    assertThat(plan.phaseAt(Duration.ofMillis(1_999))).isEqualTo(Phase.HEALTHY);
    assertThat(plan.phaseAt(Duration.ofSeconds(2))).isEqualTo(Phase.SICK);
    assertThat(plan.phaseAt(Duration.ofMillis(5_999))).isEqualTo(Phase.SICK);
    assertThat(plan.phaseAt(Duration.ofSeconds(6))).isEqualTo(Phase.RECOVERED);
    assertThat(plan.phaseAt(Duration.ofSeconds(20))).isEqualTo(Phase.RECOVERED);
  }

  @Test
  void a_warm_up_is_healthy_to_its_end() {
    DemoPlan plan = DemoPlan.healthy(Duration.ofSeconds(1));

    assertThat(plan.phaseAt(Duration.ofSeconds(1))).isEqualTo(Phase.HEALTHY);
  }

  @ParameterizedTest
  @ValueSource(ints = {DemoPlan.MIN_SECONDS, 40, DemoPlan.MAX_SECONDS})
  void both_runs_fit_into_the_demo(int seconds) {
    DemoPlan plan = DemoPlan.ofDemo(seconds);

    assertThat(plan.length().multipliedBy(2)).isPositive().isLessThan(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(ints = {DemoPlan.MIN_SECONDS, 40, DemoPlan.MAX_SECONDS})
  void the_breaker_has_time_to_probe_while_sick_and_to_ramp_up_after(int seconds) {
    DemoPlan plan = DemoPlan.ofDemo(seconds);
    Duration recovered = plan.length().minus(plan.sickUntil());

    assertThat(plan.waitDurationInOpenState().multipliedBy(3)).isLessThan(plan.sickFor());
    assertThat(plan.waitDurationInOpenState().plus(plan.rampUpDuration())).isLessThan(recovered);
  }

  @ParameterizedTest
  @CsvSource({"3, 250", "10, 500", "20, 1000", "40, 2000", "149, 5000"})
  void a_log_has_about_twenty_lines_a_run(int runSeconds, long tickMillis) {
    assertThat(DemoPlan.ofRun(Duration.ofSeconds(runSeconds)).tick()).hasMillis(tickMillis);
  }
}

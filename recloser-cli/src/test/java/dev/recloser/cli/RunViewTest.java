package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreakerConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunViewTest {
  private final Recorder recorder = new Recorder();
  private final DemoPlan plan = DemoPlan.ofRun(Duration.ofSeconds(20));
  private final RunView view = new RunView(plan, recorder);

  @Test
  void shows_the_run_once_an_interval() {
    for (int millis = 50; millis <= 3_000; millis += 50) {
      update(millis, 0, 0);
    }

    assertThat(recorder.moments)
        .extracting(m -> m.elapsed().toMillis())
        .containsExactly(1_000L, 2_000L, 3_000L);
  }

  @Test
  void a_late_moment_does_not_delay_the_next() {
    update(1_300, 0, 0);
    update(2_000, 0, 0);

    assertThat(recorder.moments).hasSize(2);
  }

  @Test
  void rates_are_those_of_the_last_tick() {
    update(1_000, 0, 80);
    update(2_000, 0, 120);

    assertThat(recorder.moments)
        .extracting(m -> m.perSecond(Count.ORDERS_IN_FULL))
        .containsExactly(80L, 40L);
  }

  @Test
  void the_busiest_moment_since_the_last_line_is_shown() {
    update(400, 30, 0);
    update(1_000, 5, 0);
    update(2_000, 7, 0);

    assertThat(recorder.moments).extracting(Moment::busy).containsExactly(30, 7);
  }

  @Test
  void a_change_of_inventory_is_told_once() {
    view.announce(Phase.HEALTHY);
    view.announce(Phase.SICK);
    view.announce(Phase.SICK);
    view.announce(Phase.RECOVERED);

    assertThat(recorder.headlines)
        .containsExactly(
            "*** 4.0 s  inventory turns sick: " + Fate.SICK,
            "*** 12.0 s  inventory has recovered: " + Fate.HEALTHY);
  }

  private void update(int millis, int busy, long answered) {
    var counts = new Counts(Map.of(Count.ORDERS_IN_FULL, answered));
    view.update(Duration.ofMillis(millis), null, busy, 0, counts);
  }

  /** Keeps what it is shown. */
  private static final class Recorder implements DemoScreen {
    private final List<Moment> moments = new ArrayList<>();
    private final List<String> headlines = new ArrayList<>();

    @Override
    public void print(List<String> lines) {}

    @Override
    public void tell(News news) {
      headlines.add(news.headline());
    }

    @Override
    public void begin(String run, DemoPlan plan, CircuitBreakerConfig breaker) {}

    @Override
    public void show(Moment moment) {
      moments.add(moment);
    }

    @Override
    public void end() {}

    @Override
    public Duration interval() {
      return Duration.ofSeconds(1);
    }
  }
}

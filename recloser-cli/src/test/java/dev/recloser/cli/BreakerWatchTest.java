package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.Outcome;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BreakerWatchTest {
  private final FakeTime time = FakeTime.create();
  private final DemoPlan plan = DemoPlan.ofRun(Duration.ofSeconds(10));
  private final RunClock clock = new RunClock(time, plan);
  private final CircuitBreaker breaker =
      CircuitBreaker.create(
          "inventory",
          config ->
              config
                  .slidingWindowSize(2)
                  .slowCallDurationThreshold(Duration.ofMillis(100))
                  .waitDurationInOpenState(Duration.ofSeconds(1))
                  .permittedNumberOfCallsInHalfOpenState(1)
                  .ticker(time)
                  .scheduler(time));
  private final BreakerWatch watch = new BreakerWatch(breaker, clock, plan);

  @Test
  void measures_from_inventory_turning_sick_to_the_opening() {
    time.advanceTo(plan.sickFrom().plusMillis(20));
    breaker.acquire();
    breaker.acquire();
    time.advance(Duration.ofMillis(101));

    assertThat(watch.story().openedAfter())
        .isBetween(Duration.ofMillis(120), Duration.ofMillis(121));
    assertThat(watch.story().firstSlowCall()).isGreaterThan(Duration.ofMillis(100));
  }

  @Test
  void an_opening_while_inventory_is_healthy_is_not_its_doing() {
    fail();
    fail();

    assertThat(watch.story().openings()).isOne();
    assertThat(watch.story().openedAfter()).isNull();
  }

  @Test
  void counts_what_the_breaker_has_done() {
    time.advanceTo(plan.sickFrom());
    fail();
    fail();
    assertThat(breaker.tryAcquire()).isNull();
    time.advance(Duration.ofSeconds(1));
    breaker.acquire().record(Outcome.SUCCESS);

    assertThat(watch.story().openings()).isOne();
    assertThat(watch.story().closings()).isOne();
    assertThat(watch.story().refused()).isOne();
    assertThat(watch.story().timeOpen()).hasSeconds(1);
  }

  @Test
  void tells_each_transition_once_with_its_explanation() {
    time.advanceTo(Duration.ofSeconds(3));
    fail();
    fail();

    News news = watch.nextNews();

    assertThat(news.headline()).isEqualTo(">>> 3.0 s  CLOSED -> OPEN  FAILURE_RATE");
    assertThat(String.join("\n", news.explanation())).contains("inventory is OPEN for 1 s more");
    assertThat(watch.nextNews()).isNull();
  }

  @Test
  void a_closed_watch_hears_nothing() {
    watch.close();
    fail();
    fail();

    assertThat(watch.nextNews()).isNull();
  }

  private void fail() {
    breaker.acquire().record(Outcome.FAILURE);
  }
}

package dev.recloser.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.recloser.Cancellable;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.TransitionCause;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The states of the last day. */
@Timeout(60)
final class TimelineTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long HOUR = Duration.ofHours(1).toNanos();

  private final FakeTime time = FakeTime.create();
  private final CircuitBreakerRegistry registry = CircuitBreakerRegistry.create();
  private Timelines timelines = new Timelines(registry);

  @AfterEach
  void close() {
    timelines.close();
  }

  @Test
  void a_breaker_that_never_moved_has_been_closed_since_it_was_made() {
    CircuitBreaker breaker = breaker("a");
    time.advance(Duration.ofHours(2));
    Timeline.View view = timelines.of(breaker).view();
    assertThat(view.since()).isEqualTo(2 * HOUR);
    assertThat(view.state()).isEqualTo(State.CLOSED);
    assertThat(view.changes()).isEmpty();
    time.advance(Duration.ofDays(3));
    assertThat(timelines.of(breaker).view().since()).isEqualTo(24 * HOUR);
  }

  @Test
  void changes_have_their_age_and_cause_and_the_oldest_comes_first() {
    CircuitBreaker breaker = breaker("a");
    time.advance(Duration.ofSeconds(5));
    breaker.transitionTo(State.OPEN);
    time.advance(Duration.ofMinutes(1));
    breaker.run(() -> {}); // A probe.
    Timeline.View view = timelines.of(breaker).view();
    assertThat(view.since()).isEqualTo(65 * SECOND);
    assertThat(view.changes())
        .extracting(Timeline.Change::to, Timeline.Change::cause, Timeline.Change::isByHand)
        .containsExactly(
            tuple(State.OPEN, TransitionCause.OPERATOR, true),
            tuple(State.HALF_OPEN, TransitionCause.WAIT_ELAPSED, false));
    assertThat(view.changes()).extracting(view::age).containsExactly(60 * SECOND, 0L);
  }

  @Test
  void many_changes_are_kept_though_the_breaker_keeps_few() {
    CircuitBreaker breaker = breaker("a");
    flap(breaker, 100);
    assertThat(timelines.of(breaker).view().changes()).hasSize(200);
    assertThat(breaker.transitions()).hasSizeLessThan(200);
  }

  @Test
  void the_oldest_make_room_and_what_was_before_is_not_told() {
    CircuitBreaker breaker = breaker("a");
    flap(breaker, 400);
    Timeline.View view = timelines.of(breaker).view();
    assertThat(view.changes()).hasSize(Timeline.MOST_CHANGES);
    assertThat(view.state()).isEqualTo(State.CLOSED);
    assertThat(view.since()).isEqualTo(513 * SECOND);
    assertThat(view.changes().get(0).to()).isEqualTo(State.FORCED_OPEN);
  }

  @Test
  void a_day_later_only_the_state_that_they_led_to_is_left() {
    CircuitBreaker breaker = breaker("a");
    breaker.transitionTo(State.DISABLED);
    time.advance(Duration.ofHours(24));
    assertThat(timelines.of(breaker).view().changes()).hasSize(1);
    time.advance(Duration.ofNanos(1));
    Timeline.View view = timelines.of(breaker).view();
    assertThat(view.changes()).isEmpty();
    assertThat(view.state()).isEqualTo(State.DISABLED);
    assertThat(view.since()).isEqualTo(24 * HOUR);
  }

  @Test
  void a_panel_that_comes_late_has_what_the_breaker_still_knows() {
    timelines.close();
    CircuitBreaker old = breaker("old");
    flap(old, 100);
    CircuitBreaker young = breaker("young");
    time.advance(Duration.ofSeconds(7));
    flap(young, 1);
    timelines = new Timelines(registry);

    Timeline.View view = timelines.of(old).view();
    assertThat(view.changes()).hasSameSizeAs(old.transitions());
    assertThat(view.state()).isEqualTo(old.transitions().get(0).from());
    assertThat(view.since()).isEqualTo(view.age(view.changes().get(0)));
    assertThat(timelines.of(young).view().since()).isEqualTo(9 * SECOND);
    assertThat(timelines.of(young).view().changes()).hasSize(2);

    flap(old, 50);
    assertThat(timelines.of(old).view().changes())
        .hasSize(100 + old.transitions().size())
        .isSortedAccordingTo((a, b) -> Long.compare(a.at(), b.at()));
  }

  @Test
  void how_often_it_opened_is_told_by_the_hour_and_by_the_day() {
    CircuitBreaker breaker = breaker("a");
    for (Duration pause : List.of(Duration.ofHours(23), Duration.ofMinutes(59), Duration.ZERO)) {
      breaker.transitionTo(State.OPEN);
      breaker.reset();
      time.advance(pause);
    }
    breaker.transitionTo(State.FORCED_OPEN); // That is not an opening.
    assertThat(timelines.of(breaker).openings()).isEqualTo(new Timeline.Openings(2, 3));
    time.advance(Duration.ofMinutes(2));
    assertThat(timelines.of(breaker).openings()).isEqualTo(new Timeline.Openings(1, 2));
    time.advance(Duration.ofHours(30));
    assertThat(timelines.of(breaker).openings()).isEqualTo(new Timeline.Openings(0, 0));
  }

  @Test
  void a_breaker_that_has_gone_is_forgotten_and_one_of_its_name_begins_anew() {
    CircuitBreaker breaker = breaker("a");
    flap(breaker, 40);
    registry.remove("a");
    assertThat(timelines.of(breaker).view().changes()).hasSameSizeAs(breaker.transitions());
    assertThat(timelines.of(breaker("a")).view().changes()).isEmpty();
  }

  @Test
  void changes_that_are_told_late_are_there_at_once_and_none_is_lost_or_told_twice()
      throws Exception {
    CircuitBreaker breaker =
        CircuitBreaker.create("a", CircuitBreakerConfig.of(c -> c.ticker(time)));
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Cancellable slow = // It is told first, and keeps the timeline waiting for its turn.
        breaker.on(
            StateTransition.class,
            told -> {
              stuck.countDown();
              assertThat(await(goOn)).isTrue();
            });
    Timeline timeline = new Timeline(breaker);
    Cancellable registration = breaker.on(StateTransition.class, timeline::add);
    timeline.catchUp();
    Thread delivers = new Thread(() -> breaker.transitionTo(State.DISABLED));
    delivers.start();
    assertThat(await(stuck)).isTrue();

    assertThat(timeline.view().changes()).hasSize(1);
    flap(breaker, 30); // More than the breaker knows, and nobody tells of them yet.
    assertThat(timeline.view().changes()).as("no gap").hasSize(1);
    goOn.countDown();
    delivers.join();
    assertThat(timeline.view().changes()).hasSize(61);
    slow.cancel();
    registration.cancel();
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Two changes each time, a second apart. */
  private void flap(CircuitBreaker breaker, int times) {
    for (int i = 0; i < times; i++) {
      breaker.transitionTo(State.FORCED_OPEN);
      time.advance(Duration.ofSeconds(1));
      breaker.reset();
      time.advance(Duration.ofSeconds(1));
    }
  }

  private CircuitBreaker breaker(String name) {
    return registry.circuitBreaker(name, CircuitBreakerConfig.of(c -> c.ticker(time)));
  }
}

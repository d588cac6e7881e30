package dev.recloser.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.Policies;
import dev.recloser.PolicySource;
import dev.recloser.Ticker;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a reader is told, and what it need not be told again. */
final class BoardTest {
  private final FakeTime time = FakeTime.create();
  private final CircuitBreakerRegistry registry = CircuitBreakerRegistry.create();
  private final Boards boards =
      new Boards(registry, new Timelines(registry), time, Duration.ofMillis(500).toNanos());

  @Test
  void time_that_passes_is_no_change() {
    breaker("a").transitionTo(State.OPEN);
    Board before = look();
    time.advance(Duration.ofSeconds(1));
    assertThat(look().since(before).isNothing()).isTrue();
  }

  @Test
  void a_call_is_a_change_of_its_breaker_only() {
    CircuitBreaker a = breaker("a");
    CircuitBreaker unused = breaker("b");
    Board before = look();
    Requests.succeed(a, 1);
    Board.Change change = look().since(before);
    assertThat(change.rows()).extracting(BreakerRow::name).containsExactly("a");
    assertThat(change.gone()).isEmpty();
  }

  @Test
  void a_breaker_that_stands_still_is_no_change_but_its_time_goes_on() {
    CircuitBreaker a = breaker("a");
    a.transitionTo(CircuitBreaker.State.FORCED_OPEN, Duration.ofMinutes(1));
    Board before = look();
    time.advance(Duration.ofSeconds(20));
    Board after = look();

    assertThat(after.since(before).isNothing()).isTrue();
    assertThat(after.rows().get("a").inStateFor()).isEqualTo(Duration.ofSeconds(20));
    assertThat(after.rows().get("a").remaining()).isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void one_that_cannot_be_read_is_left_out_as_long_as_it_cannot() {
    AtomicBoolean broken = new AtomicBoolean();
    CircuitBreaker unused = breaker("a");
    unused =
        registry.circuitBreaker(
            "b", CircuitBreakerConfig.of(config -> config.ticker(() -> nanoTime(broken))));

    broken.set(true);
    assertThat(look().rows()).containsOnlyKeys("a");
    broken.set(false);
    time.advance(Duration.ofSeconds(1));
    assertThat(look().rows()).containsOnlyKeys("a", "b");
  }

  private static long nanoTime(AtomicBoolean broken) {
    if (broken.get()) {
      throw new IllegalStateException("no clock");
    }
    return 0;
  }

  @Test
  void a_slow_reader_gets_many_changes_as_one() {
    CircuitBreaker a = breaker("a");
    Board before = look();
    for (int i = 0; i < 1_000; i++) {
      Requests.succeed(a, 1);
      look();
    }
    assertThat(look().since(before).rows())
        .singleElement()
        .extracting(row -> row.look().succeeded())
        .isEqualTo(1_000L);
  }

  @Test
  void of_two_of_one_name_the_first_is_seen_and_found() throws Exception {
    breaker("a").transitionTo(State.FORCED_OPEN);
    Policies others = Policies.create();
    Requests.breaker(others, "a").transitionTo(State.DISABLED);
    PolicySource<CircuitBreaker> both =
        PolicySource.concat(List.of(registry, others.circuitBreakers()));

    Board board = new Boards(both, new Timelines(both), time, 1).present();
    assertThat(board.rows().get("a").look().state()).isEqualTo(State.FORCED_OPEN);
    try (ConsoleHandler panel = ConsoleHandler.create(both)) {
      assertThat(Requests.json(panel.answer(Requests.get("/api/breakers/a"))).get("state"))
          .hasToString("\"FORCED_OPEN\"");
    }
  }

  @Test
  void breakers_come_and_go_and_come_again() {
    CircuitBreaker unused = breaker("a");
    Board before = look();
    registry.remove("a");
    unused = breaker("b");
    Board between = look();
    assertThat(between.since(before).gone()).containsExactly("a");
    assertThat(between.since(before).rows()).extracting(BreakerRow::name).containsExactly("b");
    unused = breaker("a");
    assertThat(look().since(between).rows()).extracting(BreakerRow::name).containsExactly("a");
  }

  @Test
  void an_end_that_was_taken_off_a_state_is_a_change() {
    CircuitBreaker a = breaker("a");
    a.transitionTo(State.DISABLED, Duration.ofMinutes(1));
    Board before = look();
    a.transitionTo(State.DISABLED);
    assertThat(look().since(before).rows()).hasSize(1);
  }

  @Test
  void all_who_watch_share_one_look() {
    CircuitBreaker unused = breaker("a");
    Board first = boards.present();
    time.advance(Duration.ofMillis(449));
    assertThat(boards.present()).isSameAs(first);
    time.advance(Duration.ofMillis(1));
    assertThat(boards.present()).isNotSameAs(first);
  }

  @Test
  void who_asks_again_and_again_gets_what_was_read_already() {
    CircuitBreaker a = breaker("a");
    Board first = boards.recent();
    Requests.succeed(a, 1);
    assertThat(boards.recent()).isSameAs(first);
    time.advance(Duration.ofMillis(500));
    assertThat(boards.recent().rows().get("a").look().succeeded()).isEqualTo(1);
  }

  @Test
  void a_new_reader_does_not_wait_for_a_panel_that_is_rarely_refreshed() {
    Boards slow =
        new Boards(registry, new Timelines(registry), time, Duration.ofMinutes(1).toNanos());
    Board first = slow.recent();
    time.advance(Duration.ofMillis(500));
    assertThat(slow.present()).isSameAs(first);
    assertThat(slow.recent()).isNotSameAs(first);
  }

  @Test
  void what_somebody_has_changed_is_there_at_once() {
    CircuitBreaker a = breaker("a");
    Board first = boards.present();
    a.transitionTo(State.OPEN);
    boards.changed();
    assertThat(boards.present().rows().get("a").look().state()).isEqualTo(State.OPEN);
    assertThat(boards.present()).isNotSameAs(first).isSameAs(boards.recent());
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, AssertionError.class})
  void one_that_cannot_be_read_is_left_out_until_it_can_be(Class<? extends Throwable> thrown) {
    AtomicBoolean broken = new AtomicBoolean();
    Ticker ticker = () -> broken.get() ? sneaky(thrown) : 0;
    CircuitBreaker unused =
        registry.circuitBreaker("b", CircuitBreakerConfig.of(c -> c.ticker(ticker)));
    breaker("a").reset();
    breaker("c").reset();
    broken.set(true);
    ConsoleHandler panel = ConsoleHandler.create(registry);
    JsonNode all = Requests.json(panel.answer(Requests.get("/api/breakers")));
    assertThat(all.get("breakers").findValuesAsString("name")).containsExactly("a", "c");
    assertThat(panel.answer(Requests.get("/api/breaker?name=b")).status()).isEqualTo(500);

    Board before = look();
    assertThat(before.rows()).containsOnlyKeys("a", "c");
    broken.set(false);
    assertThat(look().since(before).rows()).extracting(BreakerRow::name).containsExactly("b");
  }

  private static long sneaky(Class<? extends Throwable> type) {
    if (type == AssertionError.class) {
      throw new AssertionError("no time");
    }
    throw new IllegalStateException("no time");
  }

  /** As somebody who has changed something does. */
  private Board look() {
    boards.changed();
    return boards.present();
  }

  private CircuitBreaker breaker(String name) {
    return registry.circuitBreaker(name, CircuitBreakerConfig.of(c -> c.ticker(time)));
  }
}

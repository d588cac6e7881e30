package dev.recloser.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.Policies;
import dev.recloser.PolicySource;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a reader is told, and what it need not be told again. */
final class BoardTest {
  private final FakeTime time = FakeTime.create();
  private final CircuitBreakerRegistry registry = CircuitBreakerRegistry.create();
  private final Boards boards =
      new Boards(registry, new Timelines(registry), time, Duration.ofMillis(500).toNanos());

  @Test
  void time_that_passes_is_no_change() {
    breaker("a").transitionTo(State.OPEN);
    Board before = boards.fresh();
    time.advance(Duration.ofSeconds(1));
    assertThat(boards.fresh().since(before).isNothing()).isTrue();
  }

  @Test
  void a_call_is_a_change_of_its_breaker_only() {
    CircuitBreaker a = breaker("a");
    CircuitBreaker unused = breaker("b");
    Board before = boards.fresh();
    Requests.succeed(a, 1);
    Board.Change change = boards.fresh().since(before);
    assertThat(change.rows()).extracting(BreakerRow::name).containsExactly("a");
    assertThat(change.gone()).isEmpty();
  }

  @Test
  void a_breaker_that_stands_still_is_no_change_but_its_time_goes_on() {
    CircuitBreaker a = breaker("a");
    a.transitionTo(CircuitBreaker.State.FORCED_OPEN, Duration.ofMinutes(1));
    Board before = boards.fresh();
    time.advance(Duration.ofSeconds(20));
    Board after = boards.fresh();

    assertThat(after.since(before).isNothing()).isTrue();
    assertThat(after.rows().get("a").inStateFor()).isEqualTo(Duration.ofSeconds(20));
    assertThat(after.rows().get("a").remaining()).isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void a_slow_reader_gets_many_changes_as_one() {
    CircuitBreaker a = breaker("a");
    Board before = boards.fresh();
    for (int i = 0; i < 1_000; i++) {
      Requests.succeed(a, 1);
      boards.fresh();
    }
    assertThat(boards.fresh().since(before).rows())
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

    Board board = new Boards(both, new Timelines(both), time, 1).fresh();
    assertThat(board.rows().get("a").look().state()).isEqualTo(State.FORCED_OPEN);
    try (ConsoleHandler panel = ConsoleHandler.create(both)) {
      assertThat(Requests.json(panel.answer(Requests.get("/api/breakers/a"))).get("state"))
          .hasToString("\"FORCED_OPEN\"");
    }
  }

  @Test
  void breakers_come_and_go_and_come_again() {
    CircuitBreaker unused = breaker("a");
    Board before = boards.fresh();
    registry.remove("a");
    unused = breaker("b");
    Board between = boards.fresh();
    assertThat(between.since(before).gone()).containsExactly("a");
    assertThat(between.since(before).rows()).extracting(BreakerRow::name).containsExactly("b");
    unused = breaker("a");
    assertThat(boards.fresh().since(between).rows())
        .extracting(BreakerRow::name)
        .containsExactly("a");
  }

  @Test
  void an_end_that_was_taken_off_a_state_is_a_change() {
    CircuitBreaker a = breaker("a");
    a.transitionTo(State.DISABLED, Duration.ofMinutes(1));
    Board before = boards.fresh();
    a.transitionTo(State.DISABLED);
    assertThat(boards.fresh().since(before).rows()).hasSize(1);
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

  private CircuitBreaker breaker(String name) {
    return registry.circuitBreaker(name, CircuitBreakerConfig.of(c -> c.ticker(time)));
  }
}

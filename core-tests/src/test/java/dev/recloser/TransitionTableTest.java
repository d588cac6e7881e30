package dev.recloser;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every state and every event: where the breaker goes and why; if it stays, whether the call was
 * admitted, refused or late.
 *
 * <p>The breaker judges by its last call and by one probe, so that a single event shows what it
 * does. Each cell is tried without timers, where what is due waits for a call, and with timers and
 * no such call: the outcome is the same.
 */
final class TransitionTableTest {
  private static final String STATES_OF_ITS_OWN =
      """
      EVENT               | CLOSED                | OPEN                   | HALF_OPEN
      a call              | admitted              | refused                | admitted
      a second call       | admitted              | refused                | refused
      a success           | admitted              | refused                | CLOSED PROBES_SUCCEEDED
      a failure           | OPEN FAILURE_RATE     | refused                | OPEN PROBES_FAILED
      a slow success      | OPEN SLOW_CALL_RATE   | refused                | OPEN PROBES_FAILED
      a slow failure      | OPEN FAILURE_RATE     | refused                | OPEN PROBES_FAILED
      an ignored call     | admitted              | refused                | admitted
      a cancelled call    | admitted              | refused                | admitted
      a call ends twice   | admitted              | refused                | CLOSED PROBES_SUCCEEDED
      a late result       | late                  | late                   | late
      an overdue call     | OPEN SLOW_CALL_RATE   | refused                | admitted
      the wait elapses    | stays                 | HALF_OPEN WAIT_ELAPSED | stays
      the lease elapses   | admitted              | refused                | OPEN PROBES_FAILED
      half open times out | stays                 | stays                  | OPEN HALF_OPEN_TIMEOUT
      a set time elapses  | stays                 | HALF_OPEN WAIT_ELAPSED | stays
      set to closed       | stays                 | CLOSED OPERATOR        | CLOSED OPERATOR
      set to open         | OPEN OPERATOR         | stays                  | OPEN OPERATOR
      set to half open    | HALF_OPEN OPERATOR    | HALF_OPEN OPERATOR     | stays
      set to forced open  | FORCED_OPEN OPERATOR  | FORCED_OPEN OPERATOR   | FORCED_OPEN OPERATOR
      set to disabled     | DISABLED OPERATOR     | DISABLED OPERATOR      | DISABLED OPERATOR
      set to metrics only | METRICS_ONLY OPERATOR | METRICS_ONLY OPERATOR  | METRICS_ONLY OPERATOR
      reset               | CLOSED RESET          | CLOSED RESET           | CLOSED RESET
      reconfigured        | stays                 | stays                  | stays
      """;

  private static final String STATES_OF_AN_OPERATOR =
      """
      EVENT               | FORCED_OPEN           | DISABLED              | METRICS_ONLY
      a call              | refused               | admitted              | admitted
      a second call       | refused               | admitted              | admitted
      a success           | refused               | admitted              | admitted
      a failure           | refused               | admitted              | admitted
      a slow success      | refused               | admitted              | admitted
      a slow failure      | refused               | admitted              | admitted
      an ignored call     | refused               | admitted              | admitted
      a cancelled call    | refused               | admitted              | admitted
      a call ends twice   | refused               | admitted              | admitted
      a late result       | late                  | late                  | late
      an overdue call     | refused               | admitted              | admitted
      the wait elapses    | stays                 | stays                 | stays
      the lease elapses   | refused               | admitted              | admitted
      half open times out | stays                 | stays                 | stays
      a set time elapses  | CLOSED WAIT_ELAPSED   | CLOSED WAIT_ELAPSED   | CLOSED WAIT_ELAPSED
      set to closed       | CLOSED OPERATOR       | CLOSED OPERATOR       | CLOSED OPERATOR
      set to open         | OPEN OPERATOR         | OPEN OPERATOR         | OPEN OPERATOR
      set to half open    | HALF_OPEN OPERATOR    | HALF_OPEN OPERATOR    | HALF_OPEN OPERATOR
      set to forced open  | stays                 | FORCED_OPEN OPERATOR  | FORCED_OPEN OPERATOR
      set to disabled     | DISABLED OPERATOR     | stays                 | DISABLED OPERATOR
      set to metrics only | METRICS_ONLY OPERATOR | METRICS_ONLY OPERATOR | stays
      reset               | CLOSED RESET          | CLOSED RESET          | CLOSED RESET
      reconfigured        | stays                 | stays                 | stays
      """;

  private static final Duration LIMIT = Duration.ofMillis(100);
  private static final Duration LEASE = Duration.ofMillis(500);
  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final Duration SET_TIME = Duration.ofSeconds(2);
  private static final Duration MOST_HALF_OPEN = Duration.ofMillis(800);

  static Stream<Arguments> cells() {
    return Stream.of(STATES_OF_ITS_OWN, STATES_OF_AN_OPERATOR)
        .flatMap(TransitionTableTest::cellsOf)
        .flatMap(
            cell ->
                Stream.of(false, true)
                    .map(timers -> Arguments.of(cell.state, cell.event, timers, cell.outcome)));
  }

  @ParameterizedTest(name = "{0}, {1}, timers {2}: {3}")
  @MethodSource("cells")
  void everyEventInEveryStateDoesWhatTheTableSays(
      State state, Event event, boolean timers, String outcome) {
    Bench bench = new Bench(timers);
    bench.put(state, event == Event.A_SET_TIME_ELAPSES);
    event.happen(bench);
    assertThat(bench.outcome()).isEqualTo(outcome);
    assertThat(bench.breaker.state())
        .isEqualTo(bench.moves().isEmpty() ? state : State.valueOf(outcome.split(" ", 2)[0]));
  }

  @Test
  void theTableIsComplete() {
    assertThat(cells()).hasSize(2 * State.values().length * Event.values().length);
  }

  private static Stream<Cell> cellsOf(String table) {
    List<String[]> rows = table.lines().map(line -> line.strip().split("\\s*\\|\\s*", -1)).toList();
    List<Cell> cells = new ArrayList<>();
    for (String[] row : rows.subList(1, rows.size())) {
      for (int column = 1; column < row.length; column++) {
        State state = State.valueOf(rows.get(0)[column]);
        cells.add(new Cell(state, Event.of(row[0]), row[column]));
      }
    }
    return cells.stream();
  }

  private record Cell(State state, Event event, String outcome) {}

  /** What can happen to a breaker; named as in the table. */
  @SuppressWarnings("ImmutableEnumChecker") // The actions hold nothing.
  enum Event {
    A_CALL(Bench::call),
    A_SECOND_CALL(
        bench -> {
          bench.call();
          bench.call();
        }),
    A_SUCCESS(bench -> bench.callThatEnds(Outcome.SUCCESS, Duration.ZERO)),
    A_FAILURE(bench -> bench.callThatEnds(Outcome.FAILURE, LIMIT)),
    A_SLOW_SUCCESS(bench -> bench.callThatEnds(Outcome.SUCCESS, LIMIT.plusNanos(1))),
    A_SLOW_FAILURE(bench -> bench.callThatEnds(Outcome.FAILURE, LIMIT.plusNanos(1))),
    AN_IGNORED_CALL(bench -> bench.callThatEnds(Outcome.IGNORED, LIMIT.plusNanos(1))),
    A_CANCELLED_CALL(bench -> bench.callThatEnds(Outcome.CANCELLED, LIMIT.plusNanos(1))),
    A_CALL_ENDS_TWICE(
        bench -> {
          Permit permit = bench.callThatEnds(Outcome.SUCCESS, Duration.ZERO);
          if (permit != null) {
            permit.record(Outcome.FAILURE);
          }
        }),
    A_LATE_RESULT(bench -> bench.earlier.record(Outcome.FAILURE)),
    AN_OVERDUE_CALL(
        bench -> {
          bench.breaker.reconfigure(config -> config.countSlowCallsInFlight(true));
          bench.call();
          bench.advance(LIMIT.plusNanos(1));
        }),
    THE_WAIT_ELAPSES(bench -> bench.advance(WAIT)),
    THE_LEASE_ELAPSES(
        bench -> {
          bench.call();
          bench.advance(LEASE);
        }),
    HALF_OPEN_TIMES_OUT(
        bench -> {
          bench.breaker.reconfigure(
              config -> config.maxWaitDurationInHalfOpenState(MOST_HALF_OPEN));
          bench.enterHalfOpenAnew();
          bench.advance(MOST_HALF_OPEN);
        }),
    A_SET_TIME_ELAPSES(bench -> bench.advance(SET_TIME)),
    SET_TO_CLOSED(bench -> bench.breaker.transitionTo(State.CLOSED)),
    SET_TO_OPEN(bench -> bench.breaker.transitionTo(State.OPEN)),
    SET_TO_HALF_OPEN(bench -> bench.breaker.transitionTo(State.HALF_OPEN)),
    SET_TO_FORCED_OPEN(bench -> bench.breaker.transitionTo(State.FORCED_OPEN)),
    SET_TO_DISABLED(bench -> bench.breaker.transitionTo(State.DISABLED)),
    SET_TO_METRICS_ONLY(bench -> bench.breaker.transitionTo(State.METRICS_ONLY)),
    RESET(bench -> bench.breaker.reset()),
    RECONFIGURED(bench -> bench.breaker.reconfigure(config -> config.failureRateThreshold(1)));

    private final Consumer<Bench> action;

    Event(Consumer<Bench> action) {
      this.action = action;
    }

    static Event of(String words) {
      return valueOf(words.toUpperCase(Locale.ROOT).replace(' ', '_'));
    }

    void happen(Bench bench) {
      action.accept(bench);
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** A breaker in a state, and what has happened to it since. */
  static final class Bench {
    final CircuitBreaker breaker;

    /** A call of a state that has passed. */
    final Permit earlier;

    private final FakeTime time = FakeTime.create();
    private final boolean timers;
    private int movesBefore;
    private @Nullable Boolean admitted;

    Bench(boolean timers) {
      this.timers = timers;
      breaker = CircuitBreaker.create("table", this::configure);
      earlier = breaker.acquire();
      breaker.reset();
    }

    private void configure(CircuitBreakerConfig.Builder config) {
      config
          .slidingWindowSize(1)
          .slowCallDurationThreshold(LIMIT)
          .countSlowCallsInFlight(false)
          .waitDurationInOpenState(WAIT)
          .permittedNumberOfCallsInHalfOpenState(1)
          .maxProbeDuration(LEASE)
          .ticker(time);
      if (timers) {
        config.scheduler(time).automaticTransitionFromOpenToHalfOpenEnabled(true);
      }
    }

    void put(State state, boolean forATime) {
      Set<State> lasting = EnumSet.of(State.CLOSED, State.HALF_OPEN);
      if (forATime && !lasting.contains(state)) {
        breaker.transitionTo(state, SET_TIME);
      } else {
        breaker.transitionTo(state);
      }
      movesBefore = breaker.transitions().size();
    }

    /** The limit of a half-open state is the one it was entered with. */
    void enterHalfOpenAnew() {
      if (breaker.state() == State.HALF_OPEN) {
        breaker.reset();
        put(State.HALF_OPEN, false);
      }
    }

    @Nullable Permit call() {
      Permit permit = breaker.tryAcquire();
      admitted = permit != null;
      return permit;
    }

    @Nullable Permit callThatEnds(Outcome outcome, Duration after) {
      Permit permit = call();
      time.advance(after);
      if (permit != null) {
        permit.record(outcome);
      }
      return permit;
    }

    /** Without timers it takes a call to find out. */
    void advance(Duration duration) {
      time.advance(duration.minusNanos(1));
      assertThat(moves()).as("moves a nanosecond before %s", duration).isEmpty();
      time.advance(Duration.ofNanos(1));
      if (!timers) {
        breaker.tryAcquire();
      }
    }

    List<StateTransition> moves() {
      List<StateTransition> all = breaker.transitions();
      return all.subList(movesBefore, all.size());
    }

    String outcome() {
      if (!moves().isEmpty()) {
        return moves().stream().map(move -> move.to() + " " + move.cause()).collect(joining(", "));
      }
      if (breaker.metrics().late() > 0) {
        return "late";
      }
      return admitted == null ? "stays" : admitted ? "admitted" : "refused";
    }
  }
}

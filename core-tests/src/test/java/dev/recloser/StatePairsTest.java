package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An operator can put the breaker from any state into any state. */
final class StatePairsTest {
  private static final Set<State> LASTING = EnumSet.of(State.CLOSED, State.HALF_OPEN);
  private static final Set<State> ADMITTING =
      EnumSet.complementOf(EnumSet.of(State.OPEN, State.FORCED_OPEN));

  private final FakeTime time = FakeTime.create();
  private final CircuitBreaker breaker =
      CircuitBreaker.create(
          "pairs",
          config ->
              config
                  .ticker(time)
                  .scheduler(time)
                  .automaticTransitionFromOpenToHalfOpenEnabled(true)
                  .waitDurationInOpenState(Duration.ofSeconds(10))
                  .maxWaitDurationInHalfOpenState(Duration.ofSeconds(20))
                  .slowCallDurationThreshold(Duration.ofSeconds(5)));

  static Stream<Arguments> pairs() {
    return Arrays.stream(State.values())
        .flatMap(from -> Arrays.stream(State.values()).map(to -> Arguments.of(from, to)));
  }

  static Stream<Arguments> pairsOfDifferentStates() {
    return pairs().filter(pair -> pair.get()[0] != pair.get()[1]);
  }

  static Stream<Arguments> pairsWithATime() {
    return pairs().filter(pair -> !LASTING.contains(pair.get()[1]));
  }

  @ParameterizedTest
  @MethodSource("pairsOfDifferentStates")
  void aCommandMovesTheBreakerAtOnce(State from, State to) {
    breaker.transitionTo(from);
    time.advance(Duration.ofSeconds(1));
    int before = breaker.transitions().size();

    breaker.transitionTo(to);

    assertThat(breaker.state()).isEqualTo(to);
    assertThat(breaker.transitions()).hasSize(before + 1);
    StateTransition last = lastTransition();
    assertThat(last.from()).isEqualTo(from);
    assertThat(last.to()).isEqualTo(to);
    assertThat(last.cause()).isEqualTo(TransitionCause.OPERATOR);
    assertThat(last.at()).isEqualTo(time.nanoTime());
    assertThat(last.waitDuration()).isEqualTo(usualLimit(to));
    assertThat(breaker.snapshot().remaining()).isEqualTo(usualLimit(to));
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void aCommandForThePresentStateDoesNothing(State state) {
    breaker.transitionTo(state);
    Permit permit = breaker.tryAcquire();
    time.advance(Duration.ofSeconds(1));
    List<StateTransition> before = breaker.transitions();

    breaker.transitionTo(state);

    assertThat(breaker.transitions()).isEqualTo(before);
    assertThat(breaker.snapshot().inStateFor()).isEqualTo(Duration.ofSeconds(1));
    assertThat(permit != null).isEqualTo(ADMITTING.contains(state));
    if (permit != null) {
      permit.record(Outcome.IGNORED);
    }
    assertThat(breaker.metrics().late()).isZero();
  }

  @ParameterizedTest
  @MethodSource("pairsWithATime")
  void aCommandWithATimeMovesTheBreakerEvenToWhereItIs(State from, State to) {
    breaker.transitionTo(from);
    time.advance(Duration.ofSeconds(1));

    breaker.transitionTo(to, Duration.ofMinutes(3));

    assertThat(breaker.state()).isEqualTo(to);
    assertThat(lastTransition().from()).isEqualTo(from);
    assertThat(lastTransition().cause()).isEqualTo(TransitionCause.OPERATOR);
    assertThat(lastTransition().waitDuration()).isEqualTo(Duration.ofMinutes(3));
    assertThat(breaker.snapshot().inStateFor()).isZero();

    time.advance(Duration.ofMinutes(3).minusNanos(1));
    assertThat(breaker.state()).isEqualTo(to);
    time.advance(Duration.ofNanos(1));
    assertThat(breaker.state()).isEqualTo(to == State.OPEN ? State.HALF_OPEN : State.CLOSED);
    assertThat(lastTransition().cause()).isEqualTo(TransitionCause.WAIT_ELAPSED);
  }

  @ParameterizedTest
  @MethodSource("pairsOfDifferentStates")
  void whatTheLeftStateAdmittedIsLateAndMovesNothing(State from, State to) {
    breaker.transitionTo(from);
    Permit permit = breaker.tryAcquire();
    breaker.transitionTo(to);
    CircuitBreakerSnapshot before = breaker.snapshot();

    boolean admitted = permit != null;
    if (permit != null) {
      permit.record(Outcome.FAILURE);
    }

    assertThat(admitted).isEqualTo(ADMITTING.contains(from));
    assertThat(breaker.metrics().late()).isEqualTo(admitted ? 1 : 0);
    assertThat(breaker.metrics().failed()).isEqualTo(admitted ? 1 : 0);
    assertThat(breaker.snapshot().window()).isEqualTo(before.window());
    assertThat(breaker.state()).isEqualTo(to);
  }

  @ParameterizedTest
  @MethodSource("pairsOfDifferentStates")
  void noTimerOfTheLeftStateActs(State from, State to) {
    put(from, Duration.ofSeconds(2));
    Permit permit = breaker.tryAcquire();
    breaker.transitionTo(to);
    int before = breaker.transitions().size();

    time.advance(Duration.ofSeconds(9));

    assertThat(breaker.state()).isEqualTo(to);
    assertThat(breaker.transitions()).hasSize(before);
    assertThat(permit != null).isEqualTo(ADMITTING.contains(from));
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void aResetClosesTheBreakerFromAnyStateAndLeavesNoTimer(State from) {
    put(from, Duration.ofSeconds(2));
    Permit permit = breaker.tryAcquire();

    breaker.reset();

    assertThat(breaker.state()).isEqualTo(State.CLOSED);
    assertThat(lastTransition().from()).isEqualTo(from);
    assertThat(lastTransition().cause()).isEqualTo(TransitionCause.RESET);
    assertThat(breaker.snapshot().openings()).isZero();
    assertThat(breaker.snapshot().inStateFor()).isZero();
    assertThat(time.pendingTimers()).isZero();
    assertThat(permit != null).isEqualTo(ADMITTING.contains(from));
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"FORCED_OPEN", "DISABLED", "METRICS_ONLY"})
  void aCommandWithoutATimeTakesOffThatOfAForcedState(State state) {
    breaker.transitionTo(state, Duration.ofSeconds(2));
    time.advance(Duration.ofSeconds(1));

    breaker.transitionTo(state);
    time.advance(Duration.ofDays(1));

    assertThat(breaker.state()).isEqualTo(state);
    assertThat(breaker.snapshot().remaining()).isNull();
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"CLOSED", "HALF_OPEN"})
  void aStateThatEndsByItselfCannotBeGivenATime(State state) {
    assertThatThrownBy(() -> breaker.transitionTo(state, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("duration: 1 s", state.name(), "expected");
    assertThat(breaker.transitions()).isEmpty();
  }

  private void put(State state, Duration duration) {
    if (LASTING.contains(state)) {
      breaker.transitionTo(state);
    } else {
      breaker.transitionTo(state, duration);
    }
  }

  private StateTransition lastTransition() {
    List<StateTransition> transitions = breaker.transitions();
    return transitions.get(transitions.size() - 1);
  }

  private static @Nullable Duration usualLimit(State state) {
    return switch (state) {
      case OPEN -> Duration.ofSeconds(10);
      case HALF_OPEN -> Duration.ofSeconds(20);
      case CLOSED, FORCED_OPEN, DISABLED, METRICS_ONLY -> null;
    };
  }
}

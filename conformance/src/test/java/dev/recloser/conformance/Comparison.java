package dev.recloser.conformance;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.Permit;
import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One random trace through both breakers, step by step on one fake time, until it ends or they
 * disagree. Everything follows from the seed.
 *
 * <p>A step lets time pass, tries a call, ends a call that is in flight, or is an operator's. After
 * each, admissions and states are compared, and the windows of the states that have one of their
 * own. Calls overlap and end in any order, so that many outlive the state that admitted them.
 */
final class Comparison {
  private static final int MOST_IN_FLIGHT = 12;

  /** Round times, and those next to what the settings make matter. */
  private static final long[] STEPS_IN_MILLIS = {
    0, 1, 10, 99, 100, 101, 250, 499, 500, 501, 999, 1_000, 1_001, 3_000
  };

  /** The moves that Resilience4j allows, but for those into the state itself. */
  private static final Map<State, Set<State>> MOVES = moves();

  private final long seed;
  private final Set<Translation> translations;
  private final RandomGenerator random;
  private final Settings settings;
  private final int mostInFlight;
  private final FakeTime time;
  private final CircuitBreaker recloser;
  private final Resilience4jBreaker resilience4j;
  private final List<Call> inFlight = new ArrayList<>();

  /** Whether the dependency is well at the moment. */
  private boolean well = true;

  /** Whether time is passing, so that what happens is a timer's doing. */
  private boolean passing;

  private int step;
  private String operation = "none";
  private @Nullable Divergence divergence;

  /**
   * Prepares a trace.
   *
   * @param change a change of Recloser's configuration alone, to see that it is noticed
   */
  Comparison(long seed, Set<Translation> translations, UnaryOperator<CircuitBreakerConfig> change) {
    this.seed = seed;
    this.translations = translations;
    random = new SplittableRandom(seed);
    settings = Settings.random(random, translations);
    mostInFlight = 1 + random.nextInt(MOST_IN_FLIGHT);
    time = FakeTime.startingAt(random.nextLong());
    WallClock clock = new WallClock(time);
    recloser =
        CircuitBreaker.create("trace " + seed, change.apply(settings.recloser(time, translations)));
    resilience4j =
        new Resilience4jBreaker(
            io.github.resilience4j.circuitbreaker.CircuitBreaker.of(
                "trace " + seed, settings.resilience4j(time, clock, translations)),
            clock,
            translations);
    recloser.on(StateTransition.class, this::followTimer);
  }

  /** Runs the trace and returns what the breakers disagree about, null if they never do. */
  @Nullable Divergence run(int steps) {
    for (step = 1; step <= steps && divergence == null; step++) {
      long stay = stay();
      act();
      if (stay() != stay) {
        follow();
      }
      compareStates();
    }
    return divergence;
  }

  /** What the trace has come through. */
  CircuitBreakerMetrics metrics() {
    return recloser.metrics();
  }

  private void act() {
    int draw = random.nextInt(1_000);
    if (draw < 12) {
      well = !well;
    } else if (draw < 16) {
      operate();
    } else if (draw < 280) {
      passTime();
    } else if (draw < 650 && inFlight.size() < mostInFlight) {
      tryCall();
    } else if (!inFlight.isEmpty()) {
      endCall();
    }
  }

  private void passTime() {
    Duration remaining = recloser.snapshot().remaining();
    long millis =
        remaining != null && random.nextBoolean()
            ? Math.max(0, remaining.toMillis() + random.nextInt(3) - 1)
            : STEPS_IN_MILLIS[random.nextInt(STEPS_IN_MILLIS.length)];
    operation = "pass " + millis + " ms";
    passing = true;
    time.advance(Duration.ofMillis(millis));
    passing = false;
  }

  private void tryCall() {
    operation = "try a call";
    Permit permit = recloser.tryAcquire();
    compare("admission", permit != null, resilience4j.tryAcquire());
    if (permit != null) {
      inFlight.add(new Call(permit, time.elapsed().toNanos(), stay()));
    }
  }

  private void endCall() {
    Call call = inFlight.remove(random.nextInt(inFlight.size()));
    End end = End.random(random, well);
    boolean late = call.stay() != stay();
    operation = "end a call as " + end + (late ? ", late" : "");
    finish(call.permit(), end);
    if (!late || !translations.contains(Translation.LATE_RESULTS)) {
      resilience4j.finish(end, time.elapsed().toNanos() - call.startedAt());
    }
  }

  private static void finish(Permit permit, End end) {
    Exception thrown = end.thrown();
    if (thrown != null) {
      permit.fail(thrown);
    } else if (end == End.GIVEN_UP) {
      permit.close();
    } else {
      permit.complete(end.name());
    }
  }

  private void operate() {
    if (settings.growing() && translations.contains(Translation.GROWTH_BY_OPERATORS)) {
      return;
    }
    State target = State.values()[random.nextInt(State.values().length)];
    if (target == State.CLOSED && random.nextBoolean()) {
      operation = "reset";
      recloser.reset();
      resilience4j.reset();
    } else if (!translations.contains(Translation.MOVES)
        || MOVES.getOrDefault(recloser.state(), Set.of()).contains(target)) {
      operation = "move to " + target;
      recloser.transitionTo(target);
      resilience4j.moveTo(target);
    }
  }

  /** Brings Resilience4j to where a timer has brought Recloser, at the same moment. */
  private void followTimer(StateTransition transition) {
    if (passing && translations.contains(Translation.TIMERS)) {
      resilience4j.moveTo(transition.to());
    }
  }

  /** Brings Resilience4j to where Recloser has gone, as far as a translation says how. */
  private void follow() {
    if (translations.contains(Translation.EARLY_VERDICT) && recloser.state() != State.HALF_OPEN) {
      boolean reopened = recloser.state() == State.OPEN;
      resilience4j.finishProbes(/* well= */ reopened, settings.probes());
    }
    if (recloser.state() == State.CLOSED || recloser.state() == State.METRICS_ONLY) {
      resilience4j.alignWindow();
    }
    compareStates();
    if (settings.growing()
        && recloser.state() == State.CLOSED
        && translations.contains(Translation.GROWTH_OF_WAIT)) {
      time.advance(settings.baseWait());
    }
  }

  /** Counts the stays in a state; a call ends late if it ends in another than it began in. */
  private long stay() {
    var transitions = recloser.transitions();
    return transitions.isEmpty() ? 0 : transitions.get(transitions.size() - 1).sequence();
  }

  private void compareStates() {
    compare("state", recloser.state().name(), resilience4j.state());
    if (divergence == null && hasWindow(recloser.state())) {
      compare("window", Counts.of(recloser.snapshot().window()), resilience4j.window());
    }
  }

  private void compare(String what, Object ofRecloser, Object ofResilience4j) {
    if (divergence == null && !ofRecloser.equals(ofResilience4j)) {
      divergence =
          new Divergence(seed, step, operation, what, ofRecloser, ofResilience4j, settings);
    }
  }

  private static boolean hasWindow(State state) {
    return switch (state) {
      case CLOSED, HALF_OPEN, METRICS_ONLY -> true;
      case OPEN, FORCED_OPEN, DISABLED -> false;
    };
  }

  private static Map<State, Set<State>> moves() {
    Map<State, Set<State>> moves = new EnumMap<>(State.class);
    for (State from : State.values()) {
      Set<State> targets = EnumSet.complementOf(EnumSet.of(from));
      switch (from) {
        case CLOSED -> targets.remove(State.HALF_OPEN);
        case METRICS_ONLY -> targets.removeAll(Set.of(State.OPEN, State.HALF_OPEN));
        case OPEN, HALF_OPEN, FORCED_OPEN, DISABLED -> {}
      }
      moves.put(from, targets);
    }
    return moves;
  }

  /**
   * A call in flight.
   *
   * @param permit Recloser's permit
   * @param startedAt when it began, in nanoseconds of the fake time
   * @param stay the stay that admitted it
   */
  private record Call(Permit permit, long startedAt, long stay) {}
}

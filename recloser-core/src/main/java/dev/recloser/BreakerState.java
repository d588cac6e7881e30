package dev.recloser;

import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.CircuitBreakerMetrics.TransitionKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One stay of a breaker in one state. It answers whether a call may proceed, takes the results of
 * the calls it admitted, and names its successor.
 *
 * <p>An object is entered once and left once. What belongs to the stay (window, probe slots,
 * deadlines, timers) lives and dies with it, so nothing needs to be reset and nothing of the past
 * can reach the present. Making one has no side effects: it only takes effect when the breaker
 * swaps it in, after which {@link #entered} and the predecessor's {@link #left} run, once each.
 *
 * <p>The history (past transitions, their counts, the time in each state) is handed on from state
 * to state as immutable values, so that whoever reads one state reads a consistent history with it.
 */
abstract sealed class BreakerState permits ClosedState, OpenState, HalfOpenState, OperatorState {
  /** How many transitions are kept. */
  static final int HISTORY = 20;

  private static final long[] NO_TIME = new long[CircuitBreaker.State.values().length];

  final CircuitBreaker breaker;
  final long enteredAt;
  final long sequence;

  /** How often the breaker has opened in a row, as of the entry into this state. */
  final int openings;

  /** How it was entered; null for the first state of a breaker. */
  final @Nullable StateTransition transition;

  final List<StateTransition> history;
  final Map<TransitionKind, Long> transitionCounts;
  final Alarm alarm = new Alarm(this);

  /** The nanoseconds spent in each state before this one was entered, by ordinal. */
  private final long[] nanosBefore;

  /** The first state of a breaker. */
  BreakerState(CircuitBreaker breaker, long now) {
    this.breaker = breaker;
    enteredAt = now;
    sequence = 0;
    openings = 0;
    transition = null;
    history = List.of();
    transitionCounts = Map.of();
    nanosBefore = NO_TIME;
  }

  /** A state entered from another. */
  BreakerState(Departure from, CircuitBreaker.State to, @Nullable Duration wait, int openings) {
    BreakerState left = from.state();
    breaker = left.breaker;
    enteredAt = from.at();
    sequence = left.sequence + 1;
    this.openings = openings;
    transition = from.transition(to, sequence, wait, openings);
    history = appended(left.history, transition);
    transitionCounts = new HashMap<>(left.transitionCounts);
    transitionCounts.merge(new TransitionKind(left.kind(), to, from.cause()), 1L, Long::sum);
    nanosBefore = left.nanosByState(enteredAt);
  }

  abstract CircuitBreaker.State kind();

  /**
   * Whether {@link #due} and {@link #admit} need the time. Asked once a call: a configuration that
   * changes in between must not make anybody take a clock that was not read for the time.
   */
  abstract boolean isTimed();

  /** Whether the end of a call needs the time, even if the call itself was not timed. */
  abstract boolean timesResults();

  /**
   * The state that the passing of time alone leads to.
   *
   * @param now the present time
   * @return null to stay
   */
  abstract @Nullable BreakerState due(long now);

  /**
   * The part of {@link #due} that is a limit of this stay: it acts at its moment, and whoever comes
   * later than that, an operator included, finds what a timer would have left.
   */
  @Nullable BreakerState expired(long now) {
    return null;
  }

  /** What {@link #due} says when it is a timer that asks. */
  @Nullable BreakerState dueByTimer(long now) {
    return due(now);
  }

  /**
   * Lets a call proceed.
   *
   * @param now the present time
   * @param timed whether it is; if not, {@code now} means nothing
   * @return null to refuse it
   */
  abstract @Nullable BreakerPermit admit(long now, boolean timed);

  /**
   * Lets a call proceed without a permit, where that is nothing out of the ordinary.
   *
   * @param startedAt the present time, if the settings ask for slow calls
   * @return the slot of the call; {@link Stripes#NONE} if it must ask for a permit
   */
  int begin(CircuitBreakerConfig config, long startedAt) {
    return Stripes.NONE;
  }

  /**
   * Ends a call with a slot that has succeeded, where that is nothing out of the ordinary.
   *
   * @param timed whether the call was
   * @param now the present time, if the settings ask for it at the end of calls
   * @param nanos how long the call took, if it was timed
   * @return false if it must end by {@link #settle}
   */
  boolean succeed(CircuitBreakerConfig config, int slot, boolean timed, long now, long nanos) {
    return false;
  }

  /** Why {@link #admit} refuses. */
  abstract RefusalReason refusal();

  /** Takes the end of a call that this state admitted; at most once a permit. */
  abstract Settlement settle(BreakerPermit permit, Result result);

  /** What it knows at this time. */
  abstract Findings findings(long now);

  /** What it has of the calls that it admitted; null if it does not watch them. */
  @Nullable Evidence evidence() {
    return null;
  }

  /** What its window is made of, oldest first, in at most so many parts; nothing without one. */
  final List<WindowSlice> slices(long now, int most) {
    Evidence evidence = evidence();
    return evidence == null ? List.of() : evidence.slices(now, most);
  }

  /**
   * What it knows, when it is about to be left: whatever ends from here on is late. Whoever asks
   * must swap in a successor, or {@linkplain #resume take it back}.
   */
  Findings conclude(long now) {
    Evidence evidence = evidence();
    return evidence == null ? findings(now) : evidence.conclude(now);
  }

  /** Goes on, for {@link #conclude} has led to nothing. */
  void resume(long now) {
    Evidence evidence = evidence();
    if (evidence != null) {
      evidence.resume(now);
    }
  }

  /** Counts the calls that have ended, as far as that has not been done yet. */
  final void count(long now) {
    Evidence evidence = evidence();
    if (evidence != null) {
      evidence.count(now);
    }
  }

  /** The calls in flight, whichever state has admitted them, while the breaker's state is this. */
  final long callsInFlight() {
    Evidence evidence = evidence();
    if (evidence != null) {
      return evidence.callsInFlight();
    }
    long ended = breaker.counters().ended(); // Read first, so that the difference is not negative.
    return breaker.counters().admittedCalls() - ended;
  }

  /** All calls that the breaker has admitted up to now, while its state is this. */
  final long admittedCalls() {
    Evidence evidence = evidence();
    return evidence == null ? breaker.counters().admittedCalls() : evidence.admittedCalls();
  }

  /** The share of the calls that it admits, in percent; probes are not counted as such. */
  double admittedPercentage(long now) {
    return 0;
  }

  /** When {@link #due} should be asked without waiting for a call; null for never. */
  abstract @Nullable Long alarmAt(long now);

  /** How long it stays unless something else happens; null for no limit. */
  abstract @Nullable Duration remaining(long now);

  /** How often the breaker has opened in a row without having recovered by now. */
  int openings(long now) {
    return openings;
  }

  /** Whether it is this state already and will stay so as long as if it were set now. */
  boolean isLasting(CircuitBreaker.State target) {
    return kind() == target;
  }

  /** Runs when the configuration has changed. */
  void reconfigured(long now) {}

  /** Runs when the alarm has rung and nothing was due. */
  void onAlarm(long now) {}

  /** Runs once, after the breaker has entered this state and before listeners hear of it. */
  void entered() {
    if (breaker.config().scheduler != null) {
      // The entry may lie back: the deadline that led here was perhaps found late.
      long now = breaker.ticker().nanoTime();
      alarm.set(alarmAt(now), now);
    }
  }

  /** Runs once, after the breaker has left this state and before listeners hear of it. */
  void left() {
    alarm.silence();
  }

  final Departure departure(long at, TransitionCause cause, String reason, Findings findings) {
    return new Departure(this, at, cause, reason, findings);
  }

  final long[] nanosByState(long now) {
    long[] nanos = nanosBefore.clone();
    nanos[kind().ordinal()] += Math.max(0, now - enteredAt);
    return nanos;
  }

  /**
   * Up to when it is certain that the breaker has been in this state: a limit that has run out, but
   * has not been found yet, will be taken to have acted at its moment.
   */
  long certainUntil(long now) {
    return now;
  }

  private static List<StateTransition> appended(
      List<StateTransition> history, StateTransition transition) {
    List<StateTransition> longer = new ArrayList<>(history);
    if (longer.size() == HISTORY) {
      longer.remove(0);
    }
    longer.add(transition);
    return List.copyOf(longer);
  }

  /**
   * Why, when and with what findings a state is left.
   *
   * @param state the state that is left
   * @param at when
   * @param cause what moved it
   * @param reason the cause in words
   * @param findings what it knew
   */
  record Departure(
      BreakerState state, long at, TransitionCause cause, String reason, Findings findings) {

    private StateTransition transition(
        CircuitBreaker.State to, long sequence, @Nullable Duration wait, int openings) {
      return new StateTransition(
          state.breaker.name(),
          sequence,
          at,
          state.kind(),
          to,
          cause,
          reason,
          findings.window(),
          findings.failures(),
          findings.slowestCall(),
          wait,
          openings);
    }
  }
}

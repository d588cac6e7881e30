package dev.recloser.console;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.TransitionCause;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The states that a breaker has been in: the last day of them, and not more than so many. A breaker
 * itself keeps a few transitions with all their numbers; this keeps many without.
 *
 * <p>Transitions are put in by their sequence numbers, each once and without a gap, whichever comes
 * first: the breaker's own list, which has a transition at once but is short, or the listener,
 * which misses none but may hear of them a little later, from another thread. Thread-safe; the lock
 * is held for a few steps and never while user code runs, the breaker's ticker included.
 */
final class Timeline {
  /** How many changes are kept. */
  static final int MOST_CHANGES = 512;

  private static final long HOUR = Duration.ofHours(1).toNanos();
  private static final long DAY = Duration.ofHours(24).toNanos();

  private final CircuitBreaker breaker;

  // Guarded by this.
  private final Deque<Change> changes = new ArrayDeque<>(0);

  /** The sequence number of the transition that is put in next; 0 before the first look. */
  private long next;

  /** From when on nothing is missing, by the breaker's ticker, and the state at that moment. */
  private long wholeSince;

  private State stateThen;

  Timeline(CircuitBreaker breaker) {
    this.breaker = breaker;
    wholeSince = now() - age().toNanos();
    stateThen = State.CLOSED;
  }

  /** A change of state, at a reading of the breaker's ticker. */
  record Change(long at, State to, TransitionCause cause) {
    /** Whether somebody moved it, and not what happened to its calls. */
    boolean isByHand() {
      return cause == TransitionCause.OPERATOR || cause == TransitionCause.RESET;
    }
  }

  /**
   * The last day, as far as it is known.
   *
   * @param since for how long nothing is missing, in nanoseconds
   * @param state the state at that moment
   * @param changes those since, the oldest first
   */
  record View(long now, long since, State state, List<Change> changes) {
    /** In nanoseconds, and not before that from which nothing is missing. */
    long age(Change change) {
      return Math.max(0, Math.min(since, now - change.at()));
    }
  }

  /** How often the breaker has opened, as far as it is known. */
  record Openings(int lastHour, int lastDay) {}

  void add(StateTransition told) {
    catchUp();
    append(told);
  }

  View view() {
    catchUp();
    return view(now());
  }

  Openings openings() {
    catchUp();
    return openings(now());
  }

  /** Takes what the breaker knows itself; all that it knows at the first look. */
  synchronized void catchUp() {
    List<StateTransition> known = breaker.transitions();
    if (next == 0 && !known.isEmpty()) {
      begin(known.get(0));
    }
    known.forEach(this::append);
  }

  /** Transitions before this one, if there are any, are forgotten. */
  private void begin(StateTransition first) {
    next = first.sequence();
    stateThen = first.from();
    if (next > 1) {
      wholeSince = first.at();
    }
  }

  private synchronized void append(StateTransition transition) {
    if (transition.sequence() == next) {
      next++;
      changes.addLast(new Change(transition.at(), transition.to(), transition.cause()));
      if (changes.size() > MOST_CHANGES) {
        forgetFirst();
      }
    }
  }

  private void forgetFirst() {
    Change first = changes.removeFirst();
    wholeSince = first.at();
    stateThen = first.to();
  }

  private synchronized View view(long now) {
    while (!changes.isEmpty() && now - changes.getFirst().at() > DAY) {
      forgetFirst();
    }
    long since = Math.max(0, Math.min(DAY, now - wholeSince));
    return new View(now, since, stateThen, List.copyOf(changes));
  }

  private synchronized Openings openings(long now) {
    int lastHour = 0;
    int lastDay = 0;
    for (Iterator<Change> all = changes.descendingIterator(); all.hasNext(); ) {
      Change change = all.next();
      long ago = now - change.at();
      if (ago > DAY) {
        break;
      }
      if (change.to() == State.OPEN) {
        lastDay++;
        lastHour += ago <= HOUR ? 1 : 0;
      }
    }
    return new Openings(lastHour, lastDay);
  }

  private long now() {
    return breaker.config().ticker().nanoTime();
  }

  private Duration age() {
    return breaker.metrics().timeInState().values().stream().reduce(Duration.ZERO, Duration::plus);
  }
}

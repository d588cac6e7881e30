package dev.recloser;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a breaker.
 *
 * <p>Transitions arrive one at a time in the order in which they happened, on the thread of one of
 * them. The events of a call arrive on the thread that ends or tries it, after the breaker has done
 * all it does about it. No event exists unless somebody registered for its type.
 */
public sealed interface CircuitBreakerEvent extends PolicyEvent {
  /**
   * An admitted call has ended.
   *
   * @param policy the name of the breaker
   * @param outcome how it ended
   * @param slow whether it took longer than the limit
   * @param late whether the state that admitted it had passed by then, or its lease run out, so
   *     that it moved nothing
   * @param probe whether it was a probe
   * @param duration how long it took; null where the breaker had no reason to read the clock
   * @param thrown what it threw, as the caller reported it; null if nothing
   */
  record CallFinished(
      String policy,
      Outcome outcome,
      boolean slow,
      boolean late,
      boolean probe,
      @Nullable Duration duration,
      @Nullable Throwable thrown)
      implements CircuitBreakerEvent {
    /**
     * What it threw, without what executors, stages and reflection wrap around it: what a {@link
     * Classifier} is asked about. Null if nothing.
     */
    public @Nullable Throwable unwrapped() {
      return thrown == null ? null : ExceptionRules.unwrap(thrown);
    }
  }

  /**
   * A call was refused.
   *
   * @param policy the name of the breaker
   * @param reason why
   */
  record CallRefused(String policy, RefusalReason reason) implements CircuitBreakerEvent {}

  /**
   * A breaker that is {@code METRICS_ONLY} would have opened. Told once each time a rate reaches
   * its threshold, and again only after both rates have been below.
   *
   * @param policy the name of the breaker
   * @param cause which rate
   * @param reason the cause in words, with its numbers
   * @param window what it knew
   */
  record WouldHaveOpened(String policy, TransitionCause cause, String reason, WindowSnapshot window)
      implements CircuitBreakerEvent {}

  /**
   * The breaker has moved from one state to another.
   *
   * @param policy the name of the breaker
   * @param sequence the number of this transition in the life of the breaker, from 1
   * @param at the reading of the breaker's ticker when it happened, in nanoseconds
   * @param from the state it left
   * @param to the state it entered; the same after a reset of a closed breaker
   * @param cause what moved it
   * @param reason the cause in words, with its numbers
   * @param window what it knew when it left
   * @param failures the last failures of the state it left, at most {@value #MAX_FAILURES}, the
   *     newest last
   * @param slowestCall the longest call of about the last two windows; null where none was timed
   * @param waitDuration how long it stays unless something else happens: the wait of the open
   *     state, the time an operator gave a forced state; null for no limit
   * @param openings how many times it has opened in a row, this time included; a closed breaker
   *     keeps the number until it has been closed for the base wait; 0 in operators' states
   */
  record StateTransition(
      String policy,
      long sequence,
      long at,
      CircuitBreaker.State from,
      CircuitBreaker.State to,
      TransitionCause cause,
      String reason,
      WindowSnapshot window,
      List<FailureSample> failures,
      @Nullable Duration slowestCall,
      @Nullable Duration waitDuration,
      int openings)
      implements CircuitBreakerEvent {
    /** How many failures are kept: {@value}. */
    public static final int MAX_FAILURES = 5;

    @Override
    public String toString() {
      String end = waitDuration == null ? "" : ", for " + Text.of(waitDuration);
      return policy + ": " + from + " -> " + to + " (" + cause + "): " + reason + end;
    }
  }
}

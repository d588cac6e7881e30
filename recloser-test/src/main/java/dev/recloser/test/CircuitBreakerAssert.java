package dev.recloser.test;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.RefusalReason;
import dev.recloser.TransitionCause;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Asserts about a breaker. What fails says what was found, what was expected, and how the breaker
 * explains itself.
 *
 * <p>All but {@link #permitsCalls} and {@link #refusesCalls} only look, and change nothing.
 */
public final class CircuitBreakerAssert
    extends AbstractAssert<CircuitBreakerAssert, CircuitBreaker> {
  /** How far a rate may be off, in percentage points, so that two thirds can be written 66.67. */
  private static final double TOLERANCE = 0.01;

  CircuitBreakerAssert(@Nullable CircuitBreaker actual) {
    super(actual, CircuitBreakerAssert.class);
  }

  /** Verifies that the breaker is {@link State#CLOSED}. */
  public CircuitBreakerAssert isClosed() {
    return isInState(State.CLOSED);
  }

  /** Verifies that the breaker is {@link State#OPEN}, be its wait over or not. */
  public CircuitBreakerAssert isOpen() {
    return isInState(State.OPEN);
  }

  /** Verifies that the breaker is {@link State#HALF_OPEN}. */
  public CircuitBreakerAssert isHalfOpen() {
    return isInState(State.HALF_OPEN);
  }

  /** Verifies the state of the breaker. */
  public CircuitBreakerAssert isInState(State expected) {
    State state = breaker().state();
    return verify(state == expected, "state", state, expected);
  }

  /**
   * Verifies that a call would be made, by asking for a permit and closing it.
   *
   * <p>That is a call to the breaker, which counts it as cancelled, and for which an open breaker
   * whose wait is over becomes half-open. A probe slot is given back.
   */
  public CircuitBreakerAssert permitsCalls() {
    RefusalReason refusal = askForPermit();
    return verify(refusal == null, "refusal", orNone(refusal), "none");
  }

  /**
   * Verifies that a call would be refused and why, by asking for a permit.
   *
   * <p>That is a call to the breaker, which counts it as refused; if it is permitted after all, as
   * {@link #permitsCalls} says.
   */
  public CircuitBreakerAssert refusesCalls(RefusalReason expected) {
    RefusalReason refusal = askForPermit();
    return verify(refusal == expected, "refusal", orNone(refusal), expected);
  }

  /**
   * Verifies the failure rate of the window, or of the probes while half-open.
   *
   * @param percent the rate to within 0.01, NaN for none
   */
  public CircuitBreakerAssert hasFailureRate(double percent) {
    return hasRate("failure rate", breaker().snapshot().window().failureRate(), percent);
  }

  /**
   * Verifies the slow-call rate of the window, calls in flight included, or of the probes while
   * half-open.
   *
   * @param percent the rate to within 0.01, NaN for none
   */
  public CircuitBreakerAssert hasSlowCallRate(double percent) {
    return hasRate("slow-call rate", breaker().snapshot().window().slowCallRate(), percent);
  }

  /** Verifies how many admitted calls have not ended. */
  public CircuitBreakerAssert hasCallsInFlight(long expected) {
    long calls = breaker().snapshot().callsInFlight();
    return verify(calls == expected, "calls in flight", calls, expected);
  }

  /** Verifies that every admitted call has ended. */
  public CircuitBreakerAssert hasNoCallsInFlight() {
    return hasCallsInFlight(0);
  }

  /**
   * Verifies the transitions, of which the breaker remembers the last 20: {@code
   * hasTransitions(CLOSED, OPEN, HALF_OPEN)} for two of them.
   *
   * @param path the state before the first transition, and the state after each
   */
  public CircuitBreakerAssert hasTransitions(State... path) {
    List<State> found = pathOf(breaker());
    List<State> expected = List.of(path);
    return verify(found.equals(expected), "transitions", found, expected);
  }

  /** Verifies that there has been no transition since the breaker was made. */
  public CircuitBreakerAssert hasNoTransitions() {
    List<State> found = pathOf(breaker());
    return verify(found.size() == 1, "transitions", found, "none");
  }

  /** Verifies what the last transition was due to. */
  public CircuitBreakerAssert wasLastMovedBy(TransitionCause expected) {
    List<StateTransition> transitions = breaker().transitions();
    Object cause = transitions.isEmpty() ? "none" : transitions.get(transitions.size() - 1).cause();
    return verify(cause == expected, "cause of the last transition", cause, expected);
  }

  /** Verifies that {@link CircuitBreaker#explain()} contains a text. */
  public CircuitBreakerAssert explains(String fragment) {
    boolean right = breaker().explain().contains(fragment);
    return verify(right, "\"" + fragment + "\" in the explanation", "missing", "present");
  }

  private CircuitBreakerAssert hasRate(String what, double rate, double expected) {
    boolean same =
        Double.isNaN(expected) ? Double.isNaN(rate) : Math.abs(rate - expected) < TOLERANCE;
    return verify(same, what, rate + "%", expected + "%");
  }

  private @Nullable RefusalReason askForPermit() {
    try {
      breaker().acquire().close();
      return null;
    } catch (CallNotPermittedException refused) {
      return refused.reason();
    }
  }

  private CircuitBreaker breaker() {
    isNotNull();
    return actual;
  }

  private CircuitBreakerAssert verify(boolean right, String what, Object found, Object expected) {
    if (!right) {
      failWithMessage(
          "%s of %s: %s (expected: %s)%n  %s",
          what, actual.name(), found, expected, actual.explain());
    }
    return this;
  }

  private static Object orNone(@Nullable Object value) {
    return value == null ? "none" : value;
  }

  private static List<State> pathOf(CircuitBreaker breaker) {
    List<StateTransition> transitions = breaker.transitions();
    List<State> path = new ArrayList<>();
    path.add(transitions.isEmpty() ? breaker.state() : transitions.get(0).from());
    transitions.forEach(transition -> path.add(transition.to()));
    return path;
  }
}

package dev.recloser;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is compared of a transition; the time is counted from the start of the test. */
record NaiveMove(
    long sequence,
    long at,
    State from,
    State to,
    TransitionCause cause,
    WindowSnapshot window,
    @Nullable Duration waitDuration,
    int openings) {

  static NaiveMove of(StateTransition transition, long origin) {
    return new NaiveMove(
        transition.sequence(),
        transition.at() - origin,
        transition.from(),
        transition.to(),
        transition.cause(),
        transition.window(),
        transition.waitDuration(),
        transition.openings());
  }
}

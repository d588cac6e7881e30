package dev.recloser.micrometer;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.CircuitBreakerMetrics.TransitionKind;
import dev.recloser.Outcome;
import dev.recloser.RefusalReason;
import dev.recloser.TransitionCause;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The meters of a breaker. */
final class BreakerMeters {
  private static final String PREFIX = "recloser.circuitbreaker.";

  /** Those that a breaker makes by itself, which are there from the start, with 0. */
  private static final List<TransitionKind> USUAL =
      List.of(
          new TransitionKind(State.CLOSED, State.OPEN, TransitionCause.FAILURE_RATE),
          new TransitionKind(State.CLOSED, State.OPEN, TransitionCause.SLOW_CALL_RATE),
          new TransitionKind(State.OPEN, State.HALF_OPEN, TransitionCause.WAIT_ELAPSED),
          new TransitionKind(State.HALF_OPEN, State.CLOSED, TransitionCause.PROBES_SUCCEEDED),
          new TransitionKind(State.HALF_OPEN, State.OPEN, TransitionCause.PROBES_FAILED),
          new TransitionKind(State.HALF_OPEN, State.OPEN, TransitionCause.HALF_OPEN_TIMEOUT));

  private BreakerMeters() {}

  static void register(Meters meters, CircuitBreaker breaker, boolean timers) {
    state(meters, breaker);
    transitions(meters, breaker);
    calls(meters, breaker);
    evidence(meters, breaker);
    if (timers) {
      callTimers(meters, breaker);
    }
  }

  private static void state(Meters meters, CircuitBreaker breaker) {
    for (State state : State.values()) {
      String tag = Meters.tag(state);
      meters.gauge(
          PREFIX + "state",
          "1 for the state that the breaker is in, 0 for the others",
          breaker,
          b -> b.state() == state ? 1 : 0,
          "state",
          tag);
      meters.seconds(
          PREFIX + "state.time",
          "Time spent in each state",
          breaker,
          b -> seconds(b.metrics().timeInState().getOrDefault(state, Duration.ZERO)),
          "state",
          tag);
    }
    meters.gauge(
        PREFIX + "state.value",
        "0 when calls are let through, 1 while half-open, 2 when they are refused",
        breaker,
        b -> number(b.state()));
    meters.time(
        PREFIX + "state.age", "Time in the present state", breaker, b -> b.snapshot().inStateFor());
    meters.time(
        PREFIX + "state.remaining",
        "Time left in the present state unless something else happens",
        breaker,
        b -> b.snapshot().remaining());
  }

  private static double number(State state) {
    return switch (state) {
      case CLOSED, DISABLED, METRICS_ONLY -> 0;
      case HALF_OPEN -> 1;
      case OPEN, FORCED_OPEN -> 2;
    };
  }

  /** Kinds that are not usual get their meter when they first happen. */
  private static void transitions(Meters meters, CircuitBreaker breaker) {
    Set<TransitionKind> known = new HashSet<>();
    USUAL.forEach(kind -> transition(meters, breaker, kind, known));
    // Registered before the past is looked at, so that no kind is missed between the two.
    meters.onRemove(
        breaker.on(
            StateTransition.class,
            e ->
                transition(
                    meters, breaker, new TransitionKind(e.from(), e.to(), e.cause()), known)));
    breaker
        .metrics()
        .transitions()
        .keySet()
        .forEach(kind -> transition(meters, breaker, kind, known));
  }

  private static void transition(
      Meters meters, CircuitBreaker breaker, TransitionKind kind, Set<TransitionKind> known) {
    synchronized (known) {
      if (!known.add(kind)) {
        return;
      }
    }
    meters.counter(
        PREFIX + "transitions",
        "Transitions by kind",
        breaker,
        b -> b.metrics().transitions().getOrDefault(kind, 0L),
        "from",
        Meters.tag(kind.from()),
        "to",
        Meters.tag(kind.to()),
        "cause",
        Meters.tag(kind.cause()));
  }

  private static void calls(Meters meters, CircuitBreaker breaker) {
    for (Outcome outcome : Outcome.values()) {
      meters.counter(
          PREFIX + "calls",
          "Calls let through, by how they ended",
          breaker,
          b -> ended(b, outcome),
          "outcome",
          Meters.tag(outcome));
      meters.counter(
          PREFIX + "probes",
          "Probes by how they ended",
          breaker,
          b -> b.metrics().probes().getOrDefault(outcome, 0L),
          "outcome",
          Meters.tag(outcome));
    }
    meters.counter(
        PREFIX + "probes.expired",
        "Probes that did not report within their lease, and so counted as failed",
        breaker,
        b -> b.metrics().expiredProbes());
    meters.counter(
        PREFIX + "calls.slow",
        "Successes and failures that took longer than the limit",
        breaker,
        b -> b.metrics().slow());
    meters.counter(
        PREFIX + "calls.late",
        "Calls that moved nothing since the state that admitted them had passed",
        breaker,
        b -> b.metrics().late());
    for (RefusalReason reason : RefusalReason.values()) {
      meters.counter(
          PREFIX + "calls.refused",
          "Calls turned away, by reason",
          breaker,
          b -> b.metrics().refused().getOrDefault(reason, 0L),
          "reason",
          Meters.tag(reason));
    }
    meters.counter(
        PREFIX + "would.have.opened",
        "How often the breaker would have opened while METRICS_ONLY",
        breaker,
        b -> b.metrics().wouldHaveOpened());
  }

  private static double ended(CircuitBreaker breaker, Outcome outcome) {
    var metrics = breaker.metrics();
    return switch (outcome) {
      case SUCCESS -> metrics.succeeded();
      case FAILURE -> metrics.failed();
      case IGNORED -> metrics.ignored();
      case CANCELLED -> metrics.cancelled();
    };
  }

  /** What the breaker judges by. */
  private static void evidence(Meters meters, CircuitBreaker breaker) {
    meters.percent(
        PREFIX + "failure.rate",
        "Failed calls in the window, or failed probes",
        breaker,
        b -> b.snapshot().window().failureRate());
    meters.percent(
        PREFIX + "failure.rate.threshold",
        "Failure rate that opens the breaker",
        breaker,
        b -> b.config().failureRateThreshold());
    meters.percent(
        PREFIX + "slow.call.rate",
        "Slow calls in the window or among the probes, calls in flight past the limit included",
        breaker,
        b -> b.snapshot().window().slowCallRate());
    meters.percent(
        PREFIX + "slow.call.rate.threshold",
        "Slow-call rate that opens the breaker",
        breaker,
        b -> b.config().slowCallRateThreshold());
    meters.gauge(
        PREFIX + "window.calls",
        "Calls in the window, or probes that have reported",
        breaker,
        b -> b.snapshot().window().calls());
    meters.gauge(
        PREFIX + "window.calls.needed",
        "Calls that are still needed before a rate is believed",
        breaker,
        b -> b.snapshot().window().callsNeeded());
    meters.gauge(
        PREFIX + "calls.in.flight",
        "Calls let through that have not ended yet",
        breaker,
        b -> b.snapshot().callsInFlight());
    meters.gauge(
        PREFIX + "calls.in.flight.slow",
        "Calls that have not ended yet and are past the limit already",
        breaker,
        b -> b.snapshot().window().slowInFlight());
    meters.percent(
        PREFIX + "admitted",
        "Share of the calls that is let through",
        breaker,
        b -> b.snapshot().admittedPercentage());
  }

  private static void callTimers(Meters meters, CircuitBreaker breaker) {
    Outcome[] outcomes = Outcome.values();
    Timer[] fast = new Timer[outcomes.length];
    Timer[] slow = new Timer[outcomes.length];
    for (Outcome outcome : outcomes) {
      fast[outcome.ordinal()] = callTimer(meters, outcome, /* slow= */ false);
      slow[outcome.ordinal()] = callTimer(meters, outcome, /* slow= */ true);
    }
    meters.onRemove(
        breaker.on(
            CallFinished.class,
            e -> {
              Duration duration = e.duration();
              if (duration != null) {
                (e.slow() ? slow : fast)[e.outcome().ordinal()].record(duration);
              }
            }));
  }

  private static Timer callTimer(Meters meters, Outcome outcome, boolean slow) {
    return meters.timer(
        PREFIX + "call.duration",
        "How long calls took that the breaker let through and timed",
        "outcome",
        Meters.tag(outcome),
        "slow",
        Boolean.toString(slow));
  }

  private static double seconds(Duration duration) {
    return duration.toSeconds() + duration.toNanosPart() / 1e9;
  }
}

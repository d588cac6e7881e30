package dev.recloser.jdk;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerEvent;
import dev.recloser.WindowSnapshot;
import java.time.Duration;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** The events of the flight recorder. */
final class FlightEvents {
  private FlightEvents() {}

  /** A breaker has moved. */
  @Name("dev.recloser.Transition")
  @Label("Circuit Breaker Transition")
  @Description("A circuit breaker has moved from one state to another")
  @Category({"Recloser", "Circuit Breaker"})
  @StackTrace(false)
  static final class Transition extends Event {
    @Label("Circuit Breaker")
    String name = "";

    @Label("From")
    String from = "";

    @Label("To")
    String to = "";

    @Label("Cause")
    String cause = "";

    @Label("Reason")
    String reason = "";

    @Label("Calls in Window")
    int calls;

    @Label("Failure Rate")
    @Percentage
    double failureRate;

    @Label("Slow Call Rate")
    @Percentage
    double slowCallRate;

    @Label("Wait")
    @Timespan(Timespan.NANOSECONDS)
    long waitDuration;

    static void commit(CircuitBreakerEvent.StateTransition told) {
      Transition event = new Transition();
      if (event.shouldCommit()) {
        WindowSnapshot window = told.window();
        event.name = told.policy();
        event.from = told.from().name();
        event.to = told.to().name();
        event.cause = told.cause().name();
        event.reason = told.reason();
        event.calls = window.calls();
        event.failureRate = window.failureRate() / 100;
        event.slowCallRate = window.slowCallRate() / 100;
        event.waitDuration = nanos(told.waitDuration());
        event.commit();
      }
    }
  }

  /** A breaker has refused a call. */
  @Name("dev.recloser.Refusal")
  @Label("Refused Call")
  @Description("A circuit breaker has refused a call")
  @Category({"Recloser", "Circuit Breaker"})
  @StackTrace(false)
  @Enabled(false)
  static final class Refusal extends Event {
    @Label("Circuit Breaker")
    String name = "";

    @Label("Reason")
    String reason = "";

    static void commit(CircuitBreakerEvent.CallRefused told) {
      Refusal event = new Refusal();
      if (event.shouldCommit()) {
        event.name = told.policy();
        event.reason = told.reason().name();
        event.commit();
      }
    }
  }

  /** A call took longer than the limit of its breaker. */
  @Name("dev.recloser.SlowCall")
  @Label("Slow Call")
  @Description("A call through a circuit breaker took longer than its limit")
  @Category({"Recloser", "Circuit Breaker"})
  @StackTrace(false)
  @Enabled(false)
  static final class SlowCall extends Event {
    @Label("Circuit Breaker")
    String name = "";

    @Label("Outcome")
    String outcome = "";

    @Label("Took")
    @Timespan(Timespan.NANOSECONDS)
    long took;

    static void commit(CircuitBreakerEvent.CallFinished told) {
      if (!told.slow()) {
        return;
      }
      SlowCall event = new SlowCall();
      if (event.shouldCommit()) {
        event.name = told.policy();
        event.outcome = told.outcome().name();
        event.took = nanos(told.duration());
        event.commit();
      }
    }
  }

  /** How a breaker stands, again and again. */
  @Name("dev.recloser.Explanation")
  @Label("Circuit Breaker Explanation")
  @Description("Why a circuit breaker is where it is, and what happens next")
  @Category({"Recloser", "Circuit Breaker"})
  @StackTrace(false)
  @Period("10 s")
  @Enabled
  static final class Explanation extends Event {
    @Label("Circuit Breaker")
    String name = "";

    @Label("State")
    String state = "";

    @Label("Explanation")
    String explanation = "";

    static void commit(CircuitBreaker breaker) {
      Explanation event = new Explanation();
      event.name = breaker.name();
      event.state = breaker.state().name();
      event.explanation = breaker.explain();
      event.commit();
    }
  }

  private static long nanos(@Nullable Duration duration) {
    return duration == null ? 0 : duration.toNanos();
  }
}

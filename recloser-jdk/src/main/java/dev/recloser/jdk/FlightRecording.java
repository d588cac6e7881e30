package dev.recloser.jdk;

import dev.recloser.Cancellable;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.CircuitBreakerEvent.CallRefused;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.PolicySource;
import java.util.function.Function;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/**
 * Circuit breakers in the flight recorder of the JDK.
 *
 * <pre>{@code
 * FlightRecording recording = FlightRecording.of(policies);
 * }</pre>
 *
 * <p>There are four events, without stack traces, in the category Recloser:
 *
 * <ul>
 *   <li>{@code dev.recloser.Transition}: from, to, cause, reason, rates, and the wait;
 *   <li>{@code dev.recloser.Refusal}: each refused call and why;
 *   <li>{@code dev.recloser.SlowCall}: each call over the limit, with its outcome and how long it
 *       took;
 *   <li>{@code dev.recloser.Explanation}: what {@link CircuitBreaker#explain()} says, every ten
 *       seconds.
 * </ul>
 *
 * <p>Transitions and explanations are on unless the settings of a recording switch them off; the
 * two events of calls are off unless they switch them on, for an open breaker has many. While no
 * recording has them on, nothing listens to the calls of a breaker, and so nothing is paid for
 * them. What is switched in a recording that runs already is seen with the next explanation.
 *
 * <p>Thread-safe.
 */
public final class FlightRecording implements AutoCloseable {
  private final PolicySource<CircuitBreaker> breakers;
  private final Cancellable transitions;

  private final Runnable explanations = this::explain;
  private final FlightRecorderListener recorder =
      new FlightRecorderListener() {
        @Override
        public void recordingStateChanged(Recording recording) {
          follow();
        }
      };

  // What listens to the calls, where somebody records them. Guarded by this.
  private @Nullable Cancellable refusals;
  private @Nullable Cancellable slowCalls;
  private boolean closed;

  private FlightRecording(PolicySource<CircuitBreaker> breakers) {
    this.breakers = breakers;
    transitions =
        breakers.follow(
            breaker -> breaker.on(StateTransition.class, FlightEvents.Transition::commit));
  }

  /**
   * Starts to tell the flight recorder of circuit breakers, those made later included.
   *
   * @param policies the breakers, and others that are left alone: a registry, or those of files
   */
  public static FlightRecording of(PolicySource<?> policies) {
    FlightRecording recording = new FlightRecording(policies.only(CircuitBreaker.class));
    FlightRecorder.addListener(recording.recorder);
    FlightRecorder.addPeriodicEvent(FlightEvents.Explanation.class, recording.explanations);
    recording.follow();
    return recording;
  }

  /** Tells the flight recorder no more. */
  @Override
  public void close() {
    FlightRecorder.removeListener(recorder);
    FlightRecorder.removePeriodicEvent(explanations);
    transitions.cancel();
    synchronized (this) {
      closed = true;
      refusals = switched(refusals, /* on= */ false, this::refusal);
      slowCalls = switched(slowCalls, /* on= */ false, this::slowCall);
    }
  }

  /** Listens to calls as long as somebody records them. */
  private synchronized void follow() {
    refusals = switched(refusals, isRecorded(FlightEvents.Refusal.class), this::refusal);
    slowCalls = switched(slowCalls, isRecorded(FlightEvents.SlowCall.class), this::slowCall);
  }

  private boolean isRecorded(Class<? extends Event> event) {
    return !closed && EventType.getEventType(event).isEnabled();
  }

  private @Nullable Cancellable switched(
      @Nullable Cancellable following, boolean on, Function<CircuitBreaker, Cancellable> listener) {
    if (on == (following != null)) {
      return following;
    }
    if (following == null) {
      return breakers.follow(listener);
    }
    following.cancel();
    return null;
  }

  private Cancellable refusal(CircuitBreaker breaker) {
    return breaker.on(CallRefused.class, FlightEvents.Refusal::commit);
  }

  private Cancellable slowCall(CircuitBreaker breaker) {
    return breaker.on(CallFinished.class, FlightEvents.SlowCall::commit);
  }

  /** Runs from time to time on a thread of the flight recorder. */
  private void explain() {
    follow();
    breakers.all().forEach(FlightEvents.Explanation::commit);
  }
}

package dev.recloser.jdk;

import dev.recloser.Cancellable;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.CircuitBreakerEvent.CallRefused;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.PolicySource;
import java.util.concurrent.atomic.AtomicReference;
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
 * them. On a command line that takes a plus, {@code +dev.recloser.Refusal#enabled=true}, for the
 * settings that come with the JDK do not have these events; without it the JDK warns that there is
 * no such option, and leaves them off. What is switched in a recording that runs already is seen
 * with the next explanation.
 *
 * <p>Thread-safe.
 */
public final class FlightRecording implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(FlightRecording.class.getName());

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

  private final WhileRecorded refusals;
  private final WhileRecorded slowCalls;
  private volatile boolean closed;

  private FlightRecording(PolicySource<CircuitBreaker> breakers) {
    this.breakers = breakers;
    transitions =
        breakers.follow(
            breaker -> breaker.on(StateTransition.class, FlightEvents.Transition::commit));
    refusals =
        new WhileRecorded(
            FlightEvents.Refusal.class,
            breaker -> breaker.on(CallRefused.class, FlightEvents.Refusal::commit));
    slowCalls =
        new WhileRecorded(
            FlightEvents.SlowCall.class,
            breaker -> breaker.on(CallFinished.class, FlightEvents.SlowCall::commit));
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
    closed = true;
    follow();
  }

  /** Listens to calls as long as somebody records them. */
  private void follow() {
    refusals.look();
    slowCalls.look();
  }

  /** Runs from time to time on a thread of the flight recorder. */
  private void explain() {
    follow();
    breakers.all().forEach(FlightRecording::explain);
  }

  /** One that cannot be read, for its ticker throws, costs the others nothing. */
  private static void explain(CircuitBreaker breaker) {
    try {
      FlightEvents.Explanation.commit(breaker);
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.DEBUG, "A circuit breaker could not be explained", e);
    }
  }

  /**
   * Follows the breakers while an event of their calls is recorded. No lock is held while following
   * begins and ends, for the source need not be ours. Whoever has switched looks once more, so that
   * of several at a time the last leaves it as it should be.
   */
  private final class WhileRecorded {
    private final Class<? extends Event> event;
    private final Function<CircuitBreaker, Cancellable> listener;
    private final AtomicReference<@Nullable Cancellable> following = new AtomicReference<>();

    WhileRecorded(Class<? extends Event> event, Function<CircuitBreaker, Cancellable> listener) {
      this.event = event;
      this.listener = listener;
    }

    void look() {
      boolean on;
      do {
        on = isRecorded();
        if (on) {
          begin();
        } else {
          end();
        }
      } while (on != isRecorded());
    }

    private boolean isRecorded() {
      return !closed && EventType.getEventType(event).isEnabled();
    }

    private void begin() {
      if (following.get() == null) {
        Cancellable begun = breakers.follow(listener);
        if (!following.compareAndSet(null, begun)) {
          begun.cancel();
        }
      }
    }

    private void end() {
      Cancellable begun = following.getAndSet(null);
      if (begun != null) {
        begun.cancel();
      }
    }
  }
}

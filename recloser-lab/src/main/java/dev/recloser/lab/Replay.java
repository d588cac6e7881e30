package dev.recloser.lab;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.Outcome;
import dev.recloser.Permit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;

/**
 * Sends the calls of a trace through a real breaker on simulated time.
 *
 * <p>The breaker is made at time zero of the trace. A call arrives when the trace says so; an
 * admitted one ends after the time it took in the trace, with the outcome it had; a refused one
 * takes no time and is not recorded. The breaker has a scheduler, so limits and leases act at their
 * very moment. At one instant timers run first, then calls end, then calls arrive, each in order.
 * After the last row the replay goes on until the last admitted call has ended.
 *
 * <p>The same trace and configuration always give the same replay: jitter comes from a fixed
 * sequence of random numbers.
 */
public final class Replay {
  private static final long SEED = 1;

  private final SimulatedTime time = new SimulatedTime();
  private final Queue<StateTransition> news = new ArrayDeque<>();
  private final CircuitBreakerConfig config;
  private final CircuitBreaker breaker;
  private final ReplayListener listener;
  private final Memo<RecordedOutcome, Outcome> exceptions;

  private long calls;
  private long refusedThatWouldHaveFailed;
  private long refusedThatWouldHaveSucceeded;
  private Duration busyTimeSpared = Duration.ZERO;

  private Replay(CircuitBreakerConfig settings, ReplayListener listener) {
    SplittableRandom random = new SplittableRandom(SEED);
    config =
        settings.with(builder -> builder.ticker(time).scheduler(time).random(random::nextDouble));
    this.listener = listener;
    exceptions = new Memo<>(outcome -> outcome.under(config));
    breaker = CircuitBreaker.create("replay", config);
    breaker.on(StateTransition.class, news::add);
  }

  /**
   * Replays a trace.
   *
   * @param config the settings of the breaker. Its ticker, scheduler and random numbers are
   *     replaced; its classifier and predicates are not asked, as the trace says how a call ended
   * @param trace the calls; read to its end, not closed
   * @param listener hears what happens
   * @throws InvalidTraceException if the trace is wrong; the listener then gets no summary
   * @throws IllegalArgumentException if the configuration has a health check, which cannot be
   *     replayed, or if a call begins before the one that came before it
   * @throws IOException if reading the trace fails, or the listener throws it
   */
  public static ReplaySummary run(CircuitBreakerConfig config, Trace trace, ReplayListener listener)
      throws IOException {
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(trace, "trace");
    Objects.requireNonNull(listener, "listener");
    if (config.settings().containsKey("healthCheck")) {
      throw new IllegalArgumentException(
          "healthCheck: set (expected: none, a recorded call cannot answer it)");
    }
    return new Replay(config, listener).run(trace);
  }

  private ReplaySummary run(Trace trace) throws IOException {
    for (RecordedCall call = trace.next(); call != null; call = trace.next()) {
      advanceTo(call);
      arrive(call);
    }
    while (time.hasCallsInFlight()) {
      time.runNext();
      tellNews();
    }
    ReplaySummary summary =
        new ReplaySummary(
            calls,
            breaker.metrics(),
            refusedThatWouldHaveFailed,
            refusedThatWouldHaveSucceeded,
            busyTimeSpared);
    listener.summary(summary);
    return summary;
  }

  private void advanceTo(RecordedCall call) throws IOException {
    if (call.atNanos() < time.nanoTime()) {
      throw new IllegalArgumentException(
          "atNanos of row "
              + call.row()
              + ": "
              + call.atNanos()
              + " (expected: "
              + time.nanoTime()
              + " or more, as in the row before)");
    }
    while (time.runNext(call.atNanos())) {
      tellNews();
    }
  }

  private void arrive(RecordedCall call) throws IOException {
    calls++;
    Outcome outcome = outcomeOf(call.outcome());
    Permit permit = breaker.tryAcquire();
    tellNews();
    if (permit == null) {
      refused(call, outcome);
    } else {
      time.endCallAfter(call.durationNanos(), () -> permit.record(outcome, call.outcome().text()));
    }
    // Nothing can have moved the breaker since it decided.
    listener.call(call, permit != null, breaker.state());
  }

  private void refused(RecordedCall call, Outcome outcome) {
    busyTimeSpared = busyTimeSpared.plusNanos(call.durationNanos());
    if (outcome == Outcome.FAILURE) {
      refusedThatWouldHaveFailed++;
    } else if (outcome == Outcome.SUCCESS) {
      refusedThatWouldHaveSucceeded++;
    }
  }

  private Outcome outcomeOf(RecordedOutcome outcome) {
    return outcome.isException() ? exceptions.get(outcome) : outcome.under(config);
  }

  /** Outside the breaker, which would keep to itself what a listener throws. */
  private void tellNews() throws IOException {
    for (StateTransition next = news.poll(); next != null; next = news.poll()) {
      listener.transition(next);
    }
  }
}

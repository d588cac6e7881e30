package dev.recloser.lab;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.Outcome;
import dev.recloser.Permit;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Sends the calls of a trace through a real breaker on simulated time; through one each, if they
 * went to several dependencies.
 *
 * <p>The breaker is made at time zero of the trace, that of a {@linkplain RecordedCall#key
 * dependency} when its first call arrives. A call arrives when the trace says so; an admitted one
 * ends after the time it took in the trace, with the outcome it had; a refused one takes no time
 * and is not recorded. The breaker has a scheduler, so limits and leases act at their very moment.
 * At one instant timers run first, then calls end, then calls arrive, each in order. After the last
 * row the replay goes on until the last admitted call has ended.
 *
 * <p>The same trace and configuration always give the same replay: jitter comes from a fixed
 * sequence of random numbers.
 */
public final class Replay {
  /** A trace with calls to more dependencies than this is refused: {@value}. */
  public static final int MAX_KEYS = 1_000;

  private static final long SEED = 1;

  private final SimulatedTime time = new SimulatedTime();
  private final Queue<StateTransition> news = new ArrayDeque<>();
  private final Map<String, ReplayedBreaker> breakers = new LinkedHashMap<>();
  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Function<? super String, CircuitBreakerConfig> configOf;
  private final ReplayListener listener;

  private Replay(Function<? super String, CircuitBreakerConfig> configOf, ReplayListener listener) {
    this.configOf = configOf;
    this.listener = listener;
  }

  /**
   * Replays a trace of calls to one dependency.
   *
   * @param config the settings of the breaker. Its ticker, scheduler and random numbers are
   *     replaced; its classifier and predicates are not asked, as the trace says how a call ended
   * @param trace the calls, none of which has a key; read to its end, not closed
   * @param listener hears what happens
   * @throws InvalidTraceException if the trace is wrong; the listener then gets no summary
   * @throws IllegalArgumentException if the configuration has a health check, which cannot be
   *     replayed, if a call begins before the one that came before it, or if one has a key
   * @throws IOException if reading the trace fails, or the listener throws it
   */
  public static ReplaySummary run(CircuitBreakerConfig config, Trace trace, ReplayListener listener)
      throws IOException {
    Objects.requireNonNull(config, "config");
    Replay replay = of(key -> config, trace, listener);
    // It is there from the beginning, and even if there is no call.
    ReplayedBreaker only = replay.breaker(RecordedCall.NO_KEY);
    replay.read(trace);
    if (replay.breakers.size() > 1) {
      throw new IllegalArgumentException(
          "trace: calls with a key (expected: none with one, or runByKey)");
    }
    ReplaySummary summary = only.summary();
    listener.summary(summary);
    return summary;
  }

  /**
   * Replays a trace of calls to several dependencies, with a breaker each.
   *
   * @param config the settings of all breakers, as for {@link #run}
   * @param trace the calls; those with the same key went to the same dependency; read to its end,
   *     not closed
   * @param listener hears what happens, and gets a summary of each dependency
   * @return the summaries, in the order in which the dependencies were first called
   * @throws InvalidTraceException if the trace is wrong; the listener then gets no summary
   * @throws IllegalArgumentException if the configuration has a health check, if a call begins
   *     before the one that came before it, or if there are more than {@link #MAX_KEYS}
   *     dependencies
   * @throws IOException if reading the trace fails, or the listener throws it
   */
  public static List<ReplaySummary> runByKey(
      CircuitBreakerConfig config, Trace trace, ReplayListener listener) throws IOException {
    Objects.requireNonNull(config, "config");
    return runByKey(key -> config, trace, listener);
  }

  /**
   * Replays a trace of calls to several dependencies, with a breaker each and settings of its own.
   *
   * @param configOf the settings for a {@linkplain RecordedCall#key key}, as for {@link #run};
   *     asked once for each, when its first call comes
   * @param trace the calls; those with the same key went to the same dependency; read to its end,
   *     not closed
   * @param listener hears what happens, and gets a summary of each dependency
   * @return the summaries, in the order in which the dependencies were first called
   * @throws InvalidTraceException if the trace is wrong; the listener then gets no summary
   * @throws IllegalArgumentException if a configuration has a health check, if a call begins before
   *     the one that came before it, or if there are more than {@link #MAX_KEYS} dependencies
   * @throws IOException if reading the trace fails, or the listener throws it
   */
  public static List<ReplaySummary> runByKey(
      Function<? super String, CircuitBreakerConfig> configOf, Trace trace, ReplayListener listener)
      throws IOException {
    Replay replay = of(configOf, trace, listener);
    replay.read(trace);
    List<ReplaySummary> summaries =
        replay.breakers.values().stream().map(ReplayedBreaker::summary).toList();
    for (ReplaySummary summary : summaries) {
      listener.summary(summary);
    }
    return summaries;
  }

  private static Replay of(
      Function<? super String, CircuitBreakerConfig> configOf,
      Trace trace,
      ReplayListener listener) {
    Objects.requireNonNull(configOf, "configOf");
    Objects.requireNonNull(trace, "trace");
    Objects.requireNonNull(listener, "listener");
    return new Replay(configOf, listener);
  }

  private void read(Trace trace) throws IOException {
    for (RecordedCall call = trace.next(); call != null; call = trace.next()) {
      advanceTo(call);
      arrive(call);
    }
    while (time.hasCallsInFlight()) {
      time.runNext();
      tellNews();
    }
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
    ReplayedBreaker breaker = breaker(call.key());
    Outcome outcome = breaker.outcomeOf(call.outcome());
    Permit permit = breaker.arrive(call, outcome);
    tellNews();
    if (permit != null) {
      time.endCallAfter(call.durationNanos(), () -> permit.record(outcome, call.outcome().text()));
    }
    // Nothing can have moved the breaker since it decided.
    listener.call(call, permit != null, breaker.state());
  }

  private ReplayedBreaker breaker(String key) {
    ReplayedBreaker known = breakers.get(key);
    if (known != null) {
      return known;
    }
    if (breakers.size() == MAX_KEYS) {
      throw new IllegalArgumentException(
          "key: more than "
              + MAX_KEYS
              + " dependencies, the last "
              + Shown.value(key)
              + " (expected: a key with fewer values)");
    }
    ReplayedBreaker breaker = new ReplayedBreaker(key, config(key), news::add);
    breakers.put(key, breaker);
    return breaker;
  }

  private CircuitBreakerConfig config(String key) {
    CircuitBreakerConfig config = Objects.requireNonNull(configOf.apply(key), "config");
    if (config.settings().containsKey("healthCheck")) {
      throw new IllegalArgumentException(
          "healthCheck: set (expected: none, a recorded call cannot answer it)");
    }
    return config.with(builder -> builder.ticker(time).scheduler(time).random(random::nextDouble));
  }

  /** Outside the breaker, which would keep to itself what a listener throws. */
  private void tellNews() throws IOException {
    for (StateTransition next = news.poll(); next != null; next = news.poll()) {
      listener.transition(next);
    }
  }
}

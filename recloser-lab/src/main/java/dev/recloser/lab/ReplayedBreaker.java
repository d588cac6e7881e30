package dev.recloser.lab;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.Outcome;
import dev.recloser.Permit;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The breaker of a dependency within a replay, and what becomes of its calls. */
final class ReplayedBreaker {
  private final String key;
  private final CircuitBreaker breaker;
  private final CircuitBreakerConfig config;
  private final Memo<RecordedOutcome, Outcome> exceptions;

  private long calls;
  private long refusedThatWouldHaveFailed;
  private long refusedThatWouldHaveSucceeded;
  private Duration busyTimeSpared = Duration.ZERO;

  /**
   * Creates one.
   *
   * @param key the key of its calls
   * @param news hears of its transitions, within the breaker
   */
  ReplayedBreaker(String key, CircuitBreakerConfig config, Consumer<StateTransition> news) {
    this.key = key;
    this.config = config;
    exceptions = new Memo<>(outcome -> outcome.under(config));
    breaker = CircuitBreaker.create(key.equals(RecordedCall.NO_KEY) ? "replay" : key, config);
    breaker.on(StateTransition.class, news);
  }

  CircuitBreaker.State state() {
    return breaker.state();
  }

  /** How a call ended, by the settings. */
  Outcome outcomeOf(RecordedOutcome outcome) {
    return outcome.isException() ? exceptions.get(outcome) : outcome.under(config);
  }

  /** Lets a call in, or refuses it; null if it is refused. */
  @Nullable Permit arrive(RecordedCall call, Outcome outcome) {
    calls++;
    Permit permit = breaker.tryAcquire();
    if (permit == null) {
      refused(call, outcome);
    }
    return permit;
  }

  private void refused(RecordedCall call, Outcome outcome) {
    busyTimeSpared = busyTimeSpared.plusNanos(call.durationNanos());
    if (outcome == Outcome.FAILURE) {
      refusedThatWouldHaveFailed++;
    } else if (outcome == Outcome.SUCCESS) {
      refusedThatWouldHaveSucceeded++;
    }
  }

  ReplaySummary summary() {
    return new ReplaySummary(
        key,
        calls,
        breaker.metrics(),
        refusedThatWouldHaveFailed,
        refusedThatWouldHaveSucceeded,
        busyTimeSpared);
  }
}

package dev.recloser;

import dev.recloser.CircuitBreaker.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One stay of the naive breaker in one state, with all that begins and ends with it. */
final class NaiveStay {
  final State state;
  final long since;

  /** The wait of the open state, or the time an operator gave; null for no limit. */
  final @Nullable Duration limit;

  final int openings;
  final NaiveWindow window;

  /** What the breaker knew when it opened. */
  final @Nullable WindowSnapshot openedBy;

  /** Admitted here and not ended, in the order of admission; leases that ran out are gone. */
  final List<NaiveCall> running = new ArrayList<>();

  /** The latest time until which a failure asked to be left alone. */
  @Nullable Long retryAt;

  // Half-open.
  final int slots;
  final Duration lease;
  int reported;
  int failed;
  int slow;
  int slowFailed;

  // Closed by probes.
  final @Nullable NaiveRamp ramp;

  // Metrics only.
  boolean told;

  /** When a timer looks because the configuration has changed; null for not. */
  @Nullable Long lookAt;

  NaiveStay(
      State state,
      long since,
      @Nullable Duration limit,
      int openings,
      CircuitBreakerConfig config,
      @Nullable WindowSnapshot openedBy,
      @Nullable NaiveRamp ramp) {
    this.state = state;
    this.since = since;
    this.limit = limit;
    this.openings = openings;
    this.openedBy = openedBy;
    this.ramp = ramp;
    window = new NaiveWindow(config, since);
    slots = config.permittedNumberOfCallsInHalfOpenState();
    lease = config.maxProbeDuration();
  }

  boolean is(State candidate) {
    return state == candidate;
  }

  /** Whether calls are admitted and judged by the window. */
  boolean judges() {
    return is(State.CLOSED) || is(State.METRICS_ONLY);
  }

  int slotsLeft() {
    return slots - reported - running.size();
  }

  /** When the limit is over; null for never. */
  @Nullable Long end() {
    return limit == null ? null : (Long) (since + limit.toNanos());
  }
}

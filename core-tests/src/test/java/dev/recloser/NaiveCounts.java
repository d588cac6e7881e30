package dev.recloser;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerMetrics.TransitionKind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the naive breaker counts in its whole life. */
final class NaiveCounts {
  private final Map<Outcome, Long> ended = new EnumMap<>(Outcome.class);
  private final Map<Outcome, Long> probes = new EnumMap<>(Outcome.class);
  private final Map<RefusalReason, Long> refused = new EnumMap<>(RefusalReason.class);
  private long slow;
  private long late;
  long admitted;
  long expiredProbes;
  long wouldHaveOpened;

  NaiveCounts() {
    for (Outcome outcome : Outcome.values()) {
      ended.put(outcome, 0L);
      probes.put(outcome, 0L);
    }
    for (RefusalReason reason : RefusalReason.values()) {
      refused.put(reason, 0L);
    }
  }

  void refused(RefusalReason reason) {
    refused.merge(reason, 1L, Long::sum);
  }

  void ended(Outcome outcome, boolean isSlow, boolean isLate, boolean isProbe) {
    ended.merge(outcome, 1L, Long::sum);
    slow += isSlow ? 1 : 0;
    late += isLate ? 1 : 0;
    if (isProbe) {
      probes.merge(outcome, 1L, Long::sum);
    }
  }

  long callsInFlight() {
    return admitted - ended.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The numbers after all these moves, the last of which led to {@code present}. */
  CircuitBreakerMetrics metrics(List<NaiveMove> moves, State present, long now) {
    Map<TransitionKind, Long> kinds = new HashMap<>();
    Map<State, Duration> timeInState = new EnumMap<>(State.class);
    for (State state : State.values()) {
      timeInState.put(state, Duration.ZERO);
    }
    long since = 0;
    for (NaiveMove move : moves) {
      kinds.merge(new TransitionKind(move.from(), move.to(), move.cause()), 1L, Long::sum);
      timeInState.merge(move.from(), Duration.ofNanos(move.at() - since), Duration::plus);
      since = move.at();
    }
    timeInState.merge(present, Duration.ofNanos(now - since), Duration::plus);
    return new CircuitBreakerMetrics(
        admitted,
        ended.getOrDefault(Outcome.SUCCESS, 0L),
        ended.getOrDefault(Outcome.FAILURE, 0L),
        ended.getOrDefault(Outcome.IGNORED, 0L),
        ended.getOrDefault(Outcome.CANCELLED, 0L),
        slow,
        late,
        refused,
        probes,
        expiredProbes,
        wouldHaveOpened,
        kinds,
        timeInState);
  }
}

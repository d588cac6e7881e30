package dev.recloser.stress;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.Outcome;
import dev.recloser.RefusalReason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.Operation;

/**
 * What {@code docs/semantics.md} says of a breaker, for one thread and without any cleverness. The
 * numbers in comments are those of its rules.
 */
public final class BreakerModel {
  private final Call[] calls = new Call[BreakerOperations.REGISTERS];
  private final Map<Outcome, Long> ended = new EnumMap<>(Outcome.class);
  private BreakerSettings settings = BreakerSettings.FAILURES;
  private int windowSize = settings.windowSize;
  private int now;
  private long admitted;
  private long refused;
  private long slow;
  private long late;
  private long expired;
  private int transitions;

  private Stay stay = new Stay(State.CLOSED, 0);

  /** A stay in a state; nothing of it outlives it. */
  private static final class Stay {
    final State state;
    final int since;

    /** Those that have ended, the oldest first: the window, or the probes. */
    final List<Ended> results = new ArrayList<>();

    /** Those that have not, the oldest first. */
    final List<Call> out = new ArrayList<>();

    Stay(State state, int since) {
      this.state = state;
      this.since = since;
    }
  }

  private record Ended(boolean failed, boolean slow) {}

  private static final class Call {
    final Stay stay;
    final int begun;
    boolean ended;

    Call(Stay stay, int begun) {
      this.stay = stay;
      this.begun = begun;
    }
  }

  @Operation
  public void start(BreakerSettings initial) {
    settings = initial;
    windowSize = initial.windowSize;
  }

  @Operation
  public void pass(int nanos) {
    now += nanos;
  }

  @Operation
  public String acquire(int register) {
    lookAtTheClock();
    RefusalReason reason = refusal();
    if (reason != null) {
      refused++;
      return "refused: " + reason;
    }
    admitted++;
    calls[register] = new Call(stay, now);
    stay.out.add(calls[register]);
    return stay.state == State.HALF_OPEN ? "probe" : "admitted";
  }

  @Operation
  public void end(int register, Outcome outcome) {
    Call call = calls[register];
    if (call == null || call.ended) {
      return; // S1
    }
    call.ended = true;
    boolean recorded = outcome == Outcome.SUCCESS || outcome == Outcome.FAILURE; // S3
    boolean isSlow = recorded && isPastTheLimit(call);
    ended.merge(outcome, 1L, Long::sum);
    slow += isSlow ? 1 : 0;
    if (call.stay == stay) {
      expireLeases();
    }
    if (call.stay != stay || !stay.out.remove(call)) {
      late++; // S2; or its own lease is over.
      return;
    }
    if (recorded) {
      stay.results.add(new Ended(outcome == Outcome.FAILURE, isSlow));
    }
    judge(recorded);
  }

  @Operation
  public void transitionTo(State state) {
    expireLeases();
    if (stay.state != state) {
      move(state, now);
    }
  }

  @Operation
  public void reset() {
    expireLeases();
    move(State.CLOSED, now);
  }

  @Operation
  public void resize(int size) {
    expireLeases();
    windowSize = size;
    shorten();
  }

  @Operation
  public State state() {
    return stay.state;
  }

  @Operation
  public List<Object> window() {
    int all = stay.results.size();
    return switch (stay.state) {
      case CLOSED, METRICS_ONLY ->
          List.of(stay.state, all, failedResults(), slowResults(), slowInFlight());
      case HALF_OPEN ->
          List.of(stay.state, all, failedResults(), slowResults(), stay.out.size(), slotsLeft());
      case OPEN, FORCED_OPEN, DISABLED -> List.of(stay.state);
    };
  }

  @Operation
  public List<Object> metrics() {
    return List.of(
        admitted,
        refused,
        ended.getOrDefault(Outcome.SUCCESS, 0L),
        ended.getOrDefault(Outcome.FAILURE, 0L),
        ended.getOrDefault(Outcome.IGNORED, 0L),
        ended.getOrDefault(Outcome.CANCELLED, 0L),
        slow,
        expired,
        transitions);
  }

  @Operation
  public long late() {
    return late;
  }

  /** What time alone has brought about by now is found by the next call. */
  private void lookAtTheClock() {
    expireLeases(); // S15
    if (stay.state == State.CLOSED && slowInFlight() > 0) {
      judge(/* recorded= */ false); // S8
    }
    if (stay.state == State.OPEN && now - stay.since >= BreakerSettings.WAIT) {
      move(State.HALF_OPEN, now); // S10
    }
  }

  /** Each counts at the moment at which its lease was over. */
  private void expireLeases() {
    while (stay.state == State.HALF_OPEN
        && !stay.out.isEmpty()
        && now - stay.out.get(0).begun >= BreakerSettings.LEASE) {
      Call silent = stay.out.remove(0);
      stay.results.add(new Ended(/* failed= */ true, /* slow= */ true));
      expired++;
      judgeProbes(silent.begun + BreakerSettings.LEASE);
    }
  }

  private RefusalReason refusal() {
    return switch (stay.state) {
      case CLOSED, DISABLED, METRICS_ONLY -> null;
      case OPEN -> RefusalReason.OPEN;
      case FORCED_OPEN -> RefusalReason.FORCED_OPEN;
      case HALF_OPEN -> slotsLeft() > 0 ? null : RefusalReason.HALF_OPEN; // S13
    };
  }

  private int slotsLeft() {
    return settings.probes - stay.out.size() - stay.results.size();
  }

  private void judge(boolean recorded) {
    shorten();
    if (stay.state == State.HALF_OPEN) {
      judgeProbes(now);
    } else if (stay.state == State.CLOSED && isBad(recorded)) {
      move(State.OPEN, now);
    }
  }

  /** S6 for those that have ended, S8 for those that run. */
  private boolean isBad(boolean recorded) {
    int all = stay.results.size();
    int running = slowInFlight();
    boolean failing =
        recorded
            && all >= settings.minimumCalls
            && isReached(settings.failurePercent, failedResults(), all);
    boolean slowing =
        (recorded || running > 0)
            && all + running >= settings.minimumCalls
            && isReached(settings.slowPercent, slowResults() + running, all + running);
    return failing || slowing;
  }

  /** S14. */
  private void judgeProbes(int at) {
    int open = settings.probes - stay.results.size();
    int failed = failedResults();
    int slowOnes = slowResults();
    if (settings.allMustSucceed) {
      if (failed + slowOnes > 0) {
        move(State.OPEN, at);
      } else if (open == 0) {
        move(State.CLOSED, at);
      }
    } else if (isBadOfProbes(failed, slowOnes)) {
      move(State.OPEN, at);
    } else if (!isBadOfProbes(failed + open, slowOnes + open)) {
      move(State.CLOSED, at);
    }
  }

  private boolean isBadOfProbes(int failed, int slowOnes) {
    return isReached(settings.failurePercent, failed, settings.probes)
        || isReached(settings.slowPercent, slowOnes, settings.probes);
  }

  private static boolean isReached(int percent, int part, int whole) {
    return whole > 0 && 100 * part >= percent * whole;
  }

  private void move(State state, int at) {
    stay = new Stay(state, at);
    transitions++;
  }

  /** S9. */
  private void shorten() {
    while (stay.state != State.HALF_OPEN && stay.results.size() > windowSize) {
      stay.results.remove(0);
    }
  }

  private int failedResults() {
    return (int) stay.results.stream().filter(Ended::failed).count();
  }

  private int slowResults() {
    return (int) stay.results.stream().filter(Ended::slow).count();
  }

  private int slowInFlight() {
    return (int) stay.out.stream().filter(this::isPastTheLimit).count();
  }

  /** S7. */
  private boolean isPastTheLimit(Call call) {
    return settings.slowLimit > 0 && now - call.begun > settings.slowLimit;
  }
}

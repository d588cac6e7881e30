package dev.recloser;

import dev.recloser.CircuitBreaker.State;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the breaker, written down as plainly as possible: lists, loops over all calls, exact
 * decimals, no locks, one thread, times as nanoseconds from the start.
 *
 * <p>Where time alone moves a breaker, {@link #advance} does it at the moment it is due if there
 * are timers. Without them the next call does; it then applies leases, the limit of the half-open
 * state and the time of an operator's state as of the moment they ran out.
 */
final class NaiveBreaker {
  private final boolean timers;
  private final List<NaiveMove> moves = new ArrayList<>();
  private final NaiveCounts counts = new NaiveCounts();
  private CircuitBreakerConfig config;
  private NaiveStay stay;
  private long now;
  private double draw;

  /** Makes a closed breaker at time 0. */
  NaiveBreaker(CircuitBreakerConfig config, boolean timers) {
    this.config = config;
    this.timers = timers;
    stay = new NaiveStay(State.CLOSED, 0, null, 0, config, null, null);
  }

  /** Sets the random number that waits are drawn with from here on. */
  void draw(double number) {
    draw = number;
  }

  // What happens to it.

  /** Asks for admission; null when it is refused. */
  @Nullable NaiveCall acquire() {
    while (movesOnArrival()) {
      // Until nothing more is due.
    }
    if (!admits()) {
      counts.refused(refusal());
      return null;
    }
    counts.admitted++;
    boolean probe = stay.is(State.HALF_OPEN);
    boolean timed = probe || limit(config.slowCallDurationThreshold()) > 0;
    NaiveCall call = new NaiveCall(stay, now, probe, timed, config.countSlowCallsInFlight());
    stay.running.add(call);
    return call;
  }

  /**
   * Ends a call, once.
   *
   * @param retryAfter how long a failure asks to be left alone; zero for not
   */
  void end(NaiveCall call, Outcome outcome, Duration retryAfter) {
    if (call.ended) {
      return;
    }
    call.ended = true;
    if (call.issuer == stay) {
      lapse();
    }
    boolean told = stillTold();
    boolean isLate = call.issuer != stay || !stay.running.remove(call);
    boolean isSlow = outcome.isRecorded() && call.isLongerThan(slowLimit(call), now);
    counts.ended(outcome, isSlow, isLate, call.probe);
    if (isLate) {
      return;
    }
    if (outcome.isRecorded() && !stay.is(State.DISABLED)) {
      record(outcome == Outcome.FAILURE, isSlow, retryAfter);
    }
    if (stay.is(State.HALF_OPEN) && outcome.isRecorded()) {
      decide(now);
    } else if (stay.judges()) {
      stay.told = told;
      act(outcome.isRecorded() ? reached() : reachedInFlight());
    }
  }

  /** Lets time pass; timers act at their moments. */
  void advance(long nanos) {
    long end = now + nanos;
    while (timers) {
      Long moment = nextTimer(end);
      if (moment == null) {
        break;
      }
      now = Math.max(now, moment);
      stay.lookAt = null;
      ring();
    }
    now = end;
  }

  /** Looks at what time alone has done, as a timer does. */
  void ring() {
    boolean waits = stay.is(State.OPEN) && !config.automaticTransitionFromOpenToHalfOpenEnabled();
    if (!waits) {
      movesOnArrival();
    }
  }

  void transitionTo(State target, @Nullable Duration duration) {
    lapse();
    if (stay.is(target) && duration == null && !hasExpiry()) {
      return;
    }
    TransitionCause cause = TransitionCause.OPERATOR;
    switch (target) {
      case OPEN -> {
        Duration wait = duration == null ? wait(1, now) : duration;
        enter(State.OPEN, now, cause, wait, 1);
      }
      case HALF_OPEN -> enter(State.HALF_OPEN, now, cause, maxStay(), openings());
      case CLOSED, FORCED_OPEN, DISABLED, METRICS_ONLY -> enter(target, now, cause, duration, 0);
    }
  }

  void reset() {
    lapse();
    enter(State.CLOSED, now, TransitionCause.RESET, null, 0);
  }

  void reconfigure(CircuitBreakerConfig after) {
    lapse();
    stay.window.reshape(after, now);
    config = after;
    stay.lookAt = now;
  }

  // What it says.

  long now() {
    return now;
  }

  State state() {
    return stay.state;
  }

  List<NaiveMove> moves() {
    return moves;
  }

  RefusalReason refusal() {
    return switch (stay.state) {
      case OPEN -> RefusalReason.OPEN;
      case HALF_OPEN -> RefusalReason.HALF_OPEN;
      case FORCED_OPEN -> RefusalReason.FORCED_OPEN;
      case CLOSED -> RefusalReason.RAMP_UP;
      case DISABLED, METRICS_ONLY -> throw new AssertionError(stay.state + " refuses nothing");
    };
  }

  /** How long it stays unless something else happens. */
  @Nullable Duration remaining() {
    Long end = stay.is(State.HALF_OPEN) ? endOfHalfOpen() : stay.end();
    return end == null ? null : Duration.ofNanos(Math.max(0, end - now));
  }

  /** When a call that is refused now should try again. */
  Optional<Duration> retryAfter() {
    return stay.is(State.HALF_OPEN) ? Optional.empty() : Optional.ofNullable(remaining());
  }

  CircuitBreakerSnapshot snapshot(String name) {
    boolean halfOpen = stay.is(State.HALF_OPEN);
    return new CircuitBreakerSnapshot(
        name,
        stay.state,
        Duration.ofNanos(now - stay.since),
        known(),
        remaining(),
        halfOpen ? stay.running.size() : 0,
        halfOpen ? stay.slotsLeft() : 0,
        admittedPercentage(),
        openings(),
        counts.callsInFlight());
  }

  CircuitBreakerMetrics metrics() {
    return counts.metrics(moves, stay.state, certainUntil());
  }

  /** A limit that has run out and was not found yet will be taken to have acted at its moment. */
  private long certainUntil() {
    long until = now;
    if (!stay.is(State.OPEN)) {
      Long end = stay.end();
      until = end == null ? until : Math.min(until, end);
    }
    if (stay.is(State.HALF_OPEN)) {
      Long lease = endOfFirstLease();
      until = lease == null ? until : Math.min(until, lease);
    }
    return until;
  }

  /** The moments at which something will become different, in order. */
  List<Long> momentsToCome() {
    TreeSet<Long> moments = new TreeSet<>();
    for (NaiveCall call : stay.running) {
      moments.add(call.start + slowLimit(call));
      moments.add(call.start + limit(stay.lease));
    }
    addTo(moments, remaining() == null ? null : (Long) (now + remaining().toNanos()));
    addTo(moments, stay.judges() ? stay.window.nextSliceAt(now) : null);
    addTo(moments, stay.ramp == null ? null : (Long) stay.ramp.end());
    addTo(moments, stay.since + limit(config.waitDurationInOpenState()));
    return List.copyOf(moments.tailSet(now));
  }

  // Opening.

  /** What a call finds due when it arrives: at most one move, and there may be more behind it. */
  private boolean movesOnArrival() {
    NaiveStay before = stay;
    lapse();
    if (stay != before) {
      return true;
    }
    Long end = stay.end();
    if (stay.is(State.OPEN) && end != null && now - end >= 0) {
      enter(State.HALF_OPEN, now, TransitionCause.WAIT_ELAPSED, maxStay(), stay.openings);
    } else if (stay.judges()) {
      stay.told = stillTold();
      act(reachedInFlight());
    }
    return stay != before;
  }

  private boolean admits() {
    return switch (stay.state) {
      case CLOSED -> stay.ramp == null || stay.ramp.admits(now);
      case HALF_OPEN -> stay.slotsLeft() > 0;
      case OPEN, FORCED_OPEN -> false;
      case DISABLED, METRICS_ONLY -> true;
    };
  }

  private void record(boolean failed, boolean isSlow, Duration retryAfter) {
    if (stay.is(State.HALF_OPEN)) {
      stay.reported++;
      stay.failed += failed ? 1 : 0;
      stay.slow += isSlow ? 1 : 0;
      stay.slowFailed += failed && isSlow ? 1 : 0;
    } else {
      stay.window.add(failed, isSlow, now);
    }
    Duration most = config.exponentialMaxWaitDurationInOpenState();
    long asked = limit(retryAfter.compareTo(most) > 0 ? most : retryAfter);
    if (failed && asked > 0) {
      stay.retryAt = stay.retryAt == null ? now + asked : Math.max(stay.retryAt, now + asked);
    }
  }

  private @Nullable TransitionCause reached() {
    int calls = stay.window.calls(now);
    return calls >= config.minimumNumberOfCalls()
            && isReached(stay.window.failed(now), calls, config.failureRateThreshold())
        ? TransitionCause.FAILURE_RATE
        : slowRateReached();
  }

  /** Calls running past the limit stand on both sides of the rate, and of the minimum. */
  private @Nullable TransitionCause slowRateReached() {
    int running = overdue();
    int calls = stay.window.calls(now) + running;
    return calls >= config.minimumNumberOfCalls()
            && isReached(stay.window.slow(now) + running, calls, config.slowCallRateThreshold())
        ? TransitionCause.SLOW_CALL_RATE
        : null;
  }

  private @Nullable TransitionCause reachedInFlight() {
    return overdue() > 0 ? slowRateReached() : null;
  }

  private int overdue() {
    int overdue = 0;
    for (NaiveCall call : stay.running) {
      if (config.countSlowCallsInFlight() && call.watched) {
        overdue += call.isLongerThan(limit(config.slowCallDurationThreshold()), now) ? 1 : 0;
      }
    }
    return overdue;
  }

  private void act(@Nullable TransitionCause cause) {
    if (stay.is(State.CLOSED) && cause != null) {
      int openings = openings() + 1;
      enter(State.OPEN, now, cause, wait(openings, now), openings);
    } else if (stay.is(State.METRICS_ONLY)) {
      counts.wouldHaveOpened += cause != null && !stay.told ? 1 : 0;
      stay.told |= cause != null;
      stay.told = stillTold();
    }
  }

  /** A crossing has been told until both rates have been below. */
  private boolean stillTold() {
    return stay.told && reached() != null;
  }

  /** How often it has opened without recovering; forgotten after the base wait in closed. */
  private int openings() {
    boolean recovered =
        stay.is(State.CLOSED) && now - stay.since >= limit(config.waitDurationInOpenState());
    return recovered ? 0 : stay.openings;
  }

  /** Whether an operator has given the present state a time, which a further command takes off. */
  private boolean hasExpiry() {
    return switch (stay.state) {
      case FORCED_OPEN, DISABLED, METRICS_ONLY -> stay.limit != null;
      case CLOSED, OPEN, HALF_OPEN -> false;
    };
  }

  // What runs out.

  /** Applies what has run out, as of when it did, in the order in which it did. */
  private void lapse() {
    switch (stay.state) {
      case HALF_OPEN -> lapseHalfOpen();
      case FORCED_OPEN, DISABLED, METRICS_ONLY -> {
        Long end = stay.end();
        if (end != null && now - end >= 0) {
          enter(State.CLOSED, end, TransitionCause.WAIT_ELAPSED, null, 0);
        }
      }
      case CLOSED, OPEN -> {}
    }
  }

  private void lapseHalfOpen() {
    NaiveStay before = stay;
    while (stay == before) {
      Long lease = endOfFirstLease();
      Long end = endOfHalfOpen();
      boolean leaseIsFirst = lease != null && (end == null || lease <= end);
      if (leaseIsFirst && lease <= now) {
        expire(lease);
      } else if (!leaseIsFirst && end != null && end <= now) {
        reopen(end, TransitionCause.HALF_OPEN_TIMEOUT);
      } else {
        return;
      }
    }
  }

  private void expire(long at) {
    stay.running.remove(firstProbe());
    counts.expiredProbes++;
    stay.reported++;
    stay.failed++;
    stay.slow++;
    stay.slowFailed++;
    decide(at);
  }

  private @Nullable NaiveCall firstProbe() {
    return stay.running.stream().min(Comparator.comparingLong(call -> call.start)).orElse(null);
  }

  private @Nullable Long endOfFirstLease() {
    NaiveCall first = firstProbe();
    return first == null ? null : (Long) (first.start + limit(stay.lease));
  }

  private @Nullable Long endOfHalfOpen() {
    return stay.end();
  }

  // Half-open.

  /** Decides if neither the best nor the worst of the rest can change it. */
  private void decide(long at) {
    int rest = stay.slots - stay.reported;
    if (isUnhealthy(stay.failed, stay.slow)) {
      reopen(at, TransitionCause.PROBES_FAILED);
    } else if (!isUnhealthy(stay.failed + rest, stay.slow + rest)) {
      enter(State.CLOSED, at, TransitionCause.PROBES_SUCCEEDED, null, stay.openings);
    }
  }

  private boolean isUnhealthy(int failedProbes, int slowProbes) {
    return switch (config.halfOpenRule()) {
      case ALL_SUCCEED -> failedProbes + slowProbes > 0;
      case RATE ->
          isReached(failedProbes, stay.slots, config.failureRateThreshold())
              || isReached(slowProbes, stay.slots, config.slowCallRateThreshold());
    };
  }

  private void reopen(long at, TransitionCause cause) {
    int openings = stay.openings + 1;
    enter(State.OPEN, at, cause, wait(openings, at), openings);
  }

  // Moving.

  private void enter(
      State to, long at, TransitionCause cause, @Nullable Duration limit, int openings) {
    WindowSnapshot window = known();
    moves.add(new NaiveMove(moves.size() + 1, at, stay.state, to, cause, window, limit, openings));
    boolean gently = cause == TransitionCause.PROBES_SUCCEEDED && !config.rampUpDuration().isZero();
    NaiveRamp ramp = gently ? new NaiveRamp(config, at) : null;
    stay = new NaiveStay(to, at, limit, openings, config, to == State.OPEN ? window : null, ramp);
  }

  private Duration wait(int openings, long at) {
    long asked = stay.retryAt == null ? 0 : Math.max(0, stay.retryAt - at);
    return Duration.ofNanos(NaiveWait.nanos(config, openings, asked, draw));
  }

  private @Nullable Duration maxStay() {
    Duration most = config.maxWaitDurationInHalfOpenState();
    return most.isZero() ? null : most;
  }

  /** The next moment, at most {@code end}, at which a timer has something to do. */
  private @Nullable Long nextTimer(long end) {
    TreeSet<Long> moments = new TreeSet<>();
    addTo(moments, stay.lookAt);
    if (stay.judges() && config.countSlowCallsInFlight()) {
      for (NaiveCall call : stay.running) {
        long overdueAt = call.start + limit(config.slowCallDurationThreshold()) + 1;
        addTo(moments, call.watched && overdueAt > now ? (Long) overdueAt : null);
      }
    }
    switch (stay.state) {
      case OPEN ->
          addTo(moments, config.automaticTransitionFromOpenToHalfOpenEnabled() ? stay.end() : null);
      case HALF_OPEN -> {
        addTo(moments, endOfFirstLease());
        addTo(moments, endOfHalfOpen());
      }
      case CLOSED, FORCED_OPEN, DISABLED, METRICS_ONLY -> addTo(moments, stay.end());
    }
    return moments.isEmpty() || moments.first() > end ? null : moments.first();
  }

  // Numbers.

  private WindowSnapshot known() {
    return switch (stay.state) {
      case CLOSED, METRICS_ONLY ->
          window(
              stay.window.calls(now),
              stay.window.failed(now),
              stay.window.slow(now),
              stay.window.slowFailed(now));
      case HALF_OPEN -> window(stay.reported, stay.failed, stay.slow, stay.slowFailed);
      case OPEN -> stay.openedBy == null ? window(0, 0, 0, 0) : stay.openedBy;
      case FORCED_OPEN, DISABLED -> window(0, 0, 0, 0);
    };
  }

  private WindowSnapshot window(int calls, int failedCalls, int slowCalls, int slowFailures) {
    return new WindowSnapshot(
        calls,
        failedCalls,
        slowCalls,
        slowFailures,
        stay.judges() ? overdue() : 0,
        stay.is(State.HALF_OPEN) ? stay.slots : config.minimumNumberOfCalls(),
        config.failureRateThreshold(),
        config.slowCallRateThreshold());
  }

  private double admittedPercentage() {
    return switch (stay.state) {
      case CLOSED -> stay.ramp == null ? 100 : stay.ramp.percentage(now);
      case OPEN, HALF_OPEN, FORCED_OPEN -> 0;
      case DISABLED, METRICS_ONLY -> 100;
    };
  }

  private long slowLimit(NaiveCall call) {
    return limit(
        call.probe ? config.probeSlowCallDurationThreshold() : config.slowCallDurationThreshold());
  }

  private static boolean isReached(int part, int whole, double percent) {
    BigDecimal threshold = BigDecimal.valueOf(percent).multiply(BigDecimal.valueOf(whole));
    return whole > 0 && BigDecimal.valueOf(100L * part).compareTo(threshold) >= 0;
  }

  private static long limit(Duration duration) {
    return duration.toNanos();
  }

  private static void addTo(Set<Long> moments, @Nullable Long moment) {
    if (moment != null) {
      moments.add(moment);
    }
  }
}

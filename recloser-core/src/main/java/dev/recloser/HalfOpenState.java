package dev.recloser;

import dev.recloser.CircuitBreaker.State;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Admits a few probes, refuses everyone else, and decides by what the probes report.
 *
 * <p>A probe holds a slot from its admission on. One that ends as success or failure has used it
 * up, as has one whose lease runs out; one that is ignored or cancelled gives it back. The verdict
 * falls as soon as the outstanding slots cannot change it, once, under the lock; whatever comes
 * after that is refused or late. Slots, lease and limit are those of the configuration on entry.
 *
 * <p>Leases and the limit of the whole stay are kept as if there were a timer, whether there is one
 * or not: a call that comes long after finds the breaker where a timer would have brought it.
 */
final class HalfOpenState extends BreakerState {
  /** What probes instead of calls; null for the calls themselves. As configured on entry. */
  final @Nullable Supplier<? extends CompletionStage<?>> check;

  private final long leaseNanos;
  private final long maxNanos;

  // All guarded by this.
  private final ProbeTally tally;
  private final Set<BreakerPermit> out = new LinkedHashSet<>();
  private int taken;
  private @Nullable Departure verdict;
  private boolean left;

  /** Stays true if whoever judged died of it, of lack of memory for example; the next then does. */
  private boolean judgmentIsDue;

  HalfOpenState(Departure from, int openings) {
    super(from, State.HALF_OPEN, maxStay(from.state().breaker.config()), openings);
    CircuitBreakerConfig config = breaker.config();
    tally = new ProbeTally(config.probes);
    check = config.healthCheck();
    leaseNanos = config.leaseNanos;
    maxNanos = config.maxHalfOpenNanos;
  }

  @Override
  State kind() {
    return State.HALF_OPEN;
  }

  @Override
  boolean isTimed() {
    return true;
  }

  @Override
  boolean timesResults() {
    return true;
  }

  @Override
  @Nullable BreakerState due(long now) {
    return expired(now);
  }

  @Override
  @Nullable BreakerState expired(long now) {
    return successor(overdue(now));
  }

  /** With a health check, a call is refused, and at most the occasion to start the next check. */
  @Override
  @Nullable BreakerPermit admit(long now, boolean timed) {
    if (check == null) {
      return admitProbe(now, tally.slots());
    }
    HealthChecks.run(this, check);
    return null;
  }

  /** Admits a health check if none is out. */
  @Nullable BreakerPermit admitCheck(long now) {
    return admitProbe(now, 1);
  }

  private @Nullable BreakerPermit admitProbe(long now, int atOnce) {
    BreakerPermit permit;
    synchronized (this) {
      if (isOver() || taken == tally.slots() || out.size() >= atOnce) {
        return null;
      }
      taken++;
      permit = new BreakerPermit(this, /* probe= */ true, /* timed= */ true, now);
      out.add(permit);
    }
    alarm.set(now + leaseNanos, now);
    return permit;
  }

  @Override
  RefusalReason refusal() {
    return RefusalReason.HALF_OPEN;
  }

  @Override
  Settlement settle(BreakerPermit permit, Result result) {
    boolean late = false;
    Departure departure;
    synchronized (this) {
      // A lease that ran out before this call ended counts first, that of this call included.
      departure = overdue(result.now());
      if (departure != null || isOver() || !out.remove(permit)) {
        late = true;
      } else if (result.outcome().isRecorded()) {
        tally.add(result);
        departure = judge(result.now());
      } else {
        taken--;
      }
    }
    if (departure != null) {
      return new Settlement(late, successor(departure));
    }
    return late ? Settlement.LATE : Settlement.COUNTED;
  }

  @Override
  synchronized Findings findings(long now) {
    return tally.findings(breaker.config(), now);
  }

  @Override
  synchronized Findings conclude(long now) {
    Findings findings = findings(now);
    left = true;
    return findings;
  }

  @Override
  synchronized void resume(long now) {
    left = false;
  }

  @Override
  synchronized @Nullable Long alarmAt(long now) {
    BreakerPermit oldest = oldestOut();
    Long lease = oldest == null ? null : (Long) (oldest.startedAt + leaseNanos);
    if (maxNanos == 0) {
      return lease;
    }
    long end = enteredAt + maxNanos;
    return lease != null && lease - end < 0 ? lease : (Long) end;
  }

  @Override
  @Nullable Duration remaining(long now) {
    return maxNanos == 0 ? null : Duration.ofNanos(Math.max(0, maxNanos - (now - enteredAt)));
  }

  /** A check whose lease has run out makes room for the next. */
  @Override
  void onAlarm(long now) {
    startChecks();
  }

  /** Starts the health check if there is one and none is out. Runs user code: under no lock. */
  void startChecks() {
    if (check != null) {
      HealthChecks.run(this, check);
    }
  }

  @Override
  void left() {
    super.left();
    synchronized (this) {
      left = true;
    }
  }

  @Override
  long certainUntil(long now) {
    Long limit = alarmAt(now);
    return limit == null || now - limit < 0 ? now : limit;
  }

  /** Whether a probe will be found not to have reported within its lease. */
  private boolean isLeaseOver(long now) {
    BreakerPermit oldest = oldestOut();
    return !isOver() && oldest != null && now - oldest.startedAt >= leaseNanos;
  }

  Duration lease() {
    return Duration.ofNanos(leaseNanos);
  }

  /** All of it at one moment. */
  synchronized View view(long now) {
    boolean over = isOver();
    return new View(
        findings(now).window(),
        over ? 0 : out.size(),
        over ? 0 : tally.slots() - taken,
        isLeaseOver(now));
  }

  /** Applies what has run out by now, in the order in which it did. */
  private synchronized @Nullable Departure overdue(long now) {
    while (!isOver()) {
      Departure standing = judgmentIsDue ? judge(now) : null;
      if (standing != null) {
        return standing;
      }
      BreakerPermit oldest = oldestOut();
      long lease = oldest == null ? 0 : oldest.startedAt + leaseNanos;
      boolean leaseIsOver = oldest != null && now - lease >= 0;
      long end = enteredAt + maxNanos;
      boolean stayIsOver = maxNanos > 0 && now - end >= 0;
      if (stayIsOver && !(leaseIsOver && lease - end <= 0)) {
        String reason = Reasons.halfOpenTimeout(findings(end).window(), Duration.ofNanos(maxNanos));
        return decide(end, TransitionCause.HALF_OPEN_TIMEOUT, reason);
      }
      if (oldest == null || !leaseIsOver) {
        return null;
      }
      out.remove(oldest);
      tally.addExpired(leaseNanos);
      breaker.counters().probeExpired();
      Departure departure = judge(lease);
      if (departure != null) {
        return departure;
      }
    }
    return left ? null : verdict;
  }

  private @Nullable Departure judge(long at) {
    judgmentIsDue = true;
    CircuitBreakerConfig config = breaker.config();
    WindowSnapshot window = findings(at).window();
    if (tally.hasFailed(config)) {
      String reason = Reasons.probesFailed(window, tally.expired(), lease(), config);
      decide(at, TransitionCause.PROBES_FAILED, reason);
    } else if (tally.hasSucceeded(config)) {
      decide(at, TransitionCause.PROBES_SUCCEEDED, Reasons.probesSucceeded(window));
    }
    judgmentIsDue = false;
    return verdict;
  }

  /** Keeps the verdict, for whoever comes next should this caller die on its way to the swap. */
  private Departure decide(long at, TransitionCause cause, String reason) {
    verdict = departure(at, cause, reason, findings(at));
    return verdict;
  }

  private boolean isOver() {
    return verdict != null || left;
  }

  /** Outside the lock: a wait may come from the user's function. */
  private @Nullable BreakerState successor(@Nullable Departure departure) {
    if (departure == null) {
      return null;
    }
    return departure.cause() == TransitionCause.PROBES_SUCCEEDED
        ? ClosedState.recovered(departure, openings)
        : OpenState.entered(departure, openings + 1);
  }

  private @Nullable BreakerPermit oldestOut() {
    Iterator<BreakerPermit> permits = out.iterator();
    return permits.hasNext() ? permits.next() : null;
  }

  private static @Nullable Duration maxStay(CircuitBreakerConfig config) {
    return config.maxHalfOpenNanos == 0 ? null : Duration.ofNanos(config.maxHalfOpenNanos);
  }

  /**
   * The probes at one moment.
   *
   * @param reported those that have reported
   * @param out those that have not
   * @param left those that may still be admitted
   * @param leaseIsOver whether one will be found not to have reported within its lease
   */
  record View(WindowSnapshot reported, int out, int left, boolean leaseIsOver) {}
}

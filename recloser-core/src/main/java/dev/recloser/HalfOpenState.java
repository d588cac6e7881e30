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
 * after that is refused or late. The number of slots is that of the configuration on entry.
 *
 * <p>Leases and the limit of the whole stay are kept as if there were a timer, whether there is one
 * or not: a call that comes long after finds the breaker where a timer would have brought it.
 */
final class HalfOpenState extends BreakerState {
  /** What probes instead of calls; null for the calls themselves. As configured on entry. */
  final @Nullable Supplier<? extends CompletionStage<?>> check;

  // All guarded by this.
  private final ProbeTally tally;
  private final Set<Permit> out = new LinkedHashSet<>();
  private int taken;
  private boolean decided;

  HalfOpenState(Departure from, int openings) {
    super(from, State.HALF_OPEN, maxStay(from.state().breaker.config()), openings);
    tally = new ProbeTally(breaker.config().probes);
    check = breaker.config().healthCheck();
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
  @Nullable Permit admit(long now, boolean timed) {
    if (check == null) {
      return admitProbe(now, tally.slots());
    }
    HealthChecks.run(this, check);
    return null;
  }

  /** Admits a health check if none is out. */
  @Nullable Permit admitCheck(long now) {
    return admitProbe(now, 1);
  }

  private @Nullable Permit admitProbe(long now, int atOnce) {
    Permit permit;
    synchronized (this) {
      if (decided || taken == tally.slots() || out.size() >= atOnce) {
        return null;
      }
      taken++;
      permit = new Permit(this, /* probe= */ true, /* timed= */ true, now);
      out.add(permit);
    }
    alarm.set(now + breaker.config().leaseNanos, now);
    return permit;
  }

  @Override
  RefusalReason refusal() {
    return RefusalReason.HALF_OPEN;
  }

  @Override
  Settlement settle(Permit permit, Result result) {
    boolean late = false;
    Departure departure;
    synchronized (this) {
      // A lease that ran out before this call ended counts first, that of this call included.
      departure = overdue(result.now());
      if (departure != null || decided || !out.remove(permit)) {
        late = true;
      } else if (result.outcome().isRecorded()) {
        tally.add(result);
        departure = verdict(result.now());
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
  synchronized @Nullable Long alarmAt(long now) {
    CircuitBreakerConfig config = breaker.config();
    Permit oldest = oldestOut();
    Long lease = oldest == null ? null : (Long) (oldest.startedAt + config.leaseNanos);
    if (config.maxHalfOpenNanos == 0) {
      return lease;
    }
    long end = enteredAt + config.maxHalfOpenNanos;
    return lease != null && lease - end < 0 ? lease : (Long) end;
  }

  @Override
  @Nullable Duration remaining(long now) {
    Duration stay = maxStay(breaker.config());
    if (stay == null) {
      return null;
    }
    return Duration.ofNanos(Math.max(0, stay.toNanos() - (now - enteredAt)));
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
      decided = true;
    }
  }

  synchronized int probesOut() {
    return decided ? 0 : out.size();
  }

  synchronized int probesLeft() {
    return decided ? 0 : tally.slots() - taken;
  }

  /** Applies what has run out by now, in the order in which it did. */
  private synchronized @Nullable Departure overdue(long now) {
    CircuitBreakerConfig config = breaker.config();
    while (!decided) {
      Permit oldest = oldestOut();
      long lease = oldest == null ? 0 : oldest.startedAt + config.leaseNanos;
      boolean leaseIsOver = oldest != null && now - lease >= 0;
      long end = enteredAt + config.maxHalfOpenNanos;
      boolean stayIsOver = config.maxHalfOpenNanos > 0 && now - end >= 0;
      if (stayIsOver && !(leaseIsOver && lease - end <= 0)) {
        String reason = Reasons.halfOpenTimeout(findings(end).window(), config);
        return decide(end, TransitionCause.HALF_OPEN_TIMEOUT, reason);
      }
      if (oldest == null || !leaseIsOver) {
        return null;
      }
      out.remove(oldest);
      tally.addExpired(config.leaseNanos);
      breaker.counters().probeExpired();
      Departure departure = verdict(lease);
      if (departure != null) {
        return departure;
      }
    }
    return null;
  }

  private @Nullable Departure verdict(long at) {
    CircuitBreakerConfig config = breaker.config();
    if (tally.hasFailed(config)) {
      String reason = Reasons.probesFailed(findings(at).window(), tally.expired(), config);
      return decide(at, TransitionCause.PROBES_FAILED, reason);
    }
    return tally.hasSucceeded(config)
        ? decide(
            at, TransitionCause.PROBES_SUCCEEDED, Reasons.probesSucceeded(findings(at).window()))
        : null;
  }

  private Departure decide(long at, TransitionCause cause, String reason) {
    decided = true;
    return departure(at, cause, reason, findings(at));
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

  private @Nullable Permit oldestOut() {
    Iterator<Permit> permits = out.iterator();
    return permits.hasNext() ? permits.next() : null;
  }

  private static @Nullable Duration maxStay(CircuitBreakerConfig config) {
    return config.maxHalfOpenNanos == 0 ? null : Duration.ofNanos(config.maxHalfOpenNanos);
  }
}

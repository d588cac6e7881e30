package dev.recloser;

import java.time.Duration;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Refuses every call until its wait is over. */
final class OpenState extends BreakerState {
  private final Wait wait;

  /** Opens with the wait that belongs to this opening. */
  static OpenState entered(Departure from, int openings) {
    CircuitBreakerConfig config = from.state().breaker.config();
    long retryAfter = from.findings().retryAfterNanos();
    return new OpenState(from, Wait.of(config, openings, retryAfter), openings);
  }

  /** Opens for a time that an operator has named. */
  static OpenState enteredFor(Departure from, Duration wait) {
    return new OpenState(from, new Wait(wait.toNanos(), null, null), 1);
  }

  private OpenState(Departure from, Wait wait, int openings) {
    super(from, CircuitBreaker.State.OPEN, Duration.ofNanos(wait.nanos()), openings);
    this.wait = wait;
  }

  @Override
  CircuitBreaker.State kind() {
    return CircuitBreaker.State.OPEN;
  }

  @Override
  boolean isTimed() {
    return true;
  }

  @Override
  boolean timesResults() {
    return false;
  }

  boolean isWaiting(long now) {
    return nanosLeft(now) > 0;
  }

  @Override
  @Nullable BreakerState due(long now) {
    if (isWaiting(now)) {
      return null;
    }
    String reason = "the wait of " + Text.ofNanos(wait.nanos()) + " is over";
    return new HalfOpenState(
        departure(now, TransitionCause.WAIT_ELAPSED, reason, findings(now)), openings);
  }

  /** The timer may have been switched off since; the next call will do then. */
  @Override
  @Nullable BreakerState dueByTimer(long now) {
    return breaker.config().automaticTransitionFromOpenToHalfOpenEnabled() ? due(now) : null;
  }

  @Override
  @Nullable BreakerPermit admit(long now, boolean timed) {
    return null;
  }

  @Override
  RefusalReason refusal() {
    return RefusalReason.OPEN;
  }

  @Override
  Settlement settle(BreakerPermit permit, Result result) {
    throw new AssertionError("an open breaker has issued a permit");
  }

  /** The window as it was when the breaker opened. */
  @Override
  Findings findings(long now) {
    return transition == null
        ? Findings.none(breaker.config())
        : new Findings(
            transition.window(), transition.failures(), transition.slowestCall(), /* none */ 0);
  }

  @Override
  @Nullable Long alarmAt(long now) {
    return breaker.config().automaticTransitionFromOpenToHalfOpenEnabled()
        ? (Long) (enteredAt + wait.nanos())
        : null;
  }

  @Override
  Duration remaining(long now) {
    return Duration.ofNanos(Math.max(0, nanosLeft(now)));
  }

  @Override
  void entered() {
    super.entered();
    if (wait.faulty() != null && wait.fault() != null) {
      breaker.userCodeFailed(wait.faulty(), wait.fault());
    }
  }

  private long nanosLeft(long now) {
    return wait.nanos() - (now - enteredAt);
  }

  /**
   * How long to stay open.
   *
   * @param nanos the wait
   * @param faulty the setting whose function threw while the wait was computed; null for none
   * @param fault what it threw; told after the breaker has opened
   */
  private record Wait(long nanos, @Nullable String faulty, @Nullable Throwable fault) {

    /** The middle of the range, where no random number can be had. */
    private static final double MEAN = 0.5;

    static Wait of(CircuitBreakerConfig config, int openings, long retryAfterNanos) {
      String faulty = null;
      Throwable fault = null;
      long nanos = config.waitNanos;
      double random = MEAN;
      try {
        nanos = grown(config, openings);
      } catch (Throwable e) {
        faulty = "waitIntervalFunctionInOpenState";
        fault = e;
      }
      try {
        random = config.random();
      } catch (Throwable e) {
        faulty = "random";
        fault = e;
      }
      long jittered = jittered(config, Math.min(nanos, config.maxWaitNanos), random);
      long asked = Math.max(jittered, retryAfterNanos);
      return new Wait(Math.min(asked, config.maxWaitNanos), faulty, fault);
    }

    private static long grown(CircuitBreakerConfig config, int openings) {
      IntFunction<Duration> function = config.waitFunction();
      if (function != null) {
        Duration computed = function.apply(openings);
        if (computed == null || computed.isNegative()) {
          throw new IllegalArgumentException(
              "waitIntervalFunctionInOpenState returned "
                  + computed
                  + " for opening "
                  + openings
                  + " (expected: a duration of zero or more)");
        }
        return computed.compareTo(config.exponentialMaxWaitDurationInOpenState()) > 0
            ? config.maxWaitNanos
            : computed.toNanos();
      }
      if (config.backoffMultiplier == 1) {
        return config.waitNanos;
      }
      double grown = config.waitNanos * Math.pow(config.backoffMultiplier, openings - 1.0);
      return (long) Math.min(grown, (double) config.maxWaitNanos);
    }

    /** Even over the whole range, so that a wait at the cap is spread as well as any other. */
    private static long jittered(CircuitBreakerConfig config, long nanos, double random) {
      double factor = config.randomizedWaitFactor();
      if (factor == 0) {
        return nanos;
      }
      double low = nanos * (1 - factor);
      double high = Math.min(nanos * (1 + factor), (double) config.maxWaitNanos);
      return (long) (low + (high - low) * random);
    }
  }
}

package dev.recloser.conformance;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.IllegalStateTransitionException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The breaker of Resilience4j, called so that a trace made for Recloser makes sense to it. */
final class Resilience4jBreaker {
  private final CircuitBreaker breaker;
  private final WallClock clock;
  private final Set<Translation> translations;

  Resilience4jBreaker(CircuitBreaker breaker, WallClock clock, Set<Translation> translations) {
    this.breaker = breaker;
    this.clock = clock;
    this.translations = translations;
  }

  boolean tryAcquire() {
    return breaker.tryAcquirePermission();
  }

  void finish(End end, long nanos) {
    switch (end) {
      case RESULT, BAD_RESULT -> breaker.onResult(nanos, TimeUnit.NANOSECONDS, end.name());
      case GIVEN_UP -> breaker.releasePermission();
      case INTERRUPTED -> interrupted(end, nanos);
      case FAILURE, IGNORED, UNLISTED -> failed(end, nanos);
    }
  }

  /** Ends all probes that a half-open breaker still waits for, either quickly and well or not. */
  void finishProbes(boolean well, int probes) {
    End end = well ? End.RESULT : End.FAILURE;
    for (int i = 0; i < probes && breaker.getState() == State.HALF_OPEN; i++) {
      finish(end, TimeUnit.HOURS.toNanos(well ? 0 : 1));
    }
  }

  /** Moves the breaker, or leaves it where it is if the library does not allow that. */
  void moveTo(dev.recloser.CircuitBreaker.State target) {
    try {
      switch (target) {
        case CLOSED -> breaker.transitionToClosedState();
        case OPEN -> breaker.transitionToOpenState();
        case HALF_OPEN -> breaker.transitionToHalfOpenState();
        case FORCED_OPEN -> breaker.transitionToForcedOpenState();
        case DISABLED -> breaker.transitionToDisabledState();
        case METRICS_ONLY -> breaker.transitionToMetricsOnlyState();
      }
    } catch (IllegalStateTransitionException e) {
      // The comparison of the states shows it.
    }
  }

  void reset() {
    breaker.reset();
  }

  /** Lets the seconds of the window that has just begun begin with it. */
  void alignWindow() {
    if (translations.contains(Translation.SLICES)) {
      clock.stepToWholeSecond();
    }
  }

  String state() {
    return breaker.getState().name();
  }

  Counts window() {
    CircuitBreaker.Metrics metrics = breaker.getMetrics();
    return new Counts(
        metrics.getNumberOfBufferedCalls(),
        metrics.getNumberOfFailedCalls(),
        metrics.getNumberOfSlowCalls());
  }

  private void interrupted(End end, long nanos) {
    if (translations.contains(Translation.CANCELLATIONS)) {
      breaker.releasePermission();
    } else {
      failed(end, nanos);
    }
  }

  private void failed(End end, long nanos) {
    breaker.onError(nanos, TimeUnit.NANOSECONDS, Objects.requireNonNull(end.thrown()));
  }
}

package dev.recloser.microprofile;

import dev.recloser.Bulkhead;
import dev.recloser.BulkheadEvent;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerEvent;
import dev.recloser.Outcome;
import dev.recloser.Policy;
import dev.recloser.Retry;
import dev.recloser.RetryEnd;
import dev.recloser.RetryEvent;
import dev.recloser.Timeout;
import dev.recloser.TimeoutEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The metrics of one method, with the names and tags of the specification: counted at the end of
 * its calls, and from what its policies tell. All tags that can come about are there from the
 * beginning.
 *
 * <p>Thread-safe.
 */
final class MethodMeters {
  /** For when nobody wants any. */
  static final MethodMeters NONE = new MethodMeters();

  private static final String METHOD = "method";

  private static final System.Logger LOG = System.getLogger("dev.recloser.microprofile");

  private final AtomicBoolean complained = new AtomicBoolean();
  private final Runnable returned;
  private final Runnable threw;
  private final Runnable returnedFallback;
  private final Runnable threwFallback;

  private MethodMeters() {
    returned = () -> {};
    threw = returned;
    returnedFallback = returned;
    threwFallback = returned;
  }

  private MethodMeters(Meters meters, String method, boolean hasFallback) {
    String unused = hasFallback ? "notApplied" : "notDefined";
    returned = invocations(meters, method, "valueReturned", unused);
    threw = invocations(meters, method, "exceptionThrown", unused);
    returnedFallback =
        hasFallback ? invocations(meters, method, "valueReturned", "applied") : returned;
    threwFallback = hasFallback ? invocations(meters, method, "exceptionThrown", "applied") : threw;
  }

  /**
   * Makes those of a method, and begins to listen to its policies.
   *
   * @param method its name with that of its class
   * @param policies those that it has annotations for
   */
  static MethodMeters of(
      Meters meters, String method, boolean hasFallback, boolean queues, List<Policy> policies) {
    for (Policy policy : policies) {
      if (policy instanceof Retry retry) {
        watch(meters, method, retry);
      } else if (policy instanceof Timeout timeout) {
        watch(meters, method, timeout);
      } else if (policy instanceof CircuitBreaker breaker) {
        watch(meters, method, breaker);
      } else if (policy instanceof Bulkhead bulkhead) {
        watch(meters, method, bulkhead, queues);
      }
    }
    return new MethodMeters(meters, method, hasFallback);
  }

  /** Counts a call that has ended. Never throws: a library of metrics is not what was called. */
  void ended(boolean hasReturned, boolean hasFallenBack) {
    Runnable counter =
        hasReturned
            ? (hasFallenBack ? returnedFallback : returned)
            : (hasFallenBack ? threwFallback : threw);
    try {
      counter.run();
    } catch (RuntimeException | Error broken) {
      if (complained.compareAndSet(false, true)) {
        LOG.log(System.Logger.Level.WARNING, "A counter of calls threw (told once)", broken);
      }
    }
  }

  private static Runnable invocations(
      Meters meters, String method, String result, String fallback) {
    return meters.counter(
        "ft.invocations.total",
        "The number of times the method was called",
        METHOD,
        method,
        "result",
        result,
        "fallback",
        fallback);
  }

  private static void watch(Meters meters, String method, Retry retry) {
    Runnable retries =
        meters.counter(
            "ft.retry.retries.total", "The number of times the method was retried", METHOD, method);
    Map<String, Runnable> once = retryCalls(meters, method, false);
    Map<String, Runnable> retried = retryCalls(meters, method, true);
    retry.on(RetryEvent.Retrying.class, event -> retries.run());
    retry.on(RetryEvent.Succeeded.class, event -> run(once, "valueReturned"));
    retry.on(RetryEvent.Recovered.class, event -> run(retried, "valueReturned"));
    retry.on(
        RetryEvent.GaveUp.class,
        event -> run(event.attempts() > 1 ? retried : once, reasonOf(event.reason())));
  }

  private static Map<String, Runnable> retryCalls(Meters meters, String method, boolean retried) {
    return Stream.of(
            "valueReturned", "exceptionNotRetryable", "maxRetriesReached", "maxDurationReached")
        .collect(
            Collectors.toMap(
                result -> result,
                result ->
                    meters.counter(
                        "ft.retry.calls.total",
                        "The number of times the retry logic was run",
                        METHOD,
                        method,
                        "retried",
                        String.valueOf(retried),
                        "retryResult",
                        result)));
  }

  private static String reasonOf(RetryEnd end) {
    return switch (end) {
      case ATTEMPTS, BUDGET, INTERVAL -> "maxRetriesReached";
      case ELAPSED_TIME, DEADLINE -> "maxDurationReached";
      case NOT_RETRIED, CANCELLED -> "exceptionNotRetryable";
    };
  }

  private static void watch(Meters meters, String method, Timeout timeout) {
    Runnable inTime = timeoutCalls(meters, method, false);
    Runnable timedOut = timeoutCalls(meters, method, true);
    Consumer<Duration> times =
        meters.times(
            "ft.timeout.executionDuration",
            "Histogram of execution times for the method",
            METHOD,
            method);
    timeout.on(
        TimeoutEvent.CallFinished.class,
        event -> {
          inTime.run();
          times.accept(event.duration());
        });
    timeout.on(
        TimeoutEvent.TimedOut.class,
        event -> {
          timedOut.run();
          times.accept(event.duration());
        });
  }

  private static Runnable timeoutCalls(Meters meters, String method, boolean timedOut) {
    return meters.counter(
        "ft.timeout.calls.total",
        "The number of times the timeout logic was run",
        METHOD,
        method,
        "timedOut",
        String.valueOf(timedOut));
  }

  private static void watch(Meters meters, String method, CircuitBreaker breaker) {
    Runnable successes = breakerCalls(meters, method, "success");
    Runnable failures = breakerCalls(meters, method, "failure");
    Runnable refusals = breakerCalls(meters, method, "circuitBreakerOpen");
    Runnable openings =
        meters.counter(
            "ft.circuitbreaker.opened.total",
            "Number of times the circuit breaker has moved from closed state to open state",
            METHOD,
            method);
    stateTime(meters, method, breaker, State.CLOSED, "closed");
    stateTime(meters, method, breaker, State.OPEN, "open");
    stateTime(meters, method, breaker, State.HALF_OPEN, "halfOpen");
    breaker.on(
        CircuitBreakerEvent.CallFinished.class,
        event -> {
          if (event.outcome() == Outcome.SUCCESS) {
            successes.run();
          } else if (event.outcome() == Outcome.FAILURE) {
            failures.run();
          }
        });
    breaker.on(CircuitBreakerEvent.CallRefused.class, event -> refusals.run());
    breaker.on(
        CircuitBreakerEvent.StateTransition.class,
        event -> {
          if (event.from() == State.CLOSED && event.to() == State.OPEN) {
            openings.run();
          }
        });
  }

  private static Runnable breakerCalls(Meters meters, String method, String result) {
    return meters.counter(
        "ft.circuitbreaker.calls.total",
        "The number of times the circuit breaker logic was run",
        METHOD,
        method,
        "circuitBreakerResult",
        result);
  }

  private static void stateTime(
      Meters meters, String method, CircuitBreaker breaker, State state, String tag) {
    meters.growingTime(
        "ft.circuitbreaker.state.total",
        "Amount of time the circuit breaker has spent in each state",
        () -> breaker.metrics().timeInState().getOrDefault(state, Duration.ZERO).toNanos(),
        METHOD,
        method,
        "state",
        tag);
  }

  private static void watch(Meters meters, String method, Bulkhead bulkhead, boolean queues) {
    Runnable accepted = bulkheadCalls(meters, method, "accepted");
    Runnable rejected = bulkheadCalls(meters, method, "rejected");
    Consumer<Duration> running =
        meters.times(
            "ft.bulkhead.runningDuration",
            "Histogram of the time that method executions spent running",
            METHOD,
            method);
    Consumer<Duration> waiting = queues ? waiting(meters, method, bulkhead) : waited -> {};
    meters.level(
        "ft.bulkhead.executionsRunning",
        "Number of currently running executions",
        () -> bulkhead.metrics().running(),
        METHOD,
        method);
    bulkhead.on(
        BulkheadEvent.CallAdmitted.class,
        event -> {
          accepted.run();
          waiting.accept(event.waited());
        });
    bulkhead.on(BulkheadEvent.CallRefused.class, event -> rejected.run());
    bulkhead.on(
        BulkheadEvent.CallFinished.class,
        event -> {
          Duration held = event.duration();
          if (held != null) {
            running.accept(held);
          }
        });
  }

  private static Runnable bulkheadCalls(Meters meters, String method, String result) {
    return meters.counter(
        "ft.bulkhead.calls.total",
        "The number of times the bulkhead logic was run",
        METHOD,
        method,
        "bulkheadResult",
        result);
  }

  private static Consumer<Duration> waiting(Meters meters, String method, Bulkhead bulkhead) {
    meters.level(
        "ft.bulkhead.executionsWaiting",
        "Number of executions currently waiting in the queue",
        () -> bulkhead.metrics().waiting(),
        METHOD,
        method);
    return meters.times(
        "ft.bulkhead.waitingDuration",
        "Histogram of the time that method executions spent waiting in the queue",
        METHOD,
        method);
  }

  private static void run(Map<String, Runnable> counters, String result) {
    Runnable counter = counters.get(result);
    if (counter != null) {
      counter.run();
    }
  }
}

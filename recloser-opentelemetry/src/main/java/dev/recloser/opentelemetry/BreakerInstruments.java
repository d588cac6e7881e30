package dev.recloser.opentelemetry;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.CircuitBreakerSnapshot;
import dev.recloser.Outcome;
import dev.recloser.RefusalReason;
import dev.recloser.WindowSnapshot;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;

/** The metrics of all breakers. Each is read once a collection, so its numbers fit together. */
final class BreakerInstruments implements AutoCloseable {
  private static final String PREFIX = "recloser.circuit_breaker.";

  private final Observers observers;
  private final ObservableLongMeasurement status;
  private final ObservableLongMeasurement stateNumber;
  private final ObservableDoubleMeasurement stateDuration;
  private final ObservableDoubleMeasurement stateAge;
  private final ObservableDoubleMeasurement stateRemaining;
  private final ObservableLongMeasurement transitions;
  private final ObservableLongMeasurement calls;
  private final ObservableLongMeasurement slowCalls;
  private final ObservableLongMeasurement lateCalls;
  private final ObservableLongMeasurement refusals;
  private final ObservableLongMeasurement probes;
  private final ObservableLongMeasurement expiredProbes;
  private final ObservableLongMeasurement withheldOpenings;
  private final ObservableDoubleMeasurement failureRate;
  private final ObservableDoubleMeasurement failureRateThreshold;
  private final ObservableDoubleMeasurement slowCallRate;
  private final ObservableDoubleMeasurement slowCallRateThreshold;
  private final ObservableLongMeasurement windowCalls;
  private final ObservableLongMeasurement callsNeeded;
  private final ObservableLongMeasurement activeCalls;
  private final ObservableLongMeasurement overdueCalls;
  private final ObservableDoubleMeasurement admitted;
  private final BatchCallback callback;

  BreakerInstruments(Meter meter, Supplier<Collection<CircuitBreaker>> breakers) {
    observers = new Observers(meter, PREFIX);
    status = observers.upDown("status", "{breaker}", "1 for the state of the breaker, else 0");
    stateNumber =
        observers.gauge(
            "state_value",
            "1",
            "0 when calls are let through, 1 while half-open, 2 when they are refused");
    stateDuration = observers.seconds("state.duration", "Time spent in each state");
    stateAge = observers.fraction("state.age", "s", "Time in the present state");
    stateRemaining =
        observers.fraction(
            "state.remaining", "s", "Time left in the present state unless something else happens");
    transitions = observers.counter("transitions", "{transition}", "Transitions by kind");
    calls = observers.counter("calls", "{call}", "Calls let through, by how they ended");
    slowCalls =
        observers.counter(
            "slow_calls", "{call}", "Successes and failures that took longer than the limit");
    lateCalls =
        observers.counter(
            "late_calls", "{call}", "Calls that moved nothing since their state had passed");
    refusals = observers.counter("refused_calls", "{call}", "Calls turned away, by reason");
    probes = observers.counter("probes", "{call}", "Probes by how they ended");
    expiredProbes =
        observers.counter("expired_probes", "{call}", "Probes that did not report in time");
    withheldOpenings =
        observers.counter(
            "would_have_opened", "{transition}", "Openings that METRICS_ONLY did not make");
    failureRate = observers.percent("failure_rate", "Failed calls in the window");
    failureRateThreshold =
        observers.percent("failure_rate_threshold", "Failure rate that opens the breaker");
    slowCallRate =
        observers.percent(
            "slow_call_rate", "Slow calls in the window, calls in flight past the limit included");
    slowCallRateThreshold =
        observers.percent("slow_call_rate_threshold", "Slow-call rate that opens the breaker");
    windowCalls =
        observers.gauge("window_calls", "{call}", "Calls in the window, or reported probes");
    callsNeeded = observers.gauge("calls_needed", "{call}", "Calls until a rate is believed");
    activeCalls =
        observers.upDown("calls_in_flight", "{call}", "Calls let through that have not ended yet");
    overdueCalls =
        observers.upDown(
            "slow_calls_in_flight",
            "{call}",
            "Calls that have not ended yet and are past the limit already");
    admitted = observers.percent("admitted", "Share of the calls that is let through");
    callback = observers.build(breakers, this::observe);
  }

  private void observe(CircuitBreaker breaker) {
    Attributes name = Attributes.of(Attribute.NAME, breaker.name());
    CircuitBreakerMetrics metrics = breaker.metrics();
    CircuitBreakerSnapshot snapshot = breaker.snapshot();
    observeState(name, metrics, snapshot);
    observeCalls(name, metrics);
    observeEvidence(name, snapshot);
  }

  private void observeState(
      Attributes name, CircuitBreakerMetrics metrics, CircuitBreakerSnapshot snapshot) {
    for (State state : State.values()) {
      Attributes attributes = with(name, Attribute.STATE, state);
      status.record(snapshot.state() == state ? 1 : 0, attributes);
      Duration time = metrics.timeInState().getOrDefault(state, Duration.ZERO);
      stateDuration.record(time.toNanos() / 1e9, attributes);
    }
    stateNumber.record(number(snapshot.state()), name);
    stateAge.record(snapshot.inStateFor().toNanos() / 1e9, name);
    Duration remaining = snapshot.remaining();
    if (remaining != null) {
      stateRemaining.record(remaining.toNanos() / 1e9, name);
    }
    metrics
        .transitions()
        .forEach(
            (kind, count) ->
                transitions.record(
                    count,
                    name.toBuilder()
                        .put(Attribute.FROM, Attribute.valueOf(kind.from()))
                        .put(Attribute.TO, Attribute.valueOf(kind.to()))
                        .put(Attribute.CAUSE, Attribute.valueOf(kind.cause()))
                        .build()));
    withheldOpenings.record(metrics.wouldHaveOpened(), name);
    admitted.record(snapshot.admittedPercentage(), name);
  }

  private static int number(State state) {
    return switch (state) {
      case CLOSED, DISABLED, METRICS_ONLY -> 0;
      case HALF_OPEN -> 1;
      case OPEN, FORCED_OPEN -> 2;
    };
  }

  private void observeCalls(Attributes name, CircuitBreakerMetrics metrics) {
    calls.record(metrics.succeeded(), with(name, Attribute.OUTCOME, Outcome.SUCCESS));
    calls.record(metrics.failed(), with(name, Attribute.OUTCOME, Outcome.FAILURE));
    calls.record(metrics.ignored(), with(name, Attribute.OUTCOME, Outcome.IGNORED));
    calls.record(metrics.cancelled(), with(name, Attribute.OUTCOME, Outcome.CANCELLED));
    slowCalls.record(metrics.slow(), name);
    lateCalls.record(metrics.late(), name);
    for (RefusalReason reason : RefusalReason.values()) {
      refusals.record(
          metrics.refused().getOrDefault(reason, 0L), with(name, Attribute.REASON, reason));
    }
    for (Outcome outcome : Outcome.values()) {
      probes.record(
          metrics.probes().getOrDefault(outcome, 0L), with(name, Attribute.OUTCOME, outcome));
    }
    expiredProbes.record(metrics.expiredProbes(), name);
  }

  private void observeEvidence(Attributes name, CircuitBreakerSnapshot snapshot) {
    WindowSnapshot window = snapshot.window();
    if (!Double.isNaN(window.failureRate())) {
      failureRate.record(window.failureRate(), name);
    }
    if (!Double.isNaN(window.slowCallRate())) {
      slowCallRate.record(window.slowCallRate(), name);
    }
    failureRateThreshold.record(window.failureRateThreshold(), name);
    slowCallRateThreshold.record(window.slowCallRateThreshold(), name);
    windowCalls.record(window.calls(), name);
    callsNeeded.record(window.callsNeeded(), name);
    activeCalls.record(snapshot.callsInFlight(), name);
    overdueCalls.record(window.slowInFlight(), name);
  }

  private static Attributes with(Attributes name, AttributeKey<String> key, Enum<?> value) {
    return name.toBuilder().put(key, Attribute.valueOf(value)).build();
  }

  @Override
  public void close() {
    callback.close();
  }
}

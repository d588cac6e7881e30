package dev.recloser.console;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.FailureSample;
import dev.recloser.Policy;
import dev.recloser.SlidingWindowType;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** All that there is to know about one breaker, as JSON. */
final class BreakerDetail {
  private static final System.Logger LOG = System.getLogger(Console.class.getName());

  /** The parts of a window that a strip on a screen has room for. */
  private static final int MOST_SLICES = 100;

  private final CircuitBreaker breaker;
  private final Timeline timeline;
  private final CircuitBreakerConfig config;
  private final long now;

  BreakerDetail(CircuitBreaker breaker, Timeline timeline) {
    this.breaker = breaker;
    this.timeline = timeline;
    config = breaker.config();
    now = config.ticker().nanoTime();
  }

  void writeTo(JsonGenerator json) {
    BreakerRow.of(breaker, timeline).writeTo(json);
    json.writeStringProperty("explain", breaker.explain());
    writeWindow(json);
    json.writeNumberProperty(
        "permittedNumberOfCallsInHalfOpenState", config.permittedNumberOfCallsInHalfOpenState());
    Duration slow = config.slowCallDurationThreshold();
    Json.millis(json, "slowCallDurationThresholdMillis", slow.isZero() ? null : slow);
    writeCounts(json, breaker.metrics());
    Json.array(json, "history", breaker.transitions(), t -> writeTransition(json, t));
    writeTimeline(json, timeline.view());
    Json.object(
        json,
        "settings",
        () ->
            config
                .settings()
                .forEach((name, value) -> json.writeStringProperty(name, Settings.text(value))));
  }

  private void writeWindow(JsonGenerator json) {
    boolean byTime = config.slidingWindowType() == SlidingWindowType.TIME_BASED;
    Json.object(
        json,
        "strip",
        () -> {
          json.writeStringProperty("type", config.slidingWindowType().name());
          json.writeName("size");
          if (byTime) {
            json.writeNull();
          } else {
            json.writeNumber(config.slidingWindowCalls());
          }
          Json.millis(json, "durationMillis", byTime ? config.slidingWindowDuration() : null);
          Json.array(
              json,
              "slices",
              breaker.windowSlices(MOST_SLICES),
              slice -> {
                json.writeNumberProperty("calls", slice.calls());
                json.writeNumberProperty("failed", slice.failed());
                json.writeNumberProperty("slow", slice.slow());
                json.writeNumberProperty("slowFailed", slice.slowFailed());
              });
        });
  }

  private static void writeCounts(JsonGenerator json, CircuitBreakerMetrics counted) {
    Json.object(
        json,
        "counts",
        () -> {
          json.writeNumberProperty("admitted", counted.admitted());
          json.writeNumberProperty("succeeded", counted.succeeded());
          json.writeNumberProperty("failed", counted.failed());
          json.writeNumberProperty("ignored", counted.ignored());
          json.writeNumberProperty("cancelled", counted.cancelled());
          json.writeNumberProperty("slow", counted.slow());
          json.writeNumberProperty("late", counted.late());
          json.writeNumberProperty("expiredProbes", counted.expiredProbes());
          json.writeNumberProperty("wouldHaveOpened", counted.wouldHaveOpened());
          Json.object(
              json,
              "refused",
              () -> counted.refused().forEach((r, n) -> json.writeNumberProperty(r.name(), n)));
          Json.object(
              json,
              "probes",
              () -> counted.probes().forEach((o, n) -> json.writeNumberProperty(o.name(), n)));
        });
    Json.object(
        json,
        "timeInStateMillis",
        () -> counted.timeInState().forEach((state, d) -> Json.millis(json, state.name(), d)));
  }

  private void writeTransition(JsonGenerator json, StateTransition transition) {
    json.writeNumberProperty("sequence", transition.sequence());
    Json.millis(json, "ageMillis", Duration.ofNanos(Math.max(0, now - transition.at())));
    json.writeStringProperty("from", transition.from().name());
    json.writeStringProperty("to", transition.to().name());
    json.writeStringProperty("cause", transition.cause().name());
    json.writeStringProperty("reason", transition.reason());
    BreakerRow.writeWindow(json, transition.window());
    Json.array(json, "failures", transition.failures(), f -> writeFailure(json, f));
    Json.millis(json, "slowestCallMillis", transition.slowestCall());
    Json.millis(json, "waitMillis", transition.waitDuration());
    json.writeNumberProperty("openings", transition.openings());
  }

  private static void writeTimeline(JsonGenerator json, Timeline.View view) {
    Json.object(
        json,
        "timeline",
        () -> {
          Json.millis(json, "sinceMillis", Duration.ofNanos(view.since()));
          json.writeStringProperty("state", view.state().name());
          Json.array(
              json,
              "changes",
              view.changes(),
              change -> {
                Json.millis(json, "ageMillis", Duration.ofNanos(view.age(change)));
                json.writeStringProperty("to", change.to().name());
                json.writeStringProperty("cause", change.cause().name());
                json.writeBooleanProperty("byHand", change.isByHand());
              });
        });
  }

  private static void writeFailure(JsonGenerator json, FailureSample failure) {
    json.writeStringProperty("type", failure.type());
    Json.text(json, "message", failure.message());
    Json.millis(json, "durationMillis", failure.duration());
  }

  static void writeLatency(JsonGenerator json, Latencies.@Nullable Percentiles latency) {
    if (latency == null) {
      json.writeNullProperty("latency");
      return;
    }
    Json.object(
        json,
        "latency",
        () -> {
          json.writeNumberProperty("calls", latency.calls());
          Json.millis(json, "p50Millis", latency.p50());
          Json.millis(json, "p95Millis", latency.p95());
          Json.millis(json, "p99Millis", latency.p99());
          Json.millis(json, "maxMillis", latency.max());
        });
  }

  static void writeActions(JsonGenerator json, List<Actions.Action> actions, long now) {
    Json.array(
        json,
        "actions",
        actions,
        action -> {
          Json.millis(json, "ageMillis", Duration.ofNanos(Math.max(0, now - action.at())));
          json.writeStringProperty("user", action.user());
          json.writeStringProperty("action", action.control().word());
          json.writeStringProperty("reason", action.reason());
          Json.millis(json, "expiryMillis", action.expiry());
        });
  }

  static void writeRelated(JsonGenerator json, Collection<Policy> policies) {
    Json.readable(
        json,
        "policies",
        policies,
        PolicyRow::write,
        (policy, thrown) ->
            LOG.log(System.Logger.Level.DEBUG, "The console could not read a policy", thrown));
  }
}

package dev.recloser.console;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.CircuitBreakerSnapshot;
import dev.recloser.WindowSnapshot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A breaker in the overview.
 *
 * @param look what somebody who looks would see change
 * @param inStateFor how long it has been in its state; goes on by itself
 * @param remaining how long it stays; goes on by itself
 */
record BreakerRow(Look look, Duration inStateFor, @Nullable Duration remaining) {
  /** All but the time that passes. Two that are equal need not be sent again. */
  record Look(
      String name,
      State state,
      boolean limited,
      double admittedPercentage,
      int openings,
      Timeline.Openings opened,
      WindowSnapshot window,
      int probesOut,
      int probesLeft,
      long callsInFlight,
      long succeeded,
      long failed,
      long slow,
      long late,
      long refused,
      long transitions) {}

  static BreakerRow of(CircuitBreaker breaker, Timeline timeline) {
    // In this order: what is counted may only be newer than what is shown beside it.
    CircuitBreakerSnapshot now = breaker.snapshot();
    CircuitBreakerMetrics counted = breaker.metrics();
    return new BreakerRow(
        new Look(
            breaker.name(),
            now.state(),
            now.remaining() != null,
            Math.round(now.admittedPercentage()),
            now.openings(),
            timeline.openings(),
            now.window(),
            now.probesOut(),
            now.probesLeft(),
            now.callsInFlight(),
            counted.succeeded(),
            counted.failed(),
            counted.slow(),
            counted.late(),
            counted.totalRefused(),
            counted.transitions().values().stream().mapToLong(Long::longValue).sum()),
        now.inStateFor(),
        now.remaining());
  }

  BreakerRow with(Look same) {
    return new BreakerRow(same, inStateFor, remaining);
  }

  String name() {
    return look.name();
  }

  void writeTo(JsonGenerator json) {
    json.writeStringProperty("name", look.name());
    json.writeStringProperty("state", look.state().name());
    Json.millis(json, "inStateForMillis", inStateFor);
    Json.millis(json, "remainingMillis", remaining);
    json.writeNumberProperty("admittedPercentage", look.admittedPercentage());
    json.writeNumberProperty("openings", look.openings());
    json.writeNumberProperty("openedLastHour", look.opened().lastHour());
    json.writeNumberProperty("openedLastDay", look.opened().lastDay());
    writeWindow(json, look.window());
    json.writeNumberProperty("probesOut", look.probesOut());
    json.writeNumberProperty("probesLeft", look.probesLeft());
    json.writeNumberProperty("callsInFlight", look.callsInFlight());
    json.writeNumberProperty("succeeded", look.succeeded());
    json.writeNumberProperty("failed", look.failed());
    json.writeNumberProperty("slow", look.slow());
    json.writeNumberProperty("late", look.late());
    json.writeNumberProperty("refused", look.refused());
    json.writeNumberProperty("transitions", look.transitions());
  }

  static void writeWindow(JsonGenerator json, WindowSnapshot window) {
    Json.object(
        json,
        "window",
        () -> {
          json.writeNumberProperty("calls", window.calls());
          json.writeNumberProperty("failed", window.failed());
          json.writeNumberProperty("slow", window.slow());
          json.writeNumberProperty("slowFailed", window.slowFailed());
          json.writeNumberProperty("slowInFlight", window.slowInFlight());
          json.writeNumberProperty("minimumNumberOfCalls", window.minimumNumberOfCalls());
          json.writeNumberProperty("callsNeeded", window.callsNeeded());
          Json.percent(json, "failureRate", window.failureRate());
          Json.percent(json, "failureRateThreshold", window.failureRateThreshold());
          Json.percent(json, "slowCallRate", window.slowCallRate());
          Json.percent(json, "slowCallRateThreshold", window.slowCallRateThreshold());
        });
  }
}

package dev.recloser.opentelemetry;

import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.Outcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import java.time.Duration;
import java.util.List;

/** The histogram of how long calls took. */
final class CallDurations {
  /** Of the semantic conventions for HTTP durations. */
  private static final List<Double> BUCKETS =
      List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0);

  /** What the semantic conventions have for an error that has no type, here a result. */
  private static final String OTHER_ERROR = "_OTHER";

  private final DoubleHistogram histogram;

  CallDurations(Meter meter) {
    histogram =
        meter
            .histogramBuilder("recloser.circuit_breaker.call.duration")
            .setUnit("s")
            .setDescription("How long calls took that the breaker let through and timed")
            .setExplicitBucketBoundariesAdvice(BUCKETS)
            .build();
  }

  void record(CallFinished call) {
    Duration duration = call.duration();
    if (duration != null) {
      histogram.record(duration.toNanos() / 1e9, attributes(call));
    }
  }

  private static Attributes attributes(CallFinished call) {
    AttributesBuilder attributes =
        Attributes.builder()
            .put(Attribute.NAME, call.policy())
            .put(Attribute.OUTCOME, Attribute.valueOf(call.outcome()))
            .put(Attribute.SLOW, call.slow());
    if (call.outcome() == Outcome.FAILURE) {
      Throwable thrown = call.thrown();
      attributes.put(
          Attribute.ERROR_TYPE, thrown == null ? OTHER_ERROR : thrown.getClass().getName());
    }
    return attributes.build();
  }
}

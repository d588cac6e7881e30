package dev.recloser.opentelemetry;

import dev.recloser.Cancellable;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.Outcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

  Cancellable listen(CircuitBreaker breaker) {
    return breaker.on(CallFinished.class, new Recorder(histogram, breaker.name())::record);
  }

  /** The calls of one breaker, whose attributes are made once, but for the types of errors. */
  private static final class Recorder {
    private final DoubleHistogram histogram;
    private final Map<Outcome, Attributes> fast;
    private final Map<Outcome, Attributes> slow;

    Recorder(DoubleHistogram histogram, String breaker) {
      this.histogram = histogram;
      fast = attributes(breaker, /* slow= */ false);
      slow = attributes(breaker, /* slow= */ true);
    }

    void record(CallFinished call) {
      Duration duration = call.duration();
      if (duration != null) {
        histogram.record(duration.toNanos() / 1e9, attributesOf(call));
      }
    }

    private Attributes attributesOf(CallFinished call) {
      Attributes attributes =
          Objects.requireNonNull((call.slow() ? slow : fast).get(call.outcome()));
      return call.outcome() == Outcome.FAILURE
          ? attributes.toBuilder().put(Attribute.ERROR_TYPE, errorType(call.unwrapped())).build()
          : attributes;
    }

    private static String errorType(@Nullable Throwable thrown) {
      return thrown == null ? OTHER_ERROR : thrown.getClass().getName();
    }

    private static Map<Outcome, Attributes> attributes(String breaker, boolean slow) {
      Map<Outcome, Attributes> attributes = new EnumMap<>(Outcome.class);
      for (Outcome outcome : Outcome.values()) {
        attributes.put(
            outcome,
            Attributes.of(
                Attribute.NAME,
                breaker,
                Attribute.OUTCOME,
                Attribute.valueOf(outcome),
                Attribute.SLOW,
                slow));
      }
      return attributes;
    }
  }
}

package dev.recloser.microprofile;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Meters of MicroProfile Telemetry: instruments of an OpenTelemetry meter. */
final class TelemetryMeters implements Meters {
  /** As the specification has them, in seconds. */
  private static final List<Double> BUCKETS =
      List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0);

  private static final double NANOS = 1e9;

  private final Meter meter;

  /** What is observed until it is closed, and holds the policies until then. */
  private final Queue<AutoCloseable> observed = new ConcurrentLinkedQueue<>();

  TelemetryMeters(Meter meter) {
    this.meter = meter;
  }

  @Override
  public Runnable counter(String name, String description, String... tags) {
    LongCounter counter = meter.counterBuilder(name).setDescription(description).build();
    Attributes attributes = attributes(tags);
    counter.add(0, attributes);
    return () -> counter.add(1, attributes);
  }

  @Override
  public void growingTime(String name, String description, LongSupplier nanos, String... tags) {
    Attributes attributes = attributes(tags);
    observed.add(
        meter
            .counterBuilder(name)
            .setDescription(description)
            .setUnit("nanoseconds")
            .buildWithCallback(now -> now.record(nanos.getAsLong(), attributes)));
  }

  @Override
  public void level(String name, String description, LongSupplier number, String... tags) {
    Attributes attributes = attributes(tags);
    observed.add(
        meter
            .upDownCounterBuilder(name)
            .setDescription(description)
            .buildWithCallback(now -> now.record(number.getAsLong(), attributes)));
  }

  @Override
  public Consumer<Duration> times(String name, String description, String... tags) {
    DoubleHistogram histogram =
        meter
            .histogramBuilder(name)
            .setDescription(description)
            .setUnit("seconds")
            .setExplicitBucketBoundariesAdvice(BUCKETS)
            .build();
    Attributes attributes = attributes(tags);
    return time -> histogram.record(time.toNanos() / NANOS, attributes);
  }

  @Override
  public void close() {
    for (AutoCloseable each = observed.poll(); each != null; each = observed.poll()) {
      try {
        each.close();
      } catch (Exception e) {
        // The library is on its way out as well.
      }
    }
  }

  private static Attributes attributes(String... tags) {
    AttributesBuilder attributes = Attributes.builder();
    for (int i = 0; i < tags.length; i += 2) {
      attributes.put(tags[i], tags[i + 1]);
    }
    return attributes.build();
  }
}

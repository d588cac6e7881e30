package dev.recloser.opentelemetry;

import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Asynchronous instruments that are observed together. Not thread-safe. */
final class Observers {
  private static final System.Logger LOG = System.getLogger(PolicyTelemetry.class.getName());

  private final Meter meter;
  private final String prefix;
  private final List<ObservableMeasurement> measurements = new ArrayList<>();

  Observers(Meter meter, String prefix) {
    this.meter = meter;
    this.prefix = prefix;
  }

  /** What never goes down. */
  ObservableLongMeasurement counter(String name, String unit, String description) {
    return added(
        meter
            .counterBuilder(prefix + name)
            .setUnit(unit)
            .setDescription(description)
            .buildObserver());
  }

  /** What goes up and down, and whose sum over many instances means something. */
  ObservableLongMeasurement upDown(String name, String unit, String description) {
    return added(
        meter
            .upDownCounterBuilder(prefix + name)
            .setUnit(unit)
            .setDescription(description)
            .buildObserver());
  }

  /** What goes up and down, and has no meaningful sum. */
  ObservableLongMeasurement gauge(String name, String unit, String description) {
    return added(
        meter
            .gaugeBuilder(prefix + name)
            .ofLongs()
            .setUnit(unit)
            .setDescription(description)
            .buildObserver());
  }

  ObservableDoubleMeasurement percent(String name, String description) {
    return fraction(name, "%", description);
  }

  ObservableDoubleMeasurement fraction(String name, String unit, String description) {
    return added(
        meter
            .gaugeBuilder(prefix + name)
            .setUnit(unit)
            .setDescription(description)
            .buildObserver());
  }

  /** Seconds that add up. */
  ObservableDoubleMeasurement seconds(String name, String description) {
    return added(
        meter
            .counterBuilder(prefix + name)
            .ofDoubles()
            .setUnit("s")
            .setDescription(description)
            .buildObserver());
  }

  /**
   * Ends the making; each policy is observed by itself, so that one that cannot be, for its ticker
   * throws, costs the others nothing.
   */
  <P> BatchCallback build(Supplier<? extends Collection<? extends P>> all, Consumer<P> observe) {
    ObservableMeasurement[] rest =
        measurements.subList(1, measurements.size()).toArray(ObservableMeasurement[]::new);
    return meter.batchCallback(
        () -> all.get().forEach(policy -> observe(policy, observe)), measurements.get(0), rest);
  }

  private static <P> void observe(P policy, Consumer<P> observe) {
    try {
      observe.accept(policy);
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.DEBUG, "A policy could not be read", e);
    }
  }

  private <M extends ObservableMeasurement> M added(M measurement) {
    measurements.add(measurement);
    return measurement;
  }
}

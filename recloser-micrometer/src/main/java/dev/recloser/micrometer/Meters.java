package dev.recloser.micrometer;

import dev.recloser.Cancellable;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one policy. Registered and removed under the lock of the {@link Binding}; listeners
 * that register further ones take the lock of this object only.
 */
final class Meters {
  private static final System.Logger LOG = System.getLogger(PolicyMetrics.class.getName());

  private final MeterRegistry registry;
  private final Tags tags;
  private final List<Meter> all = new ArrayList<>();
  private final List<Cancellable> listeners = new ArrayList<>();
  private boolean removed;

  Meters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  /** The value of a tag for a constant. */
  static String tag(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  synchronized <P> void gauge(
      String name, String description, P policy, ToDoubleFunction<P> value, String... more) {
    if (!removed) {
      all.add(
          Gauge.builder(name, policy, value)
              .description(description)
              .tags(tags.and(more))
              .register(registry));
    }
  }

  synchronized <P> void percent(
      String name, String description, P policy, ToDoubleFunction<P> value) {
    if (!removed) {
      all.add(
          Gauge.builder(name, policy, value)
              .description(description)
              .baseUnit("percent")
              .tags(tags)
              .register(registry));
    }
  }

  /** A duration; NaN while it is null. */
  synchronized <P> void time(
      String name, String description, P policy, Function<P, @Nullable Duration> value) {
    if (!removed) {
      all.add(
          TimeGauge.builder(name, policy, TimeUnit.NANOSECONDS, p -> nanos(value.apply(p)))
              .description(description)
              .tags(tags)
              .register(registry));
    }
  }

  synchronized <P> void counter(
      String name, String description, P policy, ToDoubleFunction<P> value, String... more) {
    if (!removed) {
      all.add(
          FunctionCounter.builder(name, policy, new Count<>(value))
              .description(description)
              .tags(tags.and(more))
              .register(registry));
    }
  }

  /** Seconds that add up. */
  synchronized <P> void seconds(
      String name, String description, P policy, ToDoubleFunction<P> value, String... more) {
    if (!removed) {
      all.add(
          FunctionCounter.builder(name, policy, new Count<>(value))
              .description(description)
              .baseUnit("seconds")
              .tags(tags.and(more))
              .register(registry));
    }
  }

  synchronized Timer timer(String name, String description, String... more) {
    Timer timer =
        Timer.builder(name).description(description).tags(tags.and(more)).register(registry);
    all.add(timer);
    return timer;
  }

  synchronized void onRemove(Cancellable listener) {
    listeners.add(listener);
  }

  /** Removes them all, whatever listens to the meter registry and throws. */
  synchronized void remove() {
    removed = true;
    listeners.forEach(Cancellable::cancel);
    all.forEach(this::remove);
    all.clear();
  }

  private void remove(Meter meter) {
    try {
      registry.remove(meter);
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.WARNING, "Removing " + meter.getId() + " threw", e);
    }
  }

  /**
   * A count, for a registry that hands on what one throws, and so costs a scrape all meters of the
   * application, these or not. One that cannot be read, for the ticker of its policy throws, stays
   * as it was. Gauges need none of this: registries take care of theirs.
   */
  private static final class Count<P> implements ToDoubleFunction<P> {
    private final ToDoubleFunction<P> value;
    private volatile double last;

    Count(ToDoubleFunction<P> value) {
      this.value = value;
    }

    @Override
    public double applyAsDouble(P policy) {
      try {
        last = value.applyAsDouble(policy);
      } catch (RuntimeException | Error e) {
        LOG.log(System.Logger.Level.DEBUG, "A meter could not be read", e);
      }
      return last;
    }
  }

  private static double nanos(@Nullable Duration duration) {
    return duration == null ? Double.NaN : duration.toSeconds() * 1e9 + duration.toNanosPart();
  }
}

package dev.recloser.microprofile;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Gauge;
import org.eclipse.microprofile.metrics.Histogram;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.MetricType;
import org.eclipse.microprofile.metrics.MetricUnits;
import org.eclipse.microprofile.metrics.Tag;

/** Meters of MicroProfile Metrics, in the registry of the scope {@code base}. */
final class RegistryMeters implements Meters {
  private final MetricRegistry registry;

  /** The registry outlives the application, and would hold on to its policies. */
  private final Queue<MetricID> made = new ConcurrentLinkedQueue<>();

  RegistryMeters(MetricRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Runnable counter(String name, String description, String... tags) {
    Metadata metadata = metadata(name, description, MetricUnits.NONE, MetricType.COUNTER);
    Counter counter = registry.counter(metadata, made(name, tags));
    return counter::inc;
  }

  @Override
  public void growingTime(String name, String description, LongSupplier nanos, String... tags) {
    gauge(metadata(name, description, MetricUnits.NANOSECONDS, MetricType.GAUGE), nanos, tags);
  }

  @Override
  public void level(String name, String description, LongSupplier number, String... tags) {
    gauge(metadata(name, description, MetricUnits.NONE, MetricType.GAUGE), number, tags);
  }

  @Override
  public Consumer<Duration> times(String name, String description, String... tags) {
    Metadata metadata = metadata(name, description, MetricUnits.NANOSECONDS, MetricType.HISTOGRAM);
    Histogram histogram = registry.histogram(metadata, made(name, tags));
    return time -> histogram.update(time.toNanos());
  }

  @Override
  public void close() {
    for (MetricID id = made.poll(); id != null; id = made.poll()) {
      boolean unused = registry.remove(id);
    }
  }

  private void gauge(Metadata metadata, LongSupplier number, String... tags) {
    Gauge<Long> unused =
        registry.gauge(metadata, number, LongSupplier::getAsLong, made(metadata.getName(), tags));
  }

  private Tag[] made(String name, String... tags) {
    Tag[] all = new Tag[tags.length / 2];
    for (int i = 0; i < all.length; i++) {
      all[i] = new Tag(tags[2 * i], tags[2 * i + 1]);
    }
    made.add(new MetricID(name, all));
    return all;
  }

  private static Metadata metadata(String name, String description, String unit, MetricType type) {
    return Metadata.builder()
        .withName(name)
        .withDescription(description)
        .withUnit(unit)
        .withType(type)
        .build();
  }
}

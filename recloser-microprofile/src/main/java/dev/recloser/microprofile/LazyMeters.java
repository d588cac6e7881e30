package dev.recloser.microprofile;

import dev.recloser.Policy;
import io.opentelemetry.api.metrics.Meter;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.util.AnnotationLiteral;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.annotation.RegistryType;
import org.jspecify.annotations.Nullable;

/**
 * The meters of an application, in the libraries that it has. They are looked for when the first
 * call comes, since before that there may not be the beans; and a library's classes are loaded only
 * where they are there.
 *
 * <p>Thread-safe.
 */
final class LazyMeters implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.recloser.microprofile");

  private final BeanManager beans;
  private final boolean enabled;

  /** Guarded by this. */
  private @Nullable Meters meters;

  LazyMeters(BeanManager beans, boolean enabled) {
    this.beans = beans;
    this.enabled = enabled;
  }

  /** Makes those of a method once, whoever asks first. */
  Supplier<MethodMeters> of(
      String method, boolean hasFallback, boolean queues, List<Policy> policies) {
    return enabled
        ? new Once(() -> MethodMeters.of(meters(), method, hasFallback, queues, policies))
        : () -> MethodMeters.NONE;
  }

  @Override
  public synchronized void close() {
    if (meters != null) {
      meters.close();
      meters = new AllMeters(List.of());
    }
  }

  private synchronized Meters meters() {
    if (meters == null) {
      List<Meters> all = new ArrayList<>();
      addIfThere(all, "io.opentelemetry.api.metrics.Meter", () -> Telemetry.find(beans));
      addIfThere(
          all, "org.eclipse.microprofile.metrics.MetricRegistry", () -> Registry.find(beans));
      meters = new AllMeters(List.copyOf(all));
    }
    return meters;
  }

  private static void addIfThere(List<Meters> all, String type, Supplier<@Nullable Meters> finder) {
    try {
      Class<?> unused = Class.forName(type, false, LazyMeters.class.getClassLoader());
      Meters found = finder.get();
      if (found != null) {
        all.add(found);
      }
    } catch (ClassNotFoundException notThere) {
      // Then there is nobody to tell.
    } catch (RuntimeException | LinkageError broken) {
      LOG.log(System.Logger.Level.WARNING, "No metrics of fault tolerance in " + type, broken);
    }
  }

  // Each in a class of its own, which is loaded when the library is known to be there.

  private static final class Telemetry {
    static @Nullable Meters find(BeanManager beans) {
      Instance<Meter> meter = beans.createInstance().select(Meter.class);
      return meter.isResolvable() ? new TelemetryMeters(meter.get()) : null;
    }
  }

  private static final class Registry {
    static @Nullable Meters find(BeanManager beans) {
      Instance<MetricRegistry> registry =
          beans.createInstance().select(MetricRegistry.class, Base.INSTANCE);
      return registry.isResolvable() ? new RegistryMeters(registry.get()) : null;
    }

    private static final class Base extends AnnotationLiteral<RegistryType>
        implements RegistryType {
      private static final long serialVersionUID = 1L;
      static final Base INSTANCE = new Base();

      @Override
      public MetricRegistry.Type type() {
        return MetricRegistry.Type.BASE;
      }
    }
  }

  /** Made by the first that asks; the others wait for that. A library that throws gets none. */
  private static final class Once implements Supplier<MethodMeters> {
    private final Supplier<MethodMeters> maker;
    private volatile @Nullable MethodMeters made;

    Once(Supplier<MethodMeters> maker) {
      this.maker = maker;
    }

    @Override
    public MethodMeters get() {
      MethodMeters known = made;
      return known == null ? make() : known;
    }

    private synchronized MethodMeters make() {
      MethodMeters known = made;
      if (known == null) {
        known = makeOrNone();
        made = known;
      }
      return known;
    }

    private MethodMeters makeOrNone() {
      try {
        return maker.get();
      } catch (RuntimeException | LinkageError broken) {
        LOG.log(System.Logger.Level.WARNING, "A method goes without metrics", broken);
        return MethodMeters.NONE;
      }
    }
  }
}

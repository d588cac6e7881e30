package dev.recloser.micrometer;

import dev.recloser.Bulkhead;
import dev.recloser.Cancellable;
import dev.recloser.CircuitBreaker;
import dev.recloser.Hedge;
import dev.recloser.Pipeline;
import dev.recloser.Policy;
import dev.recloser.PolicySource;
import dev.recloser.RateLimiter;
import dev.recloser.Retry;
import dev.recloser.Timeout;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The meters of many policies in one meter registry.
 *
 * <p>Thread-safe: policies come and go on any thread. The lock is held while meters are registered
 * and removed, so that those of a policy that goes at the same time are all gone afterwards. Meter
 * registries take locks of their own below it and never call back into a registry of policies.
 */
final class Binding {
  private static final System.Logger LOG = System.getLogger(PolicyMetrics.class.getName());

  /** A policy as its meters know it. */
  private record Id(Class<?> kind, String name) {}

  /** What was registered, and for which of the policies, or pipelines, of that name. */
  private record Bound(Object owner, Meters meters) {}

  private final MeterRegistry registry;
  private final MeterSettings settings;
  private final Map<Id, Bound> all = new HashMap<>();
  private @Nullable Cancellable following;
  private boolean closed;

  Binding(MeterRegistry registry, MeterSettings settings) {
    this.registry = registry;
    this.settings = settings;
  }

  /** Registers the meters of policies as they come. Called once. */
  void follow(PolicySource<?> policies) {
    Cancellable started = policies.follow(this::bind);
    if (!keep(started)) {
      started.cancel();
    }
  }

  /** False if it was closed by the time it had begun. */
  private synchronized boolean keep(Cancellable started) {
    following = started;
    return !closed;
  }

  /**
   * Registers the meters of a policy; none if they are there already, or the registry refuses one.
   * Returns what removes them.
   */
  private synchronized Cancellable bind(Policy policy) {
    Meters meters = place(policy.getClass(), policy.name(), policy);
    if (meters == null) {
      return () -> {};
    }
    try {
      register(meters, policy);
    } catch (Throwable e) {
      remove(policy.getClass(), policy.name(), policy);
      throw e;
    }
    return () -> remove(policy.getClass(), policy.name(), policy);
  }

  private void register(Meters meters, Policy policy) {
    if (policy instanceof CircuitBreaker breaker) {
      BreakerMeters.register(meters, breaker, settings.callTimers());
    } else if (policy instanceof Retry retry) {
      PolicyMeters.register(meters, retry);
    } else if (policy instanceof Bulkhead bulkhead) {
      PolicyMeters.register(meters, bulkhead);
    } else if (policy instanceof RateLimiter limiter) {
      PolicyMeters.register(meters, limiter);
    } else if (policy instanceof Timeout timeout) {
      PolicyMeters.register(meters, timeout);
    } else if (policy instanceof Hedge hedge) {
      PolicyMeters.register(meters, hedge);
    }
    if (settings.resilience4jNames()) {
      Resilience4jMeters.register(meters, policy);
    }
  }

  /** Registers the meters of the fallbacks of a pipeline. */
  synchronized void bindFallbacks(Pipeline<?> pipeline) {
    if (!pipeline.fallbackMetrics().isEmpty()) {
      Meters meters = place(Pipeline.class, pipeline.name(), pipeline);
      if (meters != null) {
        register(meters, pipeline);
      }
    }
  }

  private void register(Meters meters, Pipeline<?> pipeline) {
    try {
      PolicyMeters.register(meters, pipeline);
    } catch (Throwable e) {
      remove(Pipeline.class, pipeline.name(), pipeline);
      throw e;
    }
  }

  private synchronized void remove(Class<?> kind, String name, Object owner) {
    Id id = new Id(kind, name);
    Bound bound = all.get(id);
    if (bound != null && bound.owner() == owner) {
      all.remove(id);
      bound.meters().remove();
    }
  }

  /** Removes all meters. What follows the policies is not ours, and is ended without the lock. */
  void close() {
    Cancellable started = removeAll();
    if (started != null) {
      started.cancel();
    }
  }

  private synchronized @Nullable Cancellable removeAll() {
    closed = true;
    all.values().forEach(bound -> bound.meters().remove());
    all.clear();
    return following;
  }

  /** Where its meters go; null if they are there already, or somebody else's of the same name. */
  private @Nullable Meters place(Class<?> kind, String name, Object owner) {
    if (closed) {
      return null;
    }
    Meters meters = new Meters(registry, settings.tags().and("name", name));
    Bound other = all.putIfAbsent(new Id(kind, name), new Bound(owner, meters));
    if (other == null) {
      return meters;
    }
    if (other.owner() != owner) {
      LOG.log(
          System.Logger.Level.WARNING,
          "A second {0} is called {1}, so it has no meters; give one of them a tag of its own",
          kind.getSimpleName(),
          name);
    }
    return null;
  }
}

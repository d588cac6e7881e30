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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
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

  /** Which policies have meters by themselves. Fallbacks have those of their pipeline. */
  private static final List<Class<? extends Policy>> KINDS =
      List.of(
          CircuitBreaker.class,
          Retry.class,
          Bulkhead.class,
          RateLimiter.class,
          Timeout.class,
          Hedge.class);

  /** A policy as its meters know it. */
  private record Id(Class<?> kind, String name) {}

  /**
   * A policy, or a pipeline, that shall have meters as long as it is in its source. It may be in
   * two, and then claims them twice.
   */
  private static final class Claim {
    final Object owner;

    /** Null while others of the name have theirs. */
    @Nullable Meters meters;

    Claim(Object owner) {
      this.owner = owner;
    }
  }

  private final MeterRegistry registry;
  private final MeterSettings settings;

  /** By name, in the order in which they came; the first of each has its meters. */
  private final Map<Id, Deque<Claim>> claims = new HashMap<>();

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

  /** Registers the meters of a policy, if they are not there already. Returns what removes them. */
  private synchronized Cancellable bind(Policy policy) {
    if (closed || !hasMeters(policy)) {
      return () -> {};
    }
    Id id = new Id(policy.getClass(), policy.name());
    Claim claim = new Claim(policy);
    if (isFirst(id, claim)) {
      orRemove(id, claim, () -> register(id, claim, policy));
    }
    return () -> remove(id, claim);
  }

  /** What a meter registry refuses half-way shall leave nothing behind, nor hold its name. */
  private void orRemove(Id id, Claim claim, Runnable registering) {
    try {
      registering.run();
    } catch (Throwable e) {
      remove(id, claim);
      throw e;
    }
  }

  private void register(Id id, Claim claim, Policy policy) {
    Meters meters = metersOf(id);
    claim.meters = meters;
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

  private static boolean hasMeters(Policy policy) {
    return KINDS.stream().anyMatch(kind -> kind.isInstance(policy));
  }

  /** Registers the meters of the fallbacks of a pipeline. */
  synchronized void bindFallbacks(Pipeline<?> pipeline) {
    if (closed || pipeline.fallbackMetrics().isEmpty()) {
      return;
    }
    Id id = new Id(Pipeline.class, pipeline.name());
    Claim claim = new Claim(pipeline);
    if (isFirst(id, claim)) {
      Meters meters = metersOf(id);
      claim.meters = meters;
      orRemove(id, claim, () -> PolicyMeters.register(meters, pipeline));
    }
  }

  /** Removes the meters of a policy that has gone. The next of the name has them then. */
  private synchronized void remove(Id id, Claim claim) {
    Deque<Claim> all = claims.get(id);
    if (all == null || !all.remove(claim)) {
      return; // All has been removed.
    }
    Claim next = all.peekFirst();
    if (next == null) {
      claims.remove(id);
    }
    if (claim.meters == null) {
      return; // It was not the first.
    }
    if (next != null && next.owner == claim.owner) {
      next.meters = claim.meters;
      return;
    }
    claim.meters.remove();
    if (next != null && next.owner instanceof Policy policy) {
      register(id, next, policy);
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
    for (Deque<Claim> all : claims.values()) {
      Meters meters = all.getFirst().meters;
      if (meters != null) {
        meters.remove();
      }
    }
    claims.clear();
    return following;
  }

  /** Puts a claim in line. Whether it is the first, and so to be met at once. */
  private boolean isFirst(Id id, Claim claim) {
    Deque<Claim> all = claims.computeIfAbsent(id, name -> new ArrayDeque<>(1));
    Claim first = all.peekFirst();
    all.addLast(claim);
    if (first != null && first.owner != claim.owner) {
      LOG.log(
          System.Logger.Level.WARNING,
          "A second {0} is called {1}, and has no meters while the first is there; give one of them"
              + " a tag of its own",
          id.kind().getSimpleName(),
          id.name());
    }
    return first == null;
  }

  private Meters metersOf(Id id) {
    return new Meters(registry, settings.tags().and("name", id.name()));
  }
}

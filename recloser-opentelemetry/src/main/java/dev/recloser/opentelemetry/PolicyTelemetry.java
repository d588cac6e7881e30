package dev.recloser.opentelemetry;

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
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.metrics.Meter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Metrics of circuit breakers, retries, bulkheads and all other policies, and spans of what
 * breakers do.
 *
 * <pre>{@code
 * Policies policies = Policies.create();
 * PolicyTelemetry telemetry = PolicyTelemetry.of(openTelemetry, policies);
 * }</pre>
 *
 * <p>Policies that a registry makes later, or a changed file adds, are in, and those that a
 * registry evicts are out. Metrics are read from what the policies count anyway, when they are
 * collected: they add nothing to a call. Only {@linkplain Builder#callDurations durations} and
 * {@linkplain Builder#spans spans} do, which are off by default.
 *
 * <p>{@code docs/metrics.md} of the project lists every metric, attribute and span.
 *
 * <p>Thread-safe.
 */
public final class PolicyTelemetry implements AutoCloseable {
  private static final String SCOPE = "dev.recloser";
  private static final System.Logger LOG = System.getLogger(PolicyTelemetry.class.getName());

  private final PolicySource<Policy> policies;
  private final List<AutoCloseable> instruments;
  private final Cancellable listening;

  /** What ends the listening to a breaker, which can be in several sources. Guarded by itself. */
  private final Map<CircuitBreaker, Listening> listened = new HashMap<>();

  /** What listens to each breaker, and how that ends. */
  private final List<Function<CircuitBreaker, Cancellable>> listeners = new ArrayList<>();

  /** Whose second namesakes the log has been told of. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  private PolicyTelemetry(OpenTelemetry target, Builder builder) {
    policies = builder.all();
    List<Pipeline<?>> pipelines = builder.pipelines.stream().distinct().toList();
    Meter meter = target.getMeter(SCOPE);
    if (builder.callDurations) {
      listeners.add(new CallDurations(meter)::listen);
    }
    if (builder.spans) {
      listeners.add(new BreakerSpans(target.getTracer(SCOPE))::listen);
    }
    instruments =
        List.of(
            new BreakerInstruments(meter, () -> all(CircuitBreaker.class)),
            PolicyInstruments.ofRetries(meter, () -> all(Retry.class)),
            PolicyInstruments.ofBulkheads(meter, () -> all(Bulkhead.class)),
            PolicyInstruments.ofRateLimiters(meter, () -> all(RateLimiter.class)),
            PolicyInstruments.ofTimeouts(meter, () -> all(Timeout.class)),
            PolicyInstruments.ofHedges(meter, () -> all(Hedge.class)),
            PolicyInstruments.ofFallbacks(meter, () -> pipelines));
    listening =
        listeners.isEmpty() ? () -> {} : policies.only(CircuitBreaker.class).follow(this::listen);
  }

  /**
   * Metrics of all policies of an application, with the default settings.
   *
   * @param target where they go
   * @param policies those of registries, or of files
   */
  public static PolicyTelemetry of(OpenTelemetry target, PolicySource<?> policies) {
    return create(target, telemetry -> telemetry.policies(policies));
  }

  /**
   * Metrics, and spans if they are asked for, of what the settings name.
   *
   * @param target where they go
   * @param settings say of what, and how they differ from the defaults
   */
  public static PolicyTelemetry create(OpenTelemetry target, Consumer<? super Builder> settings) {
    Builder builder = new Builder();
    settings.accept(builder);
    return new PolicyTelemetry(Objects.requireNonNull(target, "target"), builder);
  }

  /** Ends metrics and spans. */
  @Override
  public void close() {
    listening.cancel();
    for (AutoCloseable each : instruments) {
      try {
        each.close();
      } catch (Exception e) {
        throw new IllegalStateException(e); // None of ours throws.
      }
    }
  }

  /**
   * All policies of a kind that are there now; of those with one name, the one that was named
   * first. Another one is told of once.
   */
  private <P extends Policy> Collection<P> all(Class<P> kind) {
    Map<String, P> byName = new LinkedHashMap<>();
    policies.only(kind).all().forEach(policy -> put(byName, kind, policy));
    return byName.values();
  }

  private <P extends Policy> void put(Map<String, P> byName, Class<P> kind, P policy) {
    P other = byName.putIfAbsent(policy.name(), policy);
    if (other != null && other != policy && told.add(kind.getSimpleName() + policy.name())) {
      LOG.log(
          System.Logger.Level.WARNING,
          "A second {0} is called {1}, so it has no metrics; give it another name (told once)",
          kind.getSimpleName(),
          policy.name());
    }
  }

  /**
   * Listens to a breaker, if nothing does yet. Returns what ends it with the last who wanted it.
   */
  private Cancellable listen(CircuitBreaker breaker) {
    synchronized (listened) {
      listened.computeIfAbsent(breaker, this::begin).wanted++;
    }
    return () -> forget(breaker);
  }

  private Listening begin(CircuitBreaker breaker) {
    return new Listening(listeners.stream().map(listener -> listener.apply(breaker)).toList());
  }

  private void forget(CircuitBreaker breaker) {
    synchronized (listened) {
      Listening listening = listened.get(breaker);
      if (listening != null && --listening.wanted == 0) {
        listened.remove(breaker);
        listening.handles.forEach(Cancellable::cancel);
      }
    }
  }

  /** The listeners of a breaker, and by how many sources it is wanted. */
  private static final class Listening {
    final List<Cancellable> handles;
    int wanted;

    Listening(List<Cancellable> handles) {
      this.handles = handles;
    }
  }

  /** Says what has metrics, and which. Not thread-safe. */
  public static final class Builder {
    private final List<PolicySource<?>> sources = new ArrayList<>();
    private final List<Policy> policies = new ArrayList<>();
    private final List<Pipeline<?>> pipelines = new ArrayList<>();
    private boolean callDurations;
    private boolean spans;

    private Builder() {}

    /** Adds all policies of registries or files, those that are not made yet included. */
    public Builder policies(PolicySource<?> policies) {
      sources.add(Objects.requireNonNull(policies, "policies"));
      return this;
    }

    /** Adds policies that were made by hand. */
    public Builder policies(Collection<? extends Policy> policies) {
      this.policies.addAll(policies);
      return this;
    }

    /** Adds a policy that was made by hand. */
    public Builder policy(Policy policy) {
      policies.add(Objects.requireNonNull(policy, "policy"));
      return this;
    }

    /** Adds the policies of a pipeline, and its fallbacks under its name. */
    public Builder pipeline(Pipeline<?> pipeline) {
      pipelines.add(Objects.requireNonNull(pipeline, "pipeline"));
      return this;
    }

    /**
     * Sets whether there is a histogram of how long calls through breakers took. Only calls that
     * the breaker times are in it: all, unless slow calls are switched off. Default: no, for it
     * costs an event and a recording for each call.
     */
    public Builder callDurations(boolean on) {
      callDurations = on;
      return this;
    }

    /**
     * Sets whether the span that is current where a call ends is told of breaker, state and
     * outcome, and a call that is refused has a short span of its own. Default: no, for it costs an
     * event for each call.
     */
    public Builder spans(boolean on) {
      spans = on;
      return this;
    }

    private PolicySource<Policy> all() {
      List<Policy> fixed = new ArrayList<>(policies);
      pipelines.forEach(pipeline -> fixed.addAll(pipeline.policies()));
      List<PolicySource<?>> all = new ArrayList<>(List.of(PolicySource.of(fixed)));
      all.addAll(sources);
      return PolicySource.concat(all);
    }
  }
}

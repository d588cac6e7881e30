package dev.recloser.micrometer;

import dev.recloser.CircuitBreakerEvent;
import dev.recloser.Pipeline;
import dev.recloser.Policy;
import dev.recloser.PolicySource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Meters of circuit breakers, retries, bulkheads and all other policies.
 *
 * <pre>{@code
 * Policies policies = Policies.create();
 * PolicyMetrics.of(policies).bindTo(meterRegistry);
 * }</pre>
 *
 * <p>Policies that a registry makes later, or a changed file adds, get their meters then, and those
 * that a registry evicts lose them. The meters read what the policies count anyway, when they are
 * read: they add nothing to a call. Only {@linkplain Builder#callTimers timers} do, which are off
 * by default.
 *
 * <p>{@code docs/metrics.md} of the project lists every meter.
 *
 * <p>Two policies of one kind and name would be one meter. The second is left out as long as the
 * first is there, and a line in the log says so; {@link Builder#tags} tells them apart. For the
 * same reason one meter registry should have one of these for a policy: of two, the one that is
 * closed takes the meters of both.
 *
 * <p>Thread-safe.
 */
public final class PolicyMetrics implements MeterBinder, AutoCloseable {
  private final PolicySource<Policy> policies;
  private final List<Pipeline<?>> pipelines;
  private final MeterSettings settings;
  private final Map<MeterRegistry, Binding> bindings = new ConcurrentHashMap<>();

  private PolicyMetrics(Builder builder) {
    policies = builder.all();
    pipelines = List.copyOf(builder.pipelines);
    settings = new MeterSettings(builder.tags, builder.callTimers, builder.resilience4jNames);
  }

  /**
   * Meters of all policies of an application, with the default settings.
   *
   * @param policies those of registries, or of files
   */
  public static PolicyMetrics of(PolicySource<?> policies) {
    return create(metrics -> metrics.policies(policies));
  }

  /**
   * Meters of what the settings name.
   *
   * @param settings say of what, and how they differ from the defaults
   */
  public static PolicyMetrics create(Consumer<? super Builder> settings) {
    Builder builder = new Builder();
    settings.accept(builder);
    return new PolicyMetrics(builder);
  }

  /**
   * Registers the meters; with several registries if called for each of them. Does nothing for one
   * that has them already.
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    Binding binding = new Binding(Objects.requireNonNull(registry, "registry"), settings);
    if (bindings.putIfAbsent(registry, binding) != null) {
      return;
    }
    binding.follow(policies);
    pipelines.forEach(binding::bindFallbacks);
  }

  /** Removes all meters from where they were registered, and listens no more. */
  @Override
  public void close() {
    // One by one, so that none is forgotten that is made meanwhile.
    bindings.forEach(
        (registry, binding) -> {
          bindings.remove(registry, binding);
          binding.close();
        });
  }

  /** Says what has meters, and how. Not thread-safe. */
  public static final class Builder {
    private final List<PolicySource<?>> sources = new ArrayList<>();
    private final List<Policy> policies = new ArrayList<>();
    private final List<Pipeline<?>> pipelines = new ArrayList<>();
    private Tags tags = Tags.empty();
    private boolean callTimers;
    private boolean resilience4jNames;

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

    /** Adds tags to all meters. Default: none besides {@code name} and those of each meter. */
    public Builder tags(Iterable<? extends Tag> tags) {
      this.tags = this.tags.and(tags);
      return this;
    }

    /**
     * Sets whether the calls through breakers are timed by timers as well, whose percentiles and
     * buckets are set with the meter registry. Only calls that the breaker times are in them: all,
     * unless slow calls are switched off. Default: no, for it costs an event and a recording for
     * each call.
     *
     * @see CircuitBreakerEvent.CallFinished
     */
    public Builder callTimers(boolean on) {
      callTimers = on;
      return this;
    }

    /**
     * Sets whether there is a second set of meters with the names and tags of Resilience4j, for
     * dashboards and alerts that ask for those. Its {@code resilience4j.circuitbreaker.calls} is a
     * timer, and costs what {@link #callTimers} do. Default: no.
     */
    public Builder resilience4jNames(boolean on) {
      resilience4jNames = on;
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

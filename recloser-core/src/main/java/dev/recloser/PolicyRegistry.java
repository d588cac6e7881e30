package dev.recloser;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Makes policies of a kind by name and keeps them, up to a number.
 *
 * <p>When a new policy would exceed the number, the one that has been idle longest makes room: it
 * has nothing to do, would lose nothing that matters to calls to come, and has neither been asked
 * for nor made a call for the idle time. Each registry says what that is for its kind. If there is
 * none, the new policy is not made, and that is an exception: a call is protected or visibly not.
 *
 * <p>Whether a policy has made calls is read from what it has counted, when room is needed. One
 * that does not time its calls, and has counted some since it was last looked at, is taken for just
 * used; so it takes a second look, the idle time later, to find it idle.
 *
 * <p>Thread-safe. Asking for a policy that exists takes no lock.
 *
 * @param <P> the policies
 */
public abstract sealed class PolicyRegistry<P extends Policy> implements PolicySource<P>
    permits BulkheadRegistry,
        CircuitBreakerRegistry,
        HedgeRegistry,
        RateLimiterRegistry,
        RetryRegistry,
        TimeoutRegistry {
  /** Default of {@code maxSize}: {@value}. */
  public static final int DEFAULT_MAX_SIZE = 10_000;

  /** Default of {@code idleTime}: 10 min. */
  public static final Duration DEFAULT_IDLE_TIME = Duration.ofMinutes(10);

  private final NamedPolicies<P, ?> policies;

  PolicyRegistry(NamedPolicies<P, ?> policies) {
    this.policies = policies;
  }

  /** Returns the policy of a name if there is one. Does not count as asking for it. */
  public final Optional<P> find(String name) {
    return policies.find(name);
  }

  /** The policies there are now, in no particular order. An immutable copy. */
  @Override
  public final Collection<P> all() {
    return policies.all();
  }

  /**
   * Removes a policy. Whoever holds it can go on using it; asking for the name makes a new one.
   *
   * @return whether there was one
   */
  public final boolean remove(String name) {
    return policies.remove(name);
  }

  /**
   * Registers a listener for policies that are made. It runs on the thread that made the policy,
   * before that thread gets it or on one that delivers news already, and may use the registry. What
   * it throws is logged.
   *
   * @return unregisters it
   */
  public final Cancellable onAdded(Consumer<? super P> listener) {
    return policies.news.onAdded(listener);
  }

  /**
   * Registers a listener for policies that are removed or evicted. What it throws is logged.
   *
   * @return unregisters it
   */
  public final Cancellable onRemoved(Consumer<? super P> listener) {
    return policies.news.onRemoved(listener);
  }

  /**
   * Does something about each policy as long as it is here: those there are, at once, and those
   * made later, when they are made.
   *
   * @param start begins with a policy, once, on the thread that made it or calls this, or on one
   *     that delivers news already; it may use the registry. What it returns is cancelled when the
   *     policy is removed or evicted. What either throws is logged
   * @return ends it, for all policies
   */
  @Override
  public final Cancellable follow(Function<? super P, ? extends Cancellable> start) {
    return policies.follow(Objects.requireNonNull(start, "start"));
  }

  /**
   * Sets what a registry shall differ in from the defaults. Not thread-safe.
   *
   * @param <C> the configurations of the policies
   * @param <B> what sets those
   * @param <S> this builder
   */
  public abstract static sealed class Builder<C extends PolicyConfig, B, S extends Builder<C, B, S>>
      permits BulkheadRegistry.Builder,
          CircuitBreakerRegistry.Builder,
          HedgeRegistry.Builder,
          RateLimiterRegistry.Builder,
          RetryRegistry.Builder,
          TimeoutRegistry.Builder {
    private final PolicyKind<?, C, B> kind;
    private C defaultConfig;
    private final Map<String, C> configs = new HashMap<>();
    private final Map<String, C> ofPolicies = new HashMap<>();
    private int maxSize = DEFAULT_MAX_SIZE;
    private Duration idleTime = DEFAULT_IDLE_TIME;

    Builder(PolicyKind<?, C, B> kind) {
      this.kind = kind;
      defaultConfig = kind.defaults();
    }

    Builder(PolicyKind<?, C, B> kind, RegistrySettings<C> settings) {
      this.kind = kind;
      defaultConfig = settings.defaultConfig();
      configs.putAll(settings.configs());
      ofPolicies.putAll(settings.ofPolicies());
      maxSize = settings.maxSize();
      idleTime = Duration.ofNanos(settings.idleNanos());
    }

    /** Sets the configuration of policies for which no other is named. Default: the defaults. */
    public final S defaultConfig(C config) {
      defaultConfig = Objects.requireNonNull(config, "defaultConfig");
      return self();
    }

    /**
     * Sets how the configuration of policies for which no other is named differs from the defaults.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public final S defaultConfig(Consumer<? super B> settings) {
      return defaultConfig(kind.with(kind.defaults(), settings));
    }

    /** Names a configuration that policies can be asked for with. Default: none. */
    public final S config(String name, C config) {
      configs.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(config, "config"));
      return self();
    }

    /**
     * Names a configuration that differs from the default configuration set so far.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public final S config(String name, Consumer<? super B> settings) {
      return config(name, kind.with(defaultConfig, settings));
    }

    /** Forgets all named configurations, and those of single policies; the default stays. */
    public final S withoutConfigs() {
      configs.clear();
      ofPolicies.clear();
      return self();
    }

    /**
     * Sets how many policies there may be. Default: {@value #DEFAULT_MAX_SIZE}.
     *
     * @param size at least 1
     */
    public final S maxSize(int size) {
      maxSize = size;
      return self();
    }

    /**
     * Sets how long a policy must have been idle to make room for another. Default: 10 min.
     *
     * @param time zero or more
     */
    public final S idleTime(Duration time) {
      idleTime = Objects.requireNonNull(time, "idleTime");
      return self();
    }

    abstract S self();

    final S ofPolicy(String name, C config) {
      ofPolicies.put(
          Objects.requireNonNull(name, "name"), Objects.requireNonNull(config, "config"));
      return self();
    }

    final S ofPolicy(String name, Consumer<? super B> settings) {
      return ofPolicy(name, kind.with(defaultConfig, settings));
    }

    /** The settings as they are with these changes. */
    final RegistrySettings<C> with(Consumer<? super S> changes) {
      changes.accept(self());
      Faults faults = new Faults();
      faults.check(maxSize >= 1, "maxSize", maxSize, "at least 1");
      faults.checkDuration("idleTime", idleTime, Duration.ZERO);
      faults.throwIfAny("A " + kind.words().one() + " registry");
      return new RegistrySettings<>(
          defaultConfig, configs, ofPolicies, maxSize, idleTime.toNanos());
    }
  }
}

package dev.recloser;

import java.util.List;
import java.util.function.Consumer;

/**
 * Makes breakers by name and keeps them, up to a number.
 *
 * <pre>{@code
 * CircuitBreakerRegistry registry =
 *     CircuitBreakerRegistry.create(breakers -> breakers
 *         .defaultConfig(config -> config.slidingWindowSize(50))
 *         .config("slow", config -> config.slowCallDurationThreshold(Duration.ofSeconds(5)))
 *         .breaker("pricing", config -> config.failureRateThreshold(20)));
 *
 * CircuitBreaker inventory = registry.circuitBreaker("inventory");
 * CircuitBreaker reports = registry.circuitBreaker("reports", "slow");
 * }</pre>
 *
 * <p>Only a breaker that is closed, and has no call in flight, makes room for another.
 *
 * <p>Thread-safe. Asking for a breaker that exists takes no lock.
 */
public final class CircuitBreakerRegistry extends PolicyRegistry<CircuitBreaker> {
  private static final Kind KIND = new Kind();

  private final NamedPolicies<CircuitBreaker, CircuitBreakerConfig> breakers;

  private CircuitBreakerRegistry(NamedPolicies<CircuitBreaker, CircuitBreakerConfig> breakers) {
    super(breakers);
    this.breakers = breakers;
  }

  /** Makes a registry with the default settings. */
  public static CircuitBreakerRegistry create() {
    return create(registry -> {});
  }

  /**
   * Makes a registry.
   *
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static CircuitBreakerRegistry create(Consumer<? super Builder> settings) {
    return new CircuitBreakerRegistry(new NamedPolicies<>(KIND, new Builder().with(settings)));
  }

  /**
   * Returns the breaker of a name. If there is none it is made, with the settings given for this
   * breaker or else the default configuration; one that exists is returned whatever its settings.
   *
   * @throws IllegalArgumentException when the name is blank
   * @throws IllegalStateException when the registry is full and no breaker is idle
   */
  public CircuitBreaker circuitBreaker(String name) {
    return breakers.get(name);
  }

  /**
   * Returns the breaker of a name, made from a named configuration if there is none.
   *
   * @throws IllegalArgumentException when there is no such configuration, or the name is blank
   * @throws IllegalStateException when the breaker exists with other settings; or when the registry
   *     is full and no breaker is idle
   */
  public CircuitBreaker circuitBreaker(String name, String configName) {
    return breakers.get(name, configName);
  }

  /**
   * Returns the breaker of a name, made from this configuration if there is none.
   *
   * @throws IllegalArgumentException when the name is blank
   * @throws IllegalStateException when the breaker was asked for with other settings before; or
   *     when the registry is full and no breaker is idle
   */
  public CircuitBreaker circuitBreaker(String name, CircuitBreakerConfig config) {
    return breakers.get(name, config);
  }

  /**
   * Changes the settings of the registry, and with them the living breakers that were made from a
   * configuration that has changed, as {@link CircuitBreaker#reconfigure} does. Those that were
   * asked for with a configuration of their own stay as they are. All or nothing.
   *
   * @param changes sets what shall differ from the present settings; asked again if they change
   *     meanwhile
   * @return the breakers that were changed. An immutable copy
   * @throws InvalidConfigurationException when settings are wrong, or a breaker's new configuration
   *     has another ticker; lists them all, and changes nothing
   */
  public List<CircuitBreaker> reconfigure(Consumer<? super Builder> changes) {
    return breakers.reconfigure(present -> new Builder(present).with(changes));
  }

  /** Sets what a registry shall differ in from the defaults. Not thread-safe. */
  public static final class Builder
      extends PolicyRegistry.Builder<CircuitBreakerConfig, CircuitBreakerConfig.Builder, Builder> {
    private Builder() {
      super(KIND);
    }

    private Builder(RegistrySettings<CircuitBreakerConfig> settings) {
      super(KIND, settings);
    }

    /** Sets the configuration of one breaker, for when it is asked for by its name alone. */
    public Builder breaker(String name, CircuitBreakerConfig config) {
      return ofPolicy(name, config);
    }

    /**
     * Sets how one breaker differs from the default configuration set so far.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public Builder breaker(String name, Consumer<? super CircuitBreakerConfig.Builder> settings) {
      return ofPolicy(name, settings);
    }

    @Override
    Builder self() {
      return this;
    }
  }

  private static final class Kind
      implements PolicyKind<CircuitBreaker, CircuitBreakerConfig, CircuitBreakerConfig.Builder> {
    private static final Words WORDS = new Words("circuit breaker", "breakers", "closed and idle");

    @Override
    public Words words() {
      return WORDS;
    }

    @Override
    public CircuitBreakerConfig defaults() {
      return CircuitBreakerConfig.defaults();
    }

    @Override
    public CircuitBreakerConfig with(
        CircuitBreakerConfig config, Consumer<? super CircuitBreakerConfig.Builder> changes) {
      return config.with(changes);
    }

    @Override
    public CircuitBreaker create(String name, CircuitBreakerConfig config) {
      return CircuitBreaker.create(name, config);
    }

    @Override
    public CircuitBreakerConfig configOf(CircuitBreaker breaker) {
      return breaker.config();
    }

    @Override
    public void reconfigure(CircuitBreaker breaker, CircuitBreakerConfig config) {
      breaker.reconfigure(config);
    }

    @Override
    public Ticker tickerOf(CircuitBreakerConfig config) {
      return config.ticker;
    }

    @Override
    public boolean keepsTicker() {
      return true;
    }

    /** One that times its calls, or has a window of time, knows when it was last of use. */
    @Override
    public long uses(CircuitBreaker breaker) {
      boolean timed = breaker.config().timeBased || breaker.config().slowCallNanos > 0;
      return timed ? 0 : breaker.admittedCalls();
    }

    @Override
    public long restingNanos(CircuitBreaker breaker, long now) {
      Long since = breaker.atRestSince();
      return since == null ? -1 : Math.max(0, now - since);
    }
  }
}

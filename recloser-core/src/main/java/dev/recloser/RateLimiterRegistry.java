package dev.recloser;

import java.util.List;
import java.util.function.Consumer;

/**
 * Makes rate limiters by name and keeps them, up to a number.
 *
 * <pre>{@code
 * RateLimiterRegistry registry =
 *     RateLimiterRegistry.create(limiters -> limiters
 *         .defaultConfig(config -> config.limitForPeriod(100))
 *         .config("slow", config -> config.limitForPeriod(5))
 *         .rateLimiter("pricing", config -> config.maxBurst(10)));
 *
 * RateLimiter inventory = registry.rateLimiter("inventory");
 * RateLimiter reports = registry.rateLimiter("reports", "slow");
 * }</pre>
 *
 * <p>Only a rate limiter with a full bucket, and nobody waiting, makes room for another: a new one
 * of the same name would admit no more.
 *
 * <p>Thread-safe. Asking for a rate limiter that exists takes no lock.
 */
public final class RateLimiterRegistry extends PolicyRegistry<RateLimiter> {
  private static final Kind KIND = new Kind();

  private final NamedPolicies<RateLimiter, RateLimiterConfig> limiters;

  private RateLimiterRegistry(NamedPolicies<RateLimiter, RateLimiterConfig> limiters) {
    super(limiters);
    this.limiters = limiters;
  }

  /** Makes a registry with the default settings. */
  public static RateLimiterRegistry create() {
    return create(registry -> {});
  }

  /**
   * Makes a registry.
   *
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static RateLimiterRegistry create(Consumer<? super Builder> settings) {
    return new RateLimiterRegistry(new NamedPolicies<>(KIND, new Builder().with(settings)));
  }

  /**
   * Returns the rate limiter of a name. If there is none it is made, with the settings given for
   * this rate limiter or else the default configuration; one that exists is returned whatever its
   * settings.
   *
   * @throws IllegalArgumentException when the name is blank
   * @throws IllegalStateException when the registry is full and no rate limiter is idle
   */
  public RateLimiter rateLimiter(String name) {
    return limiters.get(name);
  }

  /**
   * Returns the rate limiter of a name, made from a named configuration if there is none.
   *
   * @throws IllegalArgumentException when there is no such configuration, or the name is blank
   * @throws IllegalStateException when the rate limiter exists with other settings; or when the
   *     registry is full and no rate limiter is idle
   */
  public RateLimiter rateLimiter(String name, String configName) {
    return limiters.get(name, configName);
  }

  /**
   * Returns the rate limiter of a name, made from this configuration if there is none.
   *
   * @throws IllegalArgumentException when the name is blank
   * @throws IllegalStateException when the rate limiter was asked for with other settings before;
   *     or when the registry is full and no rate limiter is idle
   */
  public RateLimiter rateLimiter(String name, RateLimiterConfig config) {
    return limiters.get(name, config);
  }

  /**
   * Changes the settings of the registry, and with them the living rate limiters that were made
   * from a configuration that has changed, as {@link RateLimiter#reconfigure} does. Those that were
   * asked for with a configuration of their own stay as they are. All or nothing.
   *
   * @param changes sets what shall differ from the present settings; asked again if they change
   *     meanwhile
   * @return the rate limiters that were changed. An immutable copy
   * @throws InvalidConfigurationException when settings are wrong, or a rate limiter's new
   *     configuration has another ticker; lists them all, and changes nothing
   */
  public List<RateLimiter> reconfigure(Consumer<? super Builder> changes) {
    return limiters.reconfigure(present -> new Builder(present).with(changes));
  }

  /** Sets what a registry shall differ in from the defaults. Not thread-safe. */
  public static final class Builder
      extends PolicyRegistry.Builder<RateLimiterConfig, RateLimiterConfig.Builder, Builder> {
    private Builder() {
      super(KIND);
    }

    private Builder(RegistrySettings<RateLimiterConfig> settings) {
      super(KIND, settings);
    }

    /** Sets the configuration of one rate limiter, for when it is asked for by its name alone. */
    public Builder rateLimiter(String name, RateLimiterConfig config) {
      return ofPolicy(name, config);
    }

    /**
     * Sets how one rate limiter differs from the default configuration set so far.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public Builder rateLimiter(String name, Consumer<? super RateLimiterConfig.Builder> settings) {
      return ofPolicy(name, settings);
    }

    @Override
    Builder self() {
      return this;
    }
  }

  private static final class Kind
      implements PolicyKind<RateLimiter, RateLimiterConfig, RateLimiterConfig.Builder> {
    private static final Words WORDS = new Words("rate limiter", "rate limiters", "full and idle");

    @Override
    public Words words() {
      return WORDS;
    }

    @Override
    public RateLimiterConfig defaults() {
      return RateLimiterConfig.defaults();
    }

    @Override
    public RateLimiterConfig with(
        RateLimiterConfig config, Consumer<? super RateLimiterConfig.Builder> changes) {
      return config.with(changes);
    }

    @Override
    public RateLimiter create(String name, RateLimiterConfig config) {
      return RateLimiter.create(name, config);
    }

    @Override
    public RateLimiterConfig configOf(RateLimiter limiter) {
      return limiter.config();
    }

    @Override
    public void reconfigure(RateLimiter limiter, RateLimiterConfig config) {
      limiter.reconfigure(config);
    }

    @Override
    public Ticker tickerOf(RateLimiterConfig config) {
      return config.ticker;
    }

    @Override
    public boolean keepsTicker() {
      return true;
    }

    @Override
    public long uses(RateLimiter limiter) {
      RateLimiterMetrics counted = limiter.metrics();
      return counted.admitted() + counted.refused() + counted.cancelled();
    }

    @Override
    public boolean isAtRest(RateLimiter limiter) {
      RateLimiterMetrics now = limiter.metrics();
      return now.waiting() == 0 && now.availablePermits() >= limiter.config().maxBurst();
    }
  }
}

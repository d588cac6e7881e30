package dev.recloser;

import java.util.List;
import java.util.function.Consumer;

/**
 * Makes retries by name and keeps them, up to a number.
 *
 * <pre>{@code
 * RetryRegistry registry =
 *     RetryRegistry.create(retries -> retries
 *         .defaultConfig(config -> config.maxAttempts(3))
 *         .config("patient", config -> config.waitDuration(Duration.ofSeconds(2)))
 *         .retry("pricing", config -> config.maxAttempts(2)));
 *
 * Retry inventory = registry.retry("inventory");
 * Retry reports = registry.retry("reports", "patient");
 * }</pre>
 *
 * <p>Only a retry that has the whole of its own budget makes room for another. A call counts as one
 * when it is made again and when it ends.
 *
 * <p>Thread-safe. Asking for a retry that exists takes no lock.
 */
public final class RetryRegistry extends PolicyRegistry<Retry> {
  private static final Kind KIND = new Kind();

  private final NamedPolicies<Retry, RetryConfig> retries;

  private RetryRegistry(NamedPolicies<Retry, RetryConfig> retries) {
    super(retries);
    this.retries = retries;
  }

  /** Makes a registry with the default settings. */
  public static RetryRegistry create() {
    return create(registry -> {});
  }

  /**
   * Makes a registry.
   *
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static RetryRegistry create(Consumer<? super Builder> settings) {
    return new RetryRegistry(new NamedPolicies<>(KIND, new Builder().with(settings)));
  }

  /**
   * Returns the retry of a name. If there is none it is made, with the settings given for this
   * retry or else the default configuration; one that exists is returned whatever its settings.
   *
   * @throws IllegalArgumentException when the name is blank
   * @throws IllegalStateException when the registry is full and no retry is idle
   */
  public Retry retry(String name) {
    return retries.get(name);
  }

  /**
   * Returns the retry of a name, made from a named configuration if there is none.
   *
   * @throws IllegalArgumentException when there is no such configuration, or the name is blank
   * @throws IllegalStateException when the retry exists with other settings; or when the registry
   *     is full and no retry is idle
   */
  public Retry retry(String name, String configName) {
    return retries.get(name, configName);
  }

  /**
   * Returns the retry of a name, made from this configuration if there is none.
   *
   * @throws IllegalArgumentException when the name is blank
   * @throws IllegalStateException when the retry was asked for with other settings before; or when
   *     the registry is full and no retry is idle
   */
  public Retry retry(String name, RetryConfig config) {
    return retries.get(name, config);
  }

  /**
   * Changes the settings of the registry, and with them the living retries that were made from a
   * configuration that has changed, as {@link Retry#reconfigure} does. Those that were asked for
   * with a configuration of their own stay as they are. All or nothing.
   *
   * @param changes sets what shall differ from the present settings; asked again if they change
   *     meanwhile
   * @return the retries that were changed. An immutable copy
   * @throws InvalidConfigurationException when settings are wrong, or a retry's new configuration
   *     has another ticker; lists them all, and changes nothing
   */
  public List<Retry> reconfigure(Consumer<? super Builder> changes) {
    return retries.reconfigure(present -> new Builder(present).with(changes));
  }

  /** Sets what a registry shall differ in from the defaults. Not thread-safe. */
  public static final class Builder
      extends PolicyRegistry.Builder<RetryConfig, RetryConfig.Builder, Builder> {
    private Builder() {
      super(KIND);
    }

    private Builder(RegistrySettings<RetryConfig> settings) {
      super(KIND, settings);
    }

    /** Sets the configuration of one retry, for when it is asked for by its name alone. */
    public Builder retry(String name, RetryConfig config) {
      return ofPolicy(name, config);
    }

    /**
     * Sets how one retry differs from the default configuration set so far.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public Builder retry(String name, Consumer<? super RetryConfig.Builder> settings) {
      return ofPolicy(name, settings);
    }

    @Override
    Builder self() {
      return this;
    }
  }

  private static final class Kind implements PolicyKind<Retry, RetryConfig, RetryConfig.Builder> {
    private static final Words WORDS = new Words("retry", "retries", "idle");

    @Override
    public Words words() {
      return WORDS;
    }

    @Override
    public RetryConfig defaults() {
      return RetryConfig.defaults();
    }

    @Override
    public RetryConfig with(RetryConfig config, Consumer<? super RetryConfig.Builder> changes) {
      return config.with(changes);
    }

    @Override
    public Retry create(String name, RetryConfig config) {
      return Retry.create(name, config);
    }

    @Override
    public RetryConfig configOf(Retry retry) {
      return retry.config();
    }

    @Override
    public void reconfigure(Retry retry, RetryConfig config) {
      retry.reconfigure(config);
    }

    @Override
    public Ticker tickerOf(RetryConfig config) {
      return config.ticker;
    }

    @Override
    public boolean keepsTicker() {
      return true;
    }

    @Override
    public long uses(Retry retry) {
      RetryMetrics counted = retry.metrics();
      return counted.calls() + counted.retries();
    }

    @Override
    public boolean isAtRest(Retry retry) {
      return retry.hasWholeBudget();
    }
  }
}

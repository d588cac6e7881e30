package dev.recloser;

import java.util.List;
import java.util.function.Consumer;

/**
 * Makes timeouts by name and keeps them, up to a number.
 *
 * <pre>{@code
 * TimeoutRegistry registry =
 *     TimeoutRegistry.create(timeouts -> timeouts
 *         .defaultConfig(config -> config.timeoutDuration(Duration.ofMillis(200)))
 *         .config("slow", config -> config.timeoutDuration(Duration.ofSeconds(5)))
 *         .timeout("pricing", config -> config.timeoutDuration(Duration.ofMillis(50))));
 *
 * Timeout inventory = registry.timeout("inventory");
 * Timeout reports = registry.timeout("reports", "slow");
 * }</pre>
 *
 * <p>A timeout has nothing to lose; a call counts as one when it ends.
 *
 * <p>Thread-safe. Asking for a timeout that exists takes no lock.
 */
public final class TimeoutRegistry extends PolicyRegistry<Timeout> {
  private static final Kind KIND = new Kind();

  private final NamedPolicies<Timeout, TimeoutConfig> timeouts;

  private TimeoutRegistry(NamedPolicies<Timeout, TimeoutConfig> timeouts) {
    super(timeouts);
    this.timeouts = timeouts;
  }

  /** Makes a registry with the default settings. */
  public static TimeoutRegistry create() {
    return create(registry -> {});
  }

  /**
   * Makes a registry.
   *
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static TimeoutRegistry create(Consumer<? super Builder> settings) {
    return new TimeoutRegistry(new NamedPolicies<>(KIND, new Builder().with(settings)));
  }

  /**
   * Returns the timeout of a name. If there is none it is made, with the settings given for this
   * timeout or else the default configuration; one that exists is returned whatever its settings.
   *
   * @throws IllegalArgumentException when the name is blank
   * @throws IllegalStateException when the registry is full and no timeout is idle
   */
  public Timeout timeout(String name) {
    return timeouts.get(name);
  }

  /**
   * Returns the timeout of a name, made from a named configuration if there is none.
   *
   * @throws IllegalArgumentException when there is no such configuration, or the name is blank
   * @throws IllegalStateException when the timeout exists with other settings; or when the registry
   *     is full and no timeout is idle
   */
  public Timeout timeout(String name, String configName) {
    return timeouts.get(name, configName);
  }

  /**
   * Returns the timeout of a name, made from this configuration if there is none.
   *
   * @throws IllegalArgumentException when the name is blank
   * @throws IllegalStateException when the timeout was asked for with other settings before; or
   *     when the registry is full and no timeout is idle
   */
  public Timeout timeout(String name, TimeoutConfig config) {
    return timeouts.get(name, config);
  }

  /**
   * Changes the settings of the registry, and with them the living timeouts that were made from a
   * configuration that has changed, as {@link Timeout#reconfigure} does. Those that were asked for
   * with a configuration of their own stay as they are. All or nothing.
   *
   * @param changes sets what shall differ from the present settings; asked again if they change
   *     meanwhile
   * @return the timeouts that were changed. An immutable copy
   * @throws InvalidConfigurationException when settings are wrong; lists them all, and changes
   *     nothing
   */
  public List<Timeout> reconfigure(Consumer<? super Builder> changes) {
    return timeouts.reconfigure(present -> new Builder(present).with(changes));
  }

  /** Sets what a registry shall differ in from the defaults. Not thread-safe. */
  public static final class Builder
      extends PolicyRegistry.Builder<TimeoutConfig, TimeoutConfig.Builder, Builder> {
    private Builder() {
      super(KIND);
    }

    private Builder(RegistrySettings<TimeoutConfig> settings) {
      super(KIND, settings);
    }

    /** Sets the configuration of one timeout, for when it is asked for by its name alone. */
    public Builder timeout(String name, TimeoutConfig config) {
      return ofPolicy(name, config);
    }

    /**
     * Sets how one timeout differs from the default configuration set so far.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public Builder timeout(String name, Consumer<? super TimeoutConfig.Builder> settings) {
      return ofPolicy(name, settings);
    }

    @Override
    Builder self() {
      return this;
    }
  }

  private static final class Kind
      implements PolicyKind<Timeout, TimeoutConfig, TimeoutConfig.Builder> {
    private static final Words WORDS = new Words("timeout", "timeouts", "idle");

    @Override
    public Words words() {
      return WORDS;
    }

    @Override
    public TimeoutConfig defaults() {
      return TimeoutConfig.defaults();
    }

    @Override
    public TimeoutConfig with(
        TimeoutConfig config, Consumer<? super TimeoutConfig.Builder> changes) {
      return config.with(changes);
    }

    @Override
    public Timeout create(String name, TimeoutConfig config) {
      return Timeout.create(name, config);
    }

    @Override
    public TimeoutConfig configOf(Timeout timeout) {
      return timeout.config();
    }

    @Override
    public void reconfigure(Timeout timeout, TimeoutConfig config) {
      timeout.reconfigure(config);
    }

    @Override
    public Ticker tickerOf(TimeoutConfig config) {
      return config.ticker;
    }

    @Override
    public boolean keepsTicker() {
      return false;
    }

    @Override
    public long uses(Timeout timeout) {
      TimeoutMetrics counted = timeout.metrics();
      return counted.succeeded() + counted.failed() + counted.timedOut();
    }
  }
}

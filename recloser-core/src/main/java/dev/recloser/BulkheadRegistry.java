package dev.recloser;

import java.util.List;
import java.util.function.Consumer;

/**
 * Makes bulkheads by name and keeps them, up to a number.
 *
 * <pre>{@code
 * BulkheadRegistry registry =
 *     BulkheadRegistry.create(bulkheads -> bulkheads
 *         .defaultConfig(config -> config.maxConcurrentCalls(20))
 *         .config("wide", config -> config.maxConcurrentCalls(200))
 *         .bulkhead("pricing", config -> config.maxWaitDuration(Duration.ofMillis(50))));
 *
 * Bulkhead inventory = registry.bulkhead("inventory");
 * Bulkhead reports = registry.bulkhead("reports", "wide");
 * }</pre>
 *
 * <p>Only a bulkhead in which no call runs or waits makes room for another. What its adaptive limit
 * has learnt is forgotten with it.
 *
 * <p>Thread-safe. Asking for a bulkhead that exists takes no lock.
 */
public final class BulkheadRegistry extends PolicyRegistry<Bulkhead> {
  private static final Kind KIND = new Kind();

  private final NamedPolicies<Bulkhead, BulkheadConfig> bulkheads;

  private BulkheadRegistry(NamedPolicies<Bulkhead, BulkheadConfig> bulkheads) {
    super(bulkheads);
    this.bulkheads = bulkheads;
  }

  /** Makes a registry with the default settings. */
  public static BulkheadRegistry create() {
    return create(registry -> {});
  }

  /**
   * Makes a registry.
   *
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static BulkheadRegistry create(Consumer<? super Builder> settings) {
    return new BulkheadRegistry(new NamedPolicies<>(KIND, new Builder().with(settings)));
  }

  /**
   * Returns the bulkhead of a name. If there is none it is made, with the settings given for this
   * bulkhead or else the default configuration; one that exists is returned whatever its settings.
   *
   * @throws IllegalArgumentException when the name is blank
   * @throws IllegalStateException when the registry is full and no bulkhead is idle
   */
  public Bulkhead bulkhead(String name) {
    return bulkheads.get(name);
  }

  /**
   * Returns the bulkhead of a name, made from a named configuration if there is none.
   *
   * @throws IllegalArgumentException when there is no such configuration, or the name is blank
   * @throws IllegalStateException when the bulkhead exists with other settings; or when the
   *     registry is full and no bulkhead is idle
   */
  public Bulkhead bulkhead(String name, String configName) {
    return bulkheads.get(name, configName);
  }

  /**
   * Returns the bulkhead of a name, made from this configuration if there is none.
   *
   * @throws IllegalArgumentException when the name is blank
   * @throws IllegalStateException when the bulkhead was asked for with other settings before; or
   *     when the registry is full and no bulkhead is idle
   */
  public Bulkhead bulkhead(String name, BulkheadConfig config) {
    return bulkheads.get(name, config);
  }

  /**
   * Changes the settings of the registry, and with them the living bulkheads that were made from a
   * configuration that has changed, as {@link Bulkhead#reconfigure} does. Those that were asked for
   * with a configuration of their own stay as they are. All or nothing.
   *
   * @param changes sets what shall differ from the present settings; asked again if they change
   *     meanwhile
   * @return the bulkheads that were changed. An immutable copy
   * @throws InvalidConfigurationException when settings are wrong; lists them all, and changes
   *     nothing
   */
  public List<Bulkhead> reconfigure(Consumer<? super Builder> changes) {
    return bulkheads.reconfigure(present -> new Builder(present).with(changes));
  }

  /** Sets what a registry shall differ in from the defaults. Not thread-safe. */
  public static final class Builder
      extends PolicyRegistry.Builder<BulkheadConfig, BulkheadConfig.Builder, Builder> {
    private Builder() {
      super(KIND);
    }

    private Builder(RegistrySettings<BulkheadConfig> settings) {
      super(KIND, settings);
    }

    /** Sets the configuration of one bulkhead, for when it is asked for by its name alone. */
    public Builder bulkhead(String name, BulkheadConfig config) {
      return ofPolicy(name, config);
    }

    /**
     * Sets how one bulkhead differs from the default configuration set so far.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public Builder bulkhead(String name, Consumer<? super BulkheadConfig.Builder> settings) {
      return ofPolicy(name, settings);
    }

    @Override
    Builder self() {
      return this;
    }
  }

  private static final class Kind
      implements PolicyKind<Bulkhead, BulkheadConfig, BulkheadConfig.Builder> {
    private static final Words WORDS = new Words("bulkhead", "bulkheads", "empty and idle");

    @Override
    public Words words() {
      return WORDS;
    }

    @Override
    public BulkheadConfig defaults() {
      return BulkheadConfig.defaults();
    }

    @Override
    public BulkheadConfig with(
        BulkheadConfig config, Consumer<? super BulkheadConfig.Builder> changes) {
      return config.with(changes);
    }

    @Override
    public Bulkhead create(String name, BulkheadConfig config) {
      return Bulkhead.create(name, config);
    }

    @Override
    public BulkheadConfig configOf(Bulkhead bulkhead) {
      return bulkhead.config();
    }

    @Override
    public void reconfigure(Bulkhead bulkhead, BulkheadConfig config) {
      bulkhead.reconfigure(config);
    }

    @Override
    public Ticker tickerOf(BulkheadConfig config) {
      return config.ticker;
    }

    @Override
    public boolean keepsTicker() {
      return false;
    }

    @Override
    public long uses(Bulkhead bulkhead) {
      BulkheadMetrics counted = bulkhead.metrics();
      return counted.admitted() + counted.refused() + counted.cancelled();
    }

    @Override
    public boolean isAtRest(Bulkhead bulkhead) {
      BulkheadMetrics now = bulkhead.metrics();
      return now.running() == 0 && now.waiting() == 0;
    }
  }
}

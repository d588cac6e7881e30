package dev.recloser;

import java.util.List;
import java.util.function.Consumer;

/**
 * Makes hedges by name and keeps them, up to a number.
 *
 * <pre>{@code
 * HedgeRegistry registry =
 *     HedgeRegistry.create(hedges -> hedges
 *         .defaultConfig(config -> config.idempotent(true).delayPercentile(95))
 *         .config("slow", config -> config.delay(Duration.ofSeconds(2)))
 *         .hedge("pricing", config -> config.delay(Duration.ofMillis(20))));
 *
 * Hedge inventory = registry.hedge("inventory");
 * Hedge reports = registry.hedge("reports", "slow");
 * }</pre>
 *
 * <p>Only a hedge that has the whole of its own budget makes room for another. A call counts as one
 * when it is made again and when it ends. The default configuration must be set, or each hedge be
 * asked for with one: none is made of calls that were not declared idempotent.
 *
 * <p>Thread-safe. Asking for a hedge that exists takes no lock.
 */
public final class HedgeRegistry extends PolicyRegistry<Hedge> {
  private static final Kind KIND = new Kind();

  private final NamedPolicies<Hedge, HedgeConfig> hedges;

  private HedgeRegistry(NamedPolicies<Hedge, HedgeConfig> hedges) {
    super(hedges);
    this.hedges = hedges;
  }

  /** Makes a registry with the default settings. */
  public static HedgeRegistry create() {
    return create(registry -> {});
  }

  /**
   * Makes a registry.
   *
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static HedgeRegistry create(Consumer<? super Builder> settings) {
    return new HedgeRegistry(new NamedPolicies<>(KIND, new Builder().with(settings)));
  }

  /**
   * Returns the hedge of a name. If there is none it is made, with the settings given for this
   * hedge or else the default configuration; one that exists is returned whatever its settings.
   *
   * @throws IllegalArgumentException when the name is blank
   * @throws IllegalStateException when the registry is full and no hedge is idle
   */
  public Hedge hedge(String name) {
    return hedges.get(name);
  }

  /**
   * Returns the hedge of a name, made from a named configuration if there is none.
   *
   * @throws IllegalArgumentException when there is no such configuration, or the name is blank
   * @throws IllegalStateException when the hedge exists with other settings; or when the registry
   *     is full and no hedge is idle
   */
  public Hedge hedge(String name, String configName) {
    return hedges.get(name, configName);
  }

  /**
   * Returns the hedge of a name, made from this configuration if there is none.
   *
   * @throws IllegalArgumentException when the name is blank
   * @throws IllegalStateException when the hedge was asked for with other settings before; or when
   *     the registry is full and no hedge is idle
   */
  public Hedge hedge(String name, HedgeConfig config) {
    return hedges.get(name, config);
  }

  /**
   * Changes the settings of the registry, and with them the living hedges that were made from a
   * configuration that has changed, as {@link Hedge#reconfigure} does. Those that were asked for
   * with a configuration of their own stay as they are. All or nothing.
   *
   * @param changes sets what shall differ from the present settings; asked again if they change
   *     meanwhile
   * @return the hedges that were changed. An immutable copy
   * @throws InvalidConfigurationException when settings are wrong, or the ticker is another one;
   *     lists them all, and changes nothing
   */
  public List<Hedge> reconfigure(Consumer<? super Builder> changes) {
    return hedges.reconfigure(present -> new Builder(present).with(changes));
  }

  /** Sets what a registry shall differ in from the defaults. Not thread-safe. */
  public static final class Builder
      extends PolicyRegistry.Builder<HedgeConfig, HedgeConfig.Builder, Builder> {
    private Builder() {
      super(KIND);
    }

    private Builder(RegistrySettings<HedgeConfig> settings) {
      super(KIND, settings);
    }

    /** Sets the configuration of one hedge, for when it is asked for by its name alone. */
    public Builder hedge(String name, HedgeConfig config) {
      return ofPolicy(name, config);
    }

    /**
     * Sets how one hedge differs from the default configuration set so far.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public Builder hedge(String name, Consumer<? super HedgeConfig.Builder> settings) {
      return ofPolicy(name, settings);
    }

    @Override
    Builder self() {
      return this;
    }
  }

  private static final class Kind implements PolicyKind<Hedge, HedgeConfig, HedgeConfig.Builder> {
    private static final Words WORDS = new Words("hedge", "hedges", "idle");

    @Override
    public Words words() {
      return WORDS;
    }

    @Override
    public HedgeConfig defaults() {
      return HedgeConfig.defaults();
    }

    @Override
    public HedgeConfig with(HedgeConfig config, Consumer<? super HedgeConfig.Builder> changes) {
      return config.with(changes);
    }

    @Override
    public Hedge create(String name, HedgeConfig config) {
      return Hedge.create(name, config);
    }

    @Override
    public HedgeConfig configOf(Hedge hedge) {
      return hedge.config();
    }

    @Override
    public void reconfigure(Hedge hedge, HedgeConfig config) {
      hedge.reconfigure(config);
    }

    @Override
    public Ticker tickerOf(HedgeConfig config) {
      return config.ticker;
    }

    @Override
    public boolean keepsTicker() {
      return true;
    }

    @Override
    public long uses(Hedge hedge) {
      HedgeMetrics counted = hedge.metrics();
      return counted.calls() + counted.hedges();
    }

    @Override
    public boolean isAtRest(Hedge hedge) {
      return hedge.hasWholeBudget();
    }
  }
}

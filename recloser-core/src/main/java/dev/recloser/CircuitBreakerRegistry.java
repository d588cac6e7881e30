package dev.recloser;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
 * <p>When a new breaker would exceed the number, the breaker that has been idle longest makes room:
 * it is closed, has no call in flight, and has neither been asked for nor made a call for the idle
 * time. If there is none, the new breaker is not made, and that is an exception: a call is
 * protected or visibly not.
 *
 * <p>Thread-safe. Asking for a breaker that exists takes no lock.
 */
public final class CircuitBreakerRegistry {
  /** Default of {@code maxSize}: {@value}. */
  public static final int DEFAULT_MAX_SIZE = 10_000;

  /** Default of {@code idleTime}: 10 min. */
  public static final Duration DEFAULT_IDLE_TIME = Duration.ofMinutes(10);

  /** Written under the lock; read once for each look. */
  private volatile Settings settings;

  private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
  private final News news = new News();
  private final List<Consumer<? super CircuitBreaker>> addedListeners =
      new CopyOnWriteArrayList<>();
  private final List<Consumer<? super CircuitBreaker>> removedListeners =
      new CopyOnWriteArrayList<>();

  private CircuitBreakerRegistry(Builder builder) {
    settings = builder.build();
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
    Builder builder = new Builder();
    settings.accept(builder);
    return new CircuitBreakerRegistry(builder);
  }

  /**
   * Returns the breaker of a name. If there is none it is made, with the settings given for this
   * breaker or else the default configuration; one that exists is returned whatever its settings.
   *
   * @throws IllegalStateException when the registry is full and no breaker is idle
   */
  public CircuitBreaker circuitBreaker(String name) {
    Entry entry = entries.get(Objects.requireNonNull(name, "name"));
    if (entry == null) {
      entry = add(name, Origin.OF_NAME, null);
    }
    return entry.touched();
  }

  /**
   * Returns the breaker of a name, made from a named configuration if there is none.
   *
   * @throws IllegalArgumentException when there is no such configuration
   * @throws IllegalStateException when the breaker exists with other settings; or when the registry
   *     is full and no breaker is idle
   */
  public CircuitBreaker circuitBreaker(String name, String configName) {
    Objects.requireNonNull(configName, "configName");
    settings.named(configName);
    Entry entry = entries.get(Objects.requireNonNull(name, "name"));
    if (entry == null) {
      entry = add(name, new Origin(false, configName), null);
    }
    if (!configName.equals(entry.origin.configName())) {
      checkSame(entry, settings.named(configName));
    }
    return entry.touched();
  }

  /**
   * Returns the breaker of a name, made from this configuration if there is none.
   *
   * @throws IllegalStateException when the breaker was asked for with other settings before; or
   *     when the registry is full and no breaker is idle
   */
  public CircuitBreaker circuitBreaker(String name, CircuitBreakerConfig config) {
    Objects.requireNonNull(config, "config");
    Entry entry = entries.get(Objects.requireNonNull(name, "name"));
    if (entry == null) {
      entry = add(name, Origin.OWN, config);
    }
    checkSame(entry, config);
    return entry.touched();
  }

  /**
   * Changes the settings of the registry, and with them the living breakers that were made from a
   * configuration that has changed, as {@link CircuitBreaker#reconfigure} does. Breakers that were
   * asked for with a configuration of their own stay as they are. All or nothing.
   *
   * @param changes sets what shall differ from the present settings; asked again if they change
   *     meanwhile
   * @return the breakers that were changed. An immutable copy
   * @throws InvalidConfigurationException when settings are wrong, or a breaker's new configuration
   *     has another ticker; lists them all, and changes nothing
   */
  public List<CircuitBreaker> reconfigure(Consumer<? super Builder> changes) {
    List<Entry> changed;
    for (; ; ) {
      Settings before = settings;
      Builder builder = new Builder(before);
      changes.accept(builder);
      Settings after = builder.build();
      synchronized (this) {
        if (settings == before) {
          changed = changed(before, after);
          checkTickers(changed, after);
          settings = after;
          break;
        }
      }
    }
    changed.forEach(this::bringUpToDate);
    return changed.stream().map(entry -> entry.breaker).toList();
  }

  /** Returns the breaker of a name if there is one. Does not count as asking for it. */
  public Optional<CircuitBreaker> find(String name) {
    return Optional.ofNullable(entries.get(Objects.requireNonNull(name, "name")))
        .map(entry -> entry.breaker);
  }

  /** The breakers there are now, in no particular order. An immutable copy. */
  public Collection<CircuitBreaker> all() {
    return entries.values().stream().map(entry -> entry.breaker).toList();
  }

  /**
   * Removes a breaker. Whoever holds it can go on using it; asking for the name makes a new one.
   *
   * @return whether there was one
   */
  public boolean remove(String name) {
    Objects.requireNonNull(name, "name");
    synchronized (this) {
      Entry entry = entries.remove(name);
      if (entry == null) {
        return false;
      }
      tellRemoved(entry);
    }
    news.deliver();
    return true;
  }

  /**
   * Registers a listener for breakers that are made. It runs on the thread that made the breaker,
   * before that thread gets it or on one that delivers news already, and may use the registry. What
   * it throws is logged.
   *
   * @return unregisters it
   */
  public Cancellable onAdded(Consumer<? super CircuitBreaker> listener) {
    return register(addedListeners, listener);
  }

  /**
   * Registers a listener for breakers that are removed or evicted. What it throws is logged.
   *
   * @return unregisters it
   */
  public Cancellable onRemoved(Consumer<? super CircuitBreaker> listener) {
    return register(removedListeners, listener);
  }

  private static void checkSame(Entry entry, CircuitBreakerConfig config) {
    if (!entry.config.equals(config) && !entry.breaker.config().equals(config)) {
      throw new IllegalStateException(
          "circuit breaker \""
              + entry.breaker.name()
              + "\" exists with other settings: "
              + differences(entry.breaker.config(), config)
              + " (expected: the same settings, another name, or reconfigure)");
    }
  }

  private Entry add(String name, Origin origin, @Nullable CircuitBreakerConfig own) {
    Entry added = null;
    Entry present;
    // No user code runs in here: a configuration is made already, and listeners are told below.
    synchronized (this) {
      present = entries.get(name);
      if (present == null) {
        CircuitBreakerConfig config = own == null ? settings.configOf(origin, name) : own;
        added = new Entry(CircuitBreaker.create(name, config), config, origin);
        if (entries.size() >= settings.maxSize) {
          tellRemoved(evictIdlest());
        }
        present = added;
        entries.put(name, added);
        tellAdded(added);
      }
    }
    if (added != null) {
      news.deliver();
    }
    return present;
  }

  private Entry evictIdlest() {
    Entry idlest = null;
    long longest = -1;
    long idleNanos = settings.idleNanos;
    for (Entry entry : entries.values()) {
      long idle = entry.idleNanos();
      if (idle >= idleNanos && idle > longest) {
        longest = idle;
        idlest = entry;
      }
    }
    if (idlest == null) {
      throw new IllegalStateException(
          "the registry holds "
              + entries.size()
              + " breakers and none has been closed and idle for "
              + Text.ofNanos(idleNanos)
              + " (expected: a higher maxSize, a shorter idleTime, or fewer names)");
    }
    entries.remove(idlest.breaker.name(), idlest);
    return idlest;
  }

  private static Cancellable register(
      List<Consumer<? super CircuitBreaker>> listeners, Consumer<? super CircuitBreaker> listener) {
    Objects.requireNonNull(listener, "listener");
    Consumer<CircuitBreaker> registered = listener::accept; // A new identity for each registration.
    listeners.add(registered);
    return () -> listeners.remove(registered);
  }

  private void tellAdded(Entry entry) {
    news.add(() -> tell(addedListeners, entry.breaker));
  }

  private void tellRemoved(Entry entry) {
    news.add(() -> tell(removedListeners, entry.breaker));
  }

  private static void tell(
      List<Consumer<? super CircuitBreaker>> listeners, CircuitBreaker breaker) {
    for (Consumer<? super CircuitBreaker> listener : listeners) {
      try {
        listener.accept(breaker);
      } catch (Throwable e) {
        Listeners.log("A registry listener threw at " + breaker.name(), e);
      }
    }
  }

  private List<Entry> changed(Settings before, Settings after) {
    return entries.values().stream()
        .filter(entry -> after.configOf(entry) != null)
        .filter(entry -> !Objects.equals(before.configOf(entry), after.configOf(entry)))
        .toList();
  }

  private static void checkTickers(List<Entry> changed, Settings after) {
    List<InvalidConfigurationException.Fault> faults =
        changed.stream()
            .filter(entry -> !after.ticksLike(entry))
            .map(
                entry ->
                    new InvalidConfigurationException.Fault(
                        "ticker of " + entry.breaker.name(),
                        "another one",
                        "the one it was made with"))
            .toList();
    if (!faults.isEmpty()) {
      throw new InvalidConfigurationException("A circuit breaker registry", faults);
    }
  }

  /** Under no lock, for listeners run in here; so whoever was overtaken has another look. */
  private void bringUpToDate(Entry entry) {
    Settings applied;
    do {
      applied = settings;
      CircuitBreakerConfig config = applied.configOf(entry);
      if (config != null) {
        entry.breaker.reconfigure(config);
      }
    } while (settings != applied);
  }

  private static String names(Map<String, ?> map) {
    return map.isEmpty() ? "none, there are no named ones" : "one of " + sorted(map);
  }

  private static List<String> sorted(Map<String, ?> map) {
    return map.keySet().stream().sorted().toList();
  }

  private static String differences(CircuitBreakerConfig present, CircuitBreakerConfig asked) {
    Map<String, Object> old = present.settings();
    Map<String, Object> wanted = asked.settings();
    Map<String, Object> all = new LinkedHashMap<>(old);
    all.putAll(wanted);
    List<String> different = new ArrayList<>();
    for (String setting : all.keySet()) {
      if (!Objects.equals(old.get(setting), wanted.get(setting))) {
        different.add(
            setting
                + " is "
                + PolicyConfig.shown(old.get(setting))
                + ", not "
                + PolicyConfig.shown(wanted.get(setting)));
      }
    }
    return String.join("; ", different);
  }

  /**
   * Where a breaker's configuration comes from.
   *
   * @param own whether whoever asked for the breaker brought it along
   * @param configName the named configuration; null for what is set for the breaker's name
   */
  private record Origin(boolean own, @Nullable String configName) {
    static final Origin OF_NAME = new Origin(false, null);
    static final Origin OWN = new Origin(true, null);
  }

  /** All settings at one time. */
  private static final class Settings {
    final CircuitBreakerConfig defaultConfig;
    final Map<String, CircuitBreakerConfig> configs;
    final Map<String, CircuitBreakerConfig> breakers;
    final int maxSize;
    final long idleNanos;

    Settings(Builder builder) {
      defaultConfig = builder.defaultConfig;
      configs = Map.copyOf(builder.configs);
      breakers = Map.copyOf(builder.breakers);
      maxSize = builder.maxSize;
      idleNanos = builder.idleTime.toNanos();
    }

    CircuitBreakerConfig named(String configName) {
      CircuitBreakerConfig config = configs.get(configName);
      if (config == null) {
        throw new IllegalArgumentException(
            "configName: \"" + configName + "\" (expected: " + names(configs) + ")");
      }
      return config;
    }

    CircuitBreakerConfig configOf(Origin origin, String name) {
      return origin.configName() == null
          ? breakers.getOrDefault(name, defaultConfig)
          : named(origin.configName());
    }

    boolean ticksLike(Entry entry) {
      CircuitBreakerConfig config = configOf(entry);
      return config == null || config.ticker == entry.breaker.ticker();
    }

    /** What a breaker should have; null if that is not for the registry to say. */
    @Nullable CircuitBreakerConfig configOf(Entry entry) {
      if (entry.origin.own()) {
        return null;
      }
      return entry.origin.configName() == null
          ? breakers.getOrDefault(entry.breaker.name(), defaultConfig)
          : configs.get(entry.origin.configName());
    }
  }

  /** A breaker, the configuration it was first asked for with, and when it was last of use. */
  private static final class Entry {
    final CircuitBreaker breaker;
    final CircuitBreakerConfig config;
    final Origin origin;

    /** Written without order: a reading that is a little old makes no difference. */
    private volatile long lastUse;

    private long admittedAtLastLook;

    Entry(CircuitBreaker breaker, CircuitBreakerConfig config, Origin origin) {
      this.breaker = breaker;
      this.config = config;
      this.origin = origin;
      lastUse = breaker.ticker().nanoTime();
    }

    CircuitBreaker touched() {
      lastUse = breaker.ticker().nanoTime();
      return breaker;
    }

    /**
     * How long it has not been of use, -1 if it is now; under the registry's lock. A breaker that
     * does not time its calls says only whether there have been any since it was last looked at; if
     * so, they are taken for recent.
     */
    long idleNanos() {
      long now = breaker.ticker().nanoTime();
      long admitted = breaker.counters().admittedCalls();
      boolean usedSince = admitted != admittedAtLastLook;
      admittedAtLastLook = admitted;
      boolean timed = breaker.config().timeBased || breaker.config().slowCallNanos > 0;
      if (usedSince && !timed) {
        lastUse = now;
      }
      Long restingSince = breaker.atRestSince();
      return restingSince == null ? -1 : Math.max(0, Math.min(now - lastUse, now - restingSince));
    }
  }

  /** Sets what a registry shall differ in from the defaults. Not thread-safe. */
  public static final class Builder {
    private CircuitBreakerConfig defaultConfig = CircuitBreakerConfig.defaults();
    private final Map<String, CircuitBreakerConfig> configs = new HashMap<>();
    private final Map<String, CircuitBreakerConfig> breakers = new HashMap<>();
    private int maxSize = DEFAULT_MAX_SIZE;
    private Duration idleTime = DEFAULT_IDLE_TIME;

    private Builder() {}

    private Builder(Settings settings) {
      defaultConfig = settings.defaultConfig;
      configs.putAll(settings.configs);
      breakers.putAll(settings.breakers);
      maxSize = settings.maxSize;
      idleTime = Duration.ofNanos(settings.idleNanos);
    }

    /** Sets the configuration of breakers for which no other is named. Default: the defaults. */
    public Builder defaultConfig(CircuitBreakerConfig config) {
      defaultConfig = Objects.requireNonNull(config, "defaultConfig");
      return this;
    }

    /**
     * Sets the configuration of breakers for which no other is named.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public Builder defaultConfig(Consumer<? super CircuitBreakerConfig.Builder> settings) {
      return defaultConfig(CircuitBreakerConfig.of(settings));
    }

    /** Names a configuration that breakers can be asked for with. Default: none. */
    public Builder config(String name, CircuitBreakerConfig config) {
      configs.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(config, "config"));
      return this;
    }

    /**
     * Names a configuration that differs from the default configuration set so far.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public Builder config(String name, Consumer<? super CircuitBreakerConfig.Builder> settings) {
      return config(name, defaultConfig.with(settings));
    }

    /** Forgets all named configurations, and those of single breakers; the default stays. */
    public Builder withoutConfigs() {
      configs.clear();
      breakers.clear();
      return this;
    }

    /** Sets the configuration of one breaker, for when it is asked for by its name alone. */
    public Builder breaker(String name, CircuitBreakerConfig config) {
      breakers.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(config, "config"));
      return this;
    }

    /**
     * Sets how one breaker differs from the default configuration set so far.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public Builder breaker(String name, Consumer<? super CircuitBreakerConfig.Builder> settings) {
      return breaker(name, defaultConfig.with(settings));
    }

    /**
     * Sets how many breakers there may be. Default: {@value #DEFAULT_MAX_SIZE}.
     *
     * @param size at least 1
     */
    public Builder maxSize(int size) {
      maxSize = size;
      return this;
    }

    /**
     * Sets how long a closed breaker must not have been used to make room for another. Default: 10
     * min.
     *
     * @param time zero or more
     */
    public Builder idleTime(Duration time) {
      idleTime = Objects.requireNonNull(time, "idleTime");
      return this;
    }

    private Settings build() {
      Faults faults = new Faults();
      faults.check(maxSize >= 1, "maxSize", maxSize, "at least 1");
      faults.checkDuration("idleTime", idleTime, Duration.ZERO);
      faults.throwIfAny("A circuit breaker registry");
      return new Settings(this);
    }
  }
}

package dev.recloser;

import dev.recloser.RegistryEntry.Origin;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The policies of a registry by their names: made when asked for, up to a number, and kept up to
 * date with the settings they were made from. The lock is for changes; whoever asks for a policy
 * that exists takes none.
 */
final class NamedPolicies<P extends Policy, C extends PolicyConfig> {
  final RegistryNews<P> news = new RegistryNews<>();
  private final PolicyKind<P, C, ?> kind;
  private final ConcurrentHashMap<String, RegistryEntry<P, C>> entries = new ConcurrentHashMap<>();

  /** Written under the lock; read once for each look. */
  private volatile RegistrySettings<C> settings;

  NamedPolicies(PolicyKind<P, C, ?> kind, RegistrySettings<C> settings) {
    this.kind = kind;
    this.settings = settings;
  }

  P get(String name) {
    RegistryEntry<P, C> entry = entryOf(name);
    if (entry == null) {
      entry = add(name, Origin.OF_NAME, null);
    }
    return entry.touched();
  }

  P get(String name, String configName) {
    Objects.requireNonNull(configName, "configName");
    settings.named(configName);
    RegistryEntry<P, C> entry = entryOf(name);
    if (entry == null) {
      entry = add(name, new Origin(false, configName), null);
    }
    if (!configName.equals(entry.origin.configName())) {
      entry.checkSame(settings.named(configName));
    }
    return entry.touched();
  }

  P get(String name, C config) {
    Objects.requireNonNull(config, "config");
    RegistryEntry<P, C> entry = entryOf(name);
    if (entry == null) {
      entry = add(name, Origin.OWN, config);
    }
    entry.checkSame(config);
    return entry.touched();
  }

  Optional<P> find(String name) {
    return Optional.ofNullable(entryOf(name)).map(entry -> entry.policy);
  }

  List<P> all() {
    return entries.values().stream().map(entry -> entry.policy).toList();
  }

  Cancellable follow(Function<? super P, ? extends Cancellable> start) {
    Following<P> following = new Following<>(start);
    Cancellable end;
    synchronized (this) {
      end = news.follow(following, all());
    }
    news.deliver();
    return end;
  }

  boolean remove(String name) {
    Objects.requireNonNull(name, "name");
    synchronized (this) {
      RegistryEntry<P, C> entry = entries.remove(name);
      if (entry == null) {
        return false;
      }
      news.removed(entry.policy);
    }
    news.deliver();
    return true;
  }

  /**
   * Changes the settings, and then the policies that they concern.
   *
   * @param change makes new settings of the present ones; asked again if those change meanwhile
   * @return the policies that were changed
   */
  List<P> reconfigure(UnaryOperator<RegistrySettings<C>> change) {
    for (; ; ) {
      RegistrySettings<C> before = settings;
      List<RegistryEntry<P, C>> changed = replace(before, change.apply(before));
      if (changed != null) {
        changed.forEach(this::bringUpToDate);
        return changed.stream().map(entry -> entry.policy).toList();
      }
    }
  }

  private @Nullable RegistryEntry<P, C> entryOf(String name) {
    return entries.get(Objects.requireNonNull(name, "name"));
  }

  private RegistryEntry<P, C> add(String name, Origin origin, @Nullable C own) {
    RegistryEntry<P, C> entry;
    // No user code but the ticker runs in here: a configuration is made already, and listeners are
    // told below.
    synchronized (this) {
      RegistryEntry<P, C> present = entries.get(name);
      if (present != null) {
        return present;
      }
      C config = own == null ? settings.configOf(origin, name) : own;
      entry = new RegistryEntry<>(kind, name, config, origin);
      if (entries.size() >= settings.maxSize()) {
        makeRoom();
      }
      entries.put(name, entry);
      news.added(entry.policy);
    }
    news.deliver();
    return entry;
  }

  private void makeRoom() {
    RegistryEntry<P, C> idlest = null;
    long longest = -1;
    long idleNanos = settings.idleNanos();
    for (RegistryEntry<P, C> entry : entries.values()) {
      long idle = entry.idleNanos();
      if (idle >= idleNanos && idle > longest) {
        longest = idle;
        idlest = entry;
      }
    }
    if (idlest == null) {
      throw full(idleNanos);
    }
    entries.remove(idlest.policy.name());
    news.removed(idlest.policy);
  }

  private IllegalStateException full(long idleNanos) {
    PolicyKind.Words words = kind.words();
    return new IllegalStateException(
        "the registry holds "
            + entries.size()
            + " "
            + words.many()
            + " and none has been "
            + words.idle()
            + " for "
            + Text.ofNanos(idleNanos)
            + " (expected: a higher maxSize, a shorter idleTime, or fewer names)");
  }

  /** Puts new settings in place of others and tells whom they concern; null if they are gone. */
  @SuppressWarnings("ReferenceEquality") // Are they still those that the new ones were made from?
  private synchronized @Nullable List<RegistryEntry<P, C>> replace(
      RegistrySettings<C> before, RegistrySettings<C> after) {
    if (settings != before) {
      return null;
    }
    List<RegistryEntry<P, C>> changed =
        entries.values().stream()
            .filter(entry -> after.configOf(entry) != null)
            .filter(entry -> !Objects.equals(before.configOf(entry), after.configOf(entry)))
            .toList();
    checkTickers(changed, after);
    settings = after;
    return changed;
  }

  private void checkTickers(List<RegistryEntry<P, C>> changed, RegistrySettings<C> after) {
    Faults faults = new Faults();
    for (RegistryEntry<P, C> entry : changed) {
      C config = after.configOf(entry);
      faults.check(
          config == null || entry.canHave(config),
          "ticker of " + entry.policy.name(),
          "another one",
          "the one it was made with");
    }
    faults.throwIfAny("A " + kind.words().one() + " registry");
  }

  /**
   * Under no lock, for listeners run in here; so whoever was overtaken has another look. What it
   * looks for is another configuration, not other settings: a listener that changes the registry in
   * turn would be answered for ever.
   */
  private void bringUpToDate(RegistryEntry<P, C> entry) {
    @Nullable C applied = null;
    C config = settings.configOf(entry);
    while (config != null && !config.equals(applied)) {
      kind.reconfigure(entry.policy, config);
      applied = config;
      config = settings.configOf(entry);
    }
  }
}

package dev.recloser;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A policy, the configuration it was first asked for with, and when it was last of use. */
final class RegistryEntry<P extends Policy, C extends PolicyConfig> {
  final P policy;
  final C config;
  final Origin origin;
  private final PolicyKind<P, C, ?> kind;

  /** The one it was made with, though the policy may get another: only its differences count. */
  private final Ticker ticker;

  /** Written without order: a reading that is a little old makes no difference. */
  private volatile long lastUse;

  private long usesAtLastLook;

  /**
   * Where a policy's configuration comes from.
   *
   * @param own whether whoever asked for the policy brought it along
   * @param configName the named configuration; null for what is set for the policy's name
   */
  record Origin(boolean own, @Nullable String configName) {
    static final Origin OF_NAME = new Origin(false, null);
    static final Origin OWN = new Origin(true, null);
  }

  RegistryEntry(PolicyKind<P, C, ?> kind, String name, C config, Origin origin) {
    this.kind = kind;
    this.config = config;
    this.origin = origin;
    policy = kind.create(name, config);
    ticker = kind.tickerOf(config);
    lastUse = ticker.nanoTime();
    usesAtLastLook = kind.uses(policy);
  }

  P touched() {
    lastUse = ticker.nanoTime();
    return policy;
  }

  /**
   * How long it has not been of use, negative if it is now; under the registry's lock. Policies
   * that do not time their calls say only whether there have been any since they were last looked
   * at; if so, those are taken for recent. They are asked last, so that none is missed that has
   * disturbed the rest.
   */
  long idleNanos() {
    long now = ticker.nanoTime();
    long resting = kind.restingNanos(policy, now);
    long uses = kind.uses(policy);
    if (uses != usesAtLastLook) {
      usesAtLastLook = uses;
      lastUse = now;
    }
    return resting < 0 ? -1 : Math.min(resting, Math.max(0, now - lastUse));
  }

  /** Whether its policy can live on with a configuration. */
  boolean canHave(C next) {
    return !kind.keepsTicker() || kind.tickerOf(next) == kind.tickerOf(kind.configOf(policy));
  }

  /**
   * Asking with the configuration it was made from is right, and so is asking with the present one.
   *
   * @throws IllegalStateException when it has other settings
   */
  void checkSame(C asked) {
    C present = kind.configOf(policy);
    if (!config.equals(asked) && !present.equals(asked)) {
      throw new IllegalStateException(
          kind.words().one()
              + " \""
              + policy.name()
              + "\" exists with other settings: "
              + differences(present.settings(), asked.settings())
              + " (expected: the same settings, another name, or reconfigure)");
    }
  }

  private static String differences(Map<String, Object> present, Map<String, Object> asked) {
    Map<String, Object> all = new LinkedHashMap<>(present);
    all.putAll(asked);
    List<String> different = new ArrayList<>();
    for (String setting : all.keySet()) {
      Object is = present.get(setting);
      Object wanted = asked.get(setting);
      if (!Objects.equals(is, wanted)) {
        different.add(
            setting + " is " + PolicyConfig.shown(is) + ", not " + PolicyConfig.shown(wanted));
      }
    }
    return String.join("; ", different);
  }
}

package dev.recloser.config;

import dev.recloser.Policy;
import org.jspecify.annotations.Nullable;

/**
 * A policy, and how it shall be.
 *
 * @param config what it shall have
 */
record LivingPolicy<C, P extends Policy>(PolicyRef<C> ref, Maker<C, P> maker, P policy, C config) {

  /** A new policy. */
  static <C, P extends Policy> LivingPolicy<C, P> of(
      PolicyRef<C> ref, Maker<C, P> maker, C config) {
    return new LivingPolicy<>(ref, maker, maker.create().apply(ref.name(), config), config);
  }

  /** The same policy, to be as these configurations have it, or as it is if they do not. */
  LivingPolicy<C, P> with(PolicyConfigs configs) {
    C after = configs.named(ref.kind()).instances().get(ref.name());
    return after == null
        ? this
        : new LivingPolicy<>(ref, maker, policy, maker.adopt().apply(config, after));
  }

  void tell() {
    maker.reconfigure().accept(policy, config);
  }

  /** What it reads the time from, null if it does not. */
  @Nullable Object ticker() {
    return maker.settings().apply(config).get("ticker");
  }
}

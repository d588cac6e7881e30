package dev.recloser;

import org.jspecify.annotations.Nullable;

/** The way that calls take: made once for many of them, so that each has less to carry. */
final class Route {
  /** Outermost first. Never changed. */
  final Policy[] policies;

  /** What goes with the calls to other threads; null stands for what goes with every call. */
  final @Nullable Contexts contexts;

  Route(Policy[] policies, @Nullable Contexts contexts) {
    this.policies = policies;
    this.contexts = contexts;
  }
}

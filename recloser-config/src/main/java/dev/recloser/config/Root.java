package dev.recloser.config;

import org.jspecify.annotations.Nullable;

/** What policies stand under, which is also for whom they were written. */
enum Root {
  /** Ours: every key means something, or is a mistake. */
  RECLOSER,

  /** Resilience4j's, which ignores keys that it does not know, so that they are only noted here. */
  RESILIENCE4J;

  /** The root of this spelling; null if it is none. */
  static @Nullable Root of(String spelled) {
    String canonical = KeyPath.canonical(spelled);
    for (Root root : values()) {
      if (KeyPath.canonical(root.name()).equals(canonical)) {
        return root;
      }
    }
    return null;
  }
}

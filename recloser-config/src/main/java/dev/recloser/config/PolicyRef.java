package dev.recloser.config;

/** A policy by its kind and name. */
record PolicyRef<C>(PolicyKind<?, C> kind, String name) {
  /** For messages: {@code circuitbreaker inventory}. */
  @Override
  public String toString() {
    return kind + " " + name;
  }
}

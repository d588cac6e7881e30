package dev.recloser.config;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A policy as it is written, and what came of it.
 *
 * @param name empty where a file is one block
 * @param path before its keys: empty or with a dot at the end
 * @param place of its block
 * @param given the settings that it gives or inherits, by name
 * @param own the names of those that its block gives itself
 */
record Subject<C>(
    PolicyKind<?, C> kind,
    String name,
    String path,
    Place place,
    Map<String, ? extends Given<?, ?>> given,
    Set<String> own,
    C config) {

  /** Where its block stands. */
  String pathOfBlock() {
    return path.isEmpty() ? path : path.substring(0, path.length() - 1);
  }

  boolean gives(String setting) {
    return given.containsKey(setting);
  }

  /** Where a setting is given, else where the policy is. */
  Place placeOf(String setting) {
    Given<?, ?> present = given.get(setting);
    return present == null ? place : present.place();
  }

  /** A setting as it was spelled, with its path. */
  String keyOf(String setting) {
    Given<?, ?> present = given.get(setting);
    return present == null ? path + setting : present.key();
  }

  /** As it was written; null if it was not. */
  @Nullable String shown(String setting) {
    Given<?, ?> present = given.get(setting);
    return present == null ? null : present.shown();
  }
}

package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * The key of a call that gives no answer: that it went well once says nothing of another time, so
 * there is nothing to keep for later.
 *
 * @param scope the key of the caller's own
 */
record CommandKey(@Nullable Object scope) {
  /** Whether a call with this key gives no answer. */
  static boolean isOne(Object key) {
    return key instanceof CommandKey || (key instanceof MethodKey method && method.isCommand());
  }
}

package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * A call for which a fallback looks for an answer.
 *
 * @param thrown what it threw, without wrappers
 * @param key the key that it was made with, if any
 * @param staged whether it was made with a stage
 * @param lastGood the last good answer with its age, if one is kept
 */
record FailedCall<T extends @Nullable Object>(
    Throwable thrown, @Nullable Object key, boolean staged, @Nullable Answer<T> lastGood) {
  /** The key as the caller gave it; null if it gave none. */
  @Nullable Object callersKey() {
    if (key instanceof CommandKey command) {
      return command.scope();
    }
    return key instanceof MethodKey call ? call.scope() : key;
  }
}

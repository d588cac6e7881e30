package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * A call for which a fallback looks for an answer.
 *
 * @param thrown what it threw, without wrappers
 * @param staged whether it was made with a stage
 * @param lastGood the last good answer with its age, if one is kept
 */
record FailedCall<T extends @Nullable Object>(
    Throwable thrown, boolean staged, @Nullable Answer<T> lastGood) {
  boolean isRefused() {
    return thrown instanceof CallRejectedException;
  }
}

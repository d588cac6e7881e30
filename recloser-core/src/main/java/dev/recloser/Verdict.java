package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * What the evidence says.
 *
 * @param late whether the evidence had passed already
 * @param at when it was found; 0 if no threshold has been reached
 * @param cause the threshold that has been reached; null for none
 * @param findings what was known then; null for none
 */
record Verdict(
    boolean late, long at, @Nullable TransitionCause cause, @Nullable Findings findings) {
  /** No threshold is reached. */
  static final Verdict NONE = new Verdict(false, 0, null, null);

  /** The evidence had passed already. */
  static final Verdict LATE = new Verdict(true, 0, null, null);
}

package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * The measuring of one call for the limit it began under; a limit that has been replaced since then
 * makes nothing of it.
 *
 * @param lastChange the limit's last change when the call began; null if there was none
 * @param startedAt the ticker's reading then
 */
record Measurement(AdaptiveLimit limit, @Nullable LimitChange lastChange, long startedAt) {
  /** Takes the end of the call, while it still holds its slot. Never throws. */
  @Nullable LimitChange end(@Nullable Object result, @Nullable Throwable thrown) {
    return limit.ended(this, result, thrown);
  }

  /** The same for a call that has been judged. */
  @Nullable LimitChange endAs(Outcome outcome) {
    return limit.endedAs(this, outcome);
  }
}

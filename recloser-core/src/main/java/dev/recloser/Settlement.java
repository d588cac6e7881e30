package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * What a state makes of the end of a call that it admitted.
 *
 * @param late whether the call moved nothing, because its state had passed or its lease run out
 * @param successor the state to enter now; null to stay
 */
record Settlement(boolean late, @Nullable BreakerState successor) {
  static final Settlement COUNTED = new Settlement(false, null);
  static final Settlement LATE = new Settlement(true, null);
}

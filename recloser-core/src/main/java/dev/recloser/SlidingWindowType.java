package dev.recloser;

/** What a sliding window holds. */
public enum SlidingWindowType {
  /** The last {@code slidingWindowSize} recorded calls. */
  COUNT_BASED,
  /** The calls recorded in the last {@code slidingWindowSize}, kept in slices. */
  TIME_BASED
}

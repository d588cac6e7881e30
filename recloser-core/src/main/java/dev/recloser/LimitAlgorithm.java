package dev.recloser;

/**
 * How an adaptive limit goes up and down. Both go by the same measurements, and both go up only
 * while the limit is fully used, calls take no longer than normal, and none fails.
 */
public enum LimitAlgorithm {
  /**
   * Up by the square root of the limit; down in proportion to how much slower calls are than is
   * tolerated, with the square root left as a queue. Finds its place in few steps, and holds a good
   * part of the limit while a dependency is slow for reasons of its own. The form is that of
   * Netflix' concurrency-limits and of Envoy's gradient controller.
   */
  GRADIENT,
  /**
   * Up by one; down by {@code backoffFactor}, however slow calls are: additive increase,
   * multiplicative decrease, as TCP has it (Chiu and Jain, 1989). Slower to find free capacity;
   * several callers of one dependency come to equal shares.
   */
  AIMD
}

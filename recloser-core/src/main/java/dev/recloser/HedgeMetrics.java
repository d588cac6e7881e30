package dev.recloser;

import java.time.Duration;

/**
 * Everything a hedge has counted since it was made, and its present delay. No number ever goes
 * down. Every call that has ended is counted once, by how it ended.
 *
 * @param hedges further attempts that were begun
 * @param wonByFirst calls whose first attempt succeeded first
 * @param wonByHedge calls of which another attempt succeeded first
 * @param failed calls of which no attempt succeeded
 * @param cancelled calls that their caller cancelled or interrupted
 * @param withoutBudget attempts that were not begun because the budget did not allow them
 * @param delay how long an attempt has at present before another one is begun
 */
public record HedgeMetrics(
    long hedges,
    long wonByFirst,
    long wonByHedge,
    long failed,
    long cancelled,
    long withoutBudget,
    Duration delay) {
  /** Calls that have ended, whatever came of them. */
  public long calls() {
    return wonByFirst + wonByHedge + failed + cancelled;
  }
}

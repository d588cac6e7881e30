package dev.recloser;

/**
 * One up, a share down.
 *
 * @param factor what is left of the limit in a step down, above 0 and below 1
 */
record Aimd(double factor) implements LimitSearch {
  @Override
  public int up(int limit) {
    return limit + 1;
  }

  @Override
  public int down(int limit, double speed) {
    return (int) (limit * factor);
  }
}

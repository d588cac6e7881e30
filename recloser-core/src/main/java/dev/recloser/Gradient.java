package dev.recloser;

/**
 * Steps in proportion to how slow calls are.
 *
 * <p>While calls take {@code 1 / speed} times what is tolerated, the limit goes to {@code limit *
 * speed} plus the square root of that limit, which is the queue that is allowed in any case. It
 * comes to rest where the two cancel out, at {@code speed / (1 - speed)^2}, or stays where it is if
 * that is higher: calls that take 1.1 times what is tolerated leave 100, twice as long leave 2. So
 * a dependency that is somewhat slower than before keeps its calls, and one that is much slower
 * does not.
 */
record Gradient() implements LimitSearch {
  /** A single step halves the limit at most: one bad round is not much evidence. */
  private static final double LEAST = 0.5;

  @Override
  public int up(int limit) {
    return limit + Math.max(1, (int) Math.sqrt(limit));
  }

  @Override
  public int down(int limit, double speed) {
    double less = limit * Math.max(LEAST, speed);
    return Math.min(limit, (int) (less + Math.sqrt(less)));
  }
}

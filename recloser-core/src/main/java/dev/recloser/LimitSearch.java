package dev.recloser;

/** The steps of an algorithm that looks for the right limit; functions of their arguments alone. */
sealed interface LimitSearch permits Gradient, Aimd {
  /** The next limit when there seems to be room; at least one more. */
  int up(int limit);

  /**
   * The next limit when calls are too slow, or fail; never more than before.
   *
   * @param speed how long calls may take as a share of how long they take, from 0 to 1
   */
  int down(int limit, double speed);
}

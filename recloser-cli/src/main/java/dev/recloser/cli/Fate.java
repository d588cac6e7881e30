package dev.recloser.cli;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * What inventory does with a call.
 *
 * @param delay how long it takes to answer
 * @param status the HTTP status it answers with
 */
record Fate(Duration delay, int status) {
  /** What inventory is like, in words. */
  static final String HEALTHY = "every call takes 10-20 ms";

  static final String SICK = "of 10 calls, 7 hang, 2 take 200-400 ms, 1 is answered with 503";

  private static final long SEED = 20_261_101;
  private static final Duration HANG = Duration.ofSeconds(3);

  /** Decides about the call for an order: the same in every run, so that runs compare. */
  static Fate of(int order, Phase phase) {
    var random = new SplittableRandom(SEED + order);
    Duration usual = between(10, 20, random);
    int lot = random.nextInt(10);
    if (phase != Phase.SICK) {
      return new Fate(usual, 200);
    } else if (lot < 7) {
      return new Fate(HANG, 200);
    } else if (lot < 9) {
      return new Fate(between(200, 400, random), 200);
    }
    return new Fate(usual, 503);
  }

  private static Duration between(int lowMillis, int highMillis, SplittableRandom random) {
    return Duration.ofMillis(random.nextInt(lowMillis, highMillis + 1));
  }
}

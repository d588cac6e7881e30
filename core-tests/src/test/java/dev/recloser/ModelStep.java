package dev.recloser;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One step of a run.
 *
 * @param operation what happens
 * @param draw the random number of every wait that is drawn in it
 * @param look whether everything is read and compared afterwards
 */
record ModelStep(ModelOperation operation, double draw, boolean look) {

  /** Draws a list of steps; one half of the seeds reads the breaker only now and then. */
  static List<ModelStep> draw(long seed, int length) {
    SplittableRandom random = new SplittableRandom(~seed);
    int everyNth = seed % 2 == 0 ? 1 : 10;
    boolean healthy = true;
    List<ModelStep> steps = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      healthy ^= random.nextInt(40) == 0;
      ModelOperation operation = ModelOperation.draw(random, healthy);
      steps.add(new ModelStep(operation, random.nextInt(9) / 8.0, random.nextInt(everyNth) == 0));
    }
    return steps;
  }
}

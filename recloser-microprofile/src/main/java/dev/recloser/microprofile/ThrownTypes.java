package dev.recloser.microprofile;

import dev.recloser.Classifier;
import dev.recloser.Outcome;
import java.util.List;

/**
 * The two lists that an annotation has of what may be thrown: what is meant by it, and what is not,
 * which wins. Only the type of what was thrown counts, never that of a cause.
 */
record ThrownTypes(List<Class<?>> meant, List<Class<?>> notMeant) {
  static ThrownTypes of(Class<?>[] meant, Class<?>[] notMeant) {
    return new ThrownTypes(List.of(meant), List.of(notMeant));
  }

  /** Whether what the policies saw is meant. */
  boolean mean(Throwable seen) {
    Class<?> type = Failures.typeOf(seen);
    return !Failures.isGivenUp(seen) && !isIn(notMeant, type) && isIn(meant, type);
  }

  /**
   * Judges calls by them.
   *
   * @param others what a call is that threw something else
   */
  Classifier classifier(Outcome others) {
    return (result, thrown) -> {
      if (thrown == null) {
        return Outcome.SUCCESS;
      }
      if (Failures.isGivenUp(thrown)) {
        return Outcome.CANCELLED;
      }
      return mean(thrown) ? Outcome.FAILURE : others;
    };
  }

  private static boolean isIn(List<Class<?>> listed, Class<?> type) {
    for (Class<?> each : listed) {
      if (each.isAssignableFrom(type)) {
        return true;
      }
    }
    return false;
  }
}

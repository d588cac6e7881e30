package dev.recloser.microprofile;

import dev.recloser.Classifier;
import dev.recloser.Outcome;
import java.util.List;

/**
 * The two lists that an annotation has of what may be thrown: what is meant by it, and what is not,
 * which wins. Only the type of what was thrown counts, never that of a cause.
 */
record ThrownTypes(List<Class<?>> meant, List<Class<?>> notMeant) {
  /** Those of two members; what cannot be thrown is told. */
  static ThrownTypes of(
      Members<?> members, String meant, Class<?>[] those, String notMeant, Class<?>[] notThose) {
    return new ThrownTypes(types(members, meant, those), types(members, notMeant, notThose));
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

  private static List<Class<?>> types(Members<?> members, String member, Class<?>[] declared) {
    Class<?>[] types = members.value(member, Class[].class, declared);
    for (Class<?> type : types) {
      if (!Throwable.class.isAssignableFrom(type)) {
        members.wrong(member, type.getName(), "a class that can be thrown");
      }
    }
    return List.of(types);
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

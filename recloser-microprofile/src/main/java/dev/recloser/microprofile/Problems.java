package dev.recloser.microprofile;

import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.faulttolerance.exceptions.FaultToleranceDefinitionException;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with an application, so that all of it is told at once, in an order that does not
 * depend on that in which the container finds the beans. Not thread-safe.
 */
final class Problems {
  private final Set<String> found = new TreeSet<>();

  /**
   * Adds one.
   *
   * @param where the method, or the class, and the annotation
   * @param value the value it has
   * @param expected what would have been right
   */
  void add(String where, Object value, String expected) {
    found.add(where + ": " + value + " (expected: " + expected + ")");
  }

  /** All of them as one exception, and forgets them; null if there are none. */
  @Nullable FaultToleranceDefinitionException takeException() {
    if (found.isEmpty()) {
      return null;
    }
    String all = String.join("\n  - ", found);
    found.clear();
    return new FaultToleranceDefinitionException(
        "The fault tolerance of this application is not right:\n  - " + all);
  }
}

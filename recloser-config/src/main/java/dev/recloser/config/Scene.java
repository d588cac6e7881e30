package dev.recloser.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * All that a rule may look at.
 *
 * @param guards each policy is in one at least
 * @param workload what is known of the calls
 */
record Scene(List<Guard> guards, Workload workload) {
  /** All policies of a kind. */
  <C> Set<Subject<C>> all(PolicyKind<?, C> kind) {
    Set<Subject<C>> found = new LinkedHashSet<>();
    guards.forEach(guard -> found.addAll(guard.all(kind)));
    return found;
  }
}

package dev.recloser.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * All that a rule may look at.
 *
 * @param guards each policy is in one at least
 * @param workloads what files say of the calls
 * @param general what is known of all calls
 */
record Scene(List<Guard> guards, Workloads workloads, Workload general) {
  /** What is known of the calls through a policy, of whatever pipeline. */
  Workload workloadOf(Subject<?> policy) {
    List<String> names = new ArrayList<>(List.of(policy.name()));
    guards.stream()
        .filter(guard -> guard.policies().contains(policy))
        .forEach(guard -> names.add(guard.name()));
    return workloads.of(names, general);
  }

  /** What is known of the calls through a policy, of those around the same calls. */
  Workload workloadOf(Subject<?> policy, Guard guard) {
    return workloads.of(List.of(policy.name(), guard.name()), general);
  }

  /** All policies of a kind. */
  <C> Set<Subject<C>> all(PolicyKind<?, C> kind) {
    Set<Subject<C>> found = new LinkedHashSet<>();
    guards.forEach(guard -> found.addAll(guard.all(kind)));
    return found;
  }
}

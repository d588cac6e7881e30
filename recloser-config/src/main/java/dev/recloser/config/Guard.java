package dev.recloser.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The policies that are around the same calls: those of a pipeline, or those of one name, which
 * annotations with that name would put around a method.
 *
 * @param pipeline null where no pipeline says that they belong together
 * @param bare whether it is a block without a name, which says nothing of other policies
 */
record Guard(
    String name, @Nullable PipelinePlan pipeline, boolean bare, List<Subject<?>> policies) {
  /** Those of a kind. */
  @SuppressWarnings("unchecked") // A subject's configuration is of its kind.
  <C> List<Subject<C>> all(PolicyKind<?, C> kind) {
    List<Subject<C>> found = new ArrayList<>();
    for (Subject<?> policy : policies) {
      if (policy.kind() == kind) {
        found.add((Subject<C>) policy);
      }
    }
    return found;
  }

  /** The outermost of a kind; null if there is none. */
  <C> @Nullable Subject<C> first(PolicyKind<?, C> kind) {
    List<Subject<C>> found = all(kind);
    return found.isEmpty() ? null : found.get(0);
  }

  boolean has(PolicyKind<?, ?> kind) {
    return first(kind) != null;
  }
}

package dev.recloser;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The policies of several sources.
 *
 * @param sources immutable
 */
record JoinedPolicies<P extends Policy>(List<PolicySource<? extends P>> sources)
    implements PolicySource<P> {
  @Override
  public Collection<P> all() {
    return sources.stream().<P>flatMap(source -> source.all().stream()).toList();
  }

  @Override
  public Cancellable follow(Function<? super P, ? extends Cancellable> start) {
    Objects.requireNonNull(start, "start");
    List<Cancellable> followed =
        sources.stream().<Cancellable>map(source -> source.follow(start)).toList();
    return () -> followed.forEach(Cancellable::cancel);
  }
}

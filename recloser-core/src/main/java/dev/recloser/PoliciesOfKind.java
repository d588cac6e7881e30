package dev.recloser;

import java.util.Collection;
import java.util.Objects;
import java.util.function.Function;

/** Those of one kind in a source. */
record PoliciesOfKind<K extends Policy>(PolicySource<?> source, Class<K> kind)
    implements PolicySource<K> {
  private static final Cancellable NOTHING = () -> {};

  @Override
  public Collection<K> all() {
    return source.all().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  @Override
  public Cancellable follow(Function<? super K, ? extends Cancellable> start) {
    Objects.requireNonNull(start, "start");
    return source.follow(
        policy -> kind.isInstance(policy) ? start.apply(kind.cast(policy)) : NOTHING);
  }
}

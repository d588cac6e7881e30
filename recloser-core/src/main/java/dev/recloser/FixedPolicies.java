package dev.recloser;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Policies of which none comes or goes.
 *
 * @param all each once; immutable
 */
record FixedPolicies<P extends Policy>(List<P> all) implements PolicySource<P> {
  @Override
  public Cancellable follow(Function<? super P, ? extends Cancellable> start) {
    Following<P> following = new Following<>(Objects.requireNonNull(start, "start"));
    all.forEach(following::begin);
    return following;
  }
}

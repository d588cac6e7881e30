package dev.recloser;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Where policies are that become more and fewer: a {@link PolicyRegistry}, all {@link Policies} of
 * an application, those of files. Whoever shows or measures policies asks for one of these, and so
 * has those that are made later, too.
 *
 * <pre>{@code
 * PolicySource<CircuitBreaker> breakers = policies.only(CircuitBreaker.class);
 * breakers.all().forEach(breaker -> System.out.println(breaker.explain()));
 * Cancellable log = breakers.follow(
 *     breaker -> breaker.on(CircuitBreakerEvent.StateTransition.class, System.out::println));
 * }</pre>
 *
 * <p>Implementations are thread-safe, and hold no lock of theirs while they run what they were
 * given.
 *
 * @param <P> the policies
 */
public interface PolicySource<P extends Policy> {
  /** The policies there are now. An immutable copy. */
  Collection<P> all();

  /**
   * Does something about each policy as long as it is here: those there are, at once, and those
   * that come later, when they come. Each is begun once, also where some come or go meanwhile.
   *
   * @param start begins with a policy, on the thread that brought it or calls this, or on one that
   *     delivers news already; it may use the source. What it returns is cancelled when the policy
   *     goes. What either throws is logged
   * @return ends it, for all policies
   */
  Cancellable follow(Function<? super P, ? extends Cancellable> start);

  /** Those of one kind among these policies, now and later. */
  default <K extends Policy> PolicySource<K> only(Class<K> kind) {
    return new PoliciesOfKind<>(this, Objects.requireNonNull(kind, "kind"));
  }

  /**
   * Policies that were made by hand. They stay as many.
   *
   * @param policies one that is there twice counts once
   */
  static <P extends Policy> PolicySource<P> of(Collection<? extends P> policies) {
    return new FixedPolicies<>(policies.stream().<P>map(policy -> policy).distinct().toList());
  }

  /**
   * The policies of several sources, one source after the other. A policy that is in two of them is
   * there twice.
   */
  static <P extends Policy> PolicySource<P> concat(
      Collection<? extends PolicySource<? extends P>> sources) {
    return new JoinedPolicies<>(List.copyOf(sources));
  }
}

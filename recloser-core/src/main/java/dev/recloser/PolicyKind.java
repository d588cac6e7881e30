package dev.recloser;

import java.util.function.Consumer;

/**
 * What a registry has to know about a kind of policy. Has no state.
 *
 * @param <P> the policies
 * @param <C> their configurations
 * @param <B> what sets those
 */
interface PolicyKind<P extends Policy, C extends PolicyConfig, B> {
  Words words();

  C defaults();

  C with(C config, Consumer<? super B> changes);

  P create(String name, C config);

  C configOf(P policy);

  void reconfigure(P policy, C config);

  /** What the time in which a policy is idle is measured by. */
  Ticker tickerOf(C config);

  /** Whether a policy lives with the ticker that it was made with. */
  boolean keepsTicker();

  /**
   * A number that is another one after a call, be it under way or not. A policy that knows when it
   * was last of use can always give the same one.
   */
  long uses(P policy);

  /** Whether nothing would be lost with it that calls to come depend on. */
  default boolean isAtRest(P policy) {
    return true;
  }

  /** For how long at most it has been at rest; negative if it is not. */
  default long restingNanos(P policy, long now) {
    return isAtRest(policy) ? Long.MAX_VALUE : -1;
  }

  /**
   * How a kind is spoken of.
   *
   * @param one a single one
   * @param many several of them
   * @param idle what they must be to make room
   */
  record Words(String one, String many, String idle) {}
}

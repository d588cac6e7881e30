package dev.recloser;

/**
 * Something that happened to a policy, told to whoever registered for it with {@link Policy#on}.
 *
 * <p>The events of a call arrive on the thread on which they happen, after the policy has done all
 * it does about it; listeners should be quick, and must not block. No event exists unless somebody
 * registered for its type.
 */
public sealed interface PolicyEvent
    permits BulkheadEvent,
        CircuitBreakerEvent,
        FallbackEvent,
        HedgeEvent,
        PolicyEvent.Reconfigured,
        PolicyEvent.UserCodeFailed,
        RateLimiterEvent,
        RetryEvent,
        TimeoutEvent {
  /** The name of the policy. */
  String policy();

  /**
   * The configuration has changed.
   *
   * @param policy the name of the policy
   * @param before the old one
   * @param after the new one
   */
  record Reconfigured(String policy, PolicyConfig before, PolicyConfig after)
      implements PolicyEvent {}

  /**
   * A function that the user gave has thrown, or returned what it must not. The call it was about,
   * and its caller, were not affected otherwise than documented.
   *
   * @param policy the name of the policy
   * @param setting which function, by the name of its setting
   * @param thrown what it threw
   */
  record UserCodeFailed(String policy, String setting, Throwable thrown) implements PolicyEvent {}
}

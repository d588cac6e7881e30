package dev.recloser;

import java.time.Duration;

/** Something that happened to a {@link RateLimiter}. */
public sealed interface RateLimiterEvent extends PolicyEvent {
  /**
   * Somebody has got permits.
   *
   * @param policy the name of the rate limiter
   * @param permits how many
   */
  record CallAdmitted(String policy, int permits) implements RateLimiterEvent {}

  /**
   * Somebody was refused.
   *
   * @param policy the name of the rate limiter
   * @param permits how many permits were asked for
   * @param retryAfter when it is worth asking again
   */
  record CallRefused(String policy, int permits, Duration retryAfter) implements RateLimiterEvent {}
}

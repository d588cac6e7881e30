package dev.recloser;

/** Why a {@link Retry} makes no further attempt of a call that has failed. */
public enum RetryEnd {
  /** {@code maxAttempts} have been made. */
  ATTEMPTS,
  /** The next wait would end after {@code maxElapsedTime}. */
  ELAPSED_TIME,
  /** The next wait would end after the caller's deadline. */
  DEADLINE,
  /** The budget does not allow another one. */
  BUDGET,
  /** The failure is of a kind that is not retried. */
  NOT_RETRIED,
  /** The interval function said so. */
  INTERVAL,
  /** The caller gave up, or it cannot be waited for. */
  CANCELLED
}

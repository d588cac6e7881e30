package dev.recloser;

/**
 * How a wait between attempts is spread, so that callers that failed together do not come back
 * together. The names are those of the note "Exponential Backoff and Jitter" in the AWS
 * Architecture Blog (2015). None of them exceeds the longest wait, at any attempt.
 */
public enum Jitter {
  /** The wait as it is. */
  NONE,
  /** Anything from zero to the wait. */
  FULL,
  /** Anything from half the wait to the wait. */
  EQUAL,
  /** Anything from the base wait to three times the wait before, so that it grows by itself. */
  DECORRELATED
}

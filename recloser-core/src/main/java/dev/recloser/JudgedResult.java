package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A result that knows what it means: an HTTP answer that is an error, for example.
 *
 * <p>Policies take its word where the configuration says nothing else: a classifier that has an
 * opinion comes first, and so do {@code recordResult} and {@code retryOnResult}, and {@code
 * retryAfter} where it gives a time. A {@link Hedge} does not let one that is a failure win. So a
 * client that returns such results is judged in the same way by every policy, without being told to
 * each.
 *
 * <p>Implementations are called by many threads at once. What a method throws is treated like a
 * classifier, or {@code retryAfter}, that throws.
 *
 * @implNote A class and not an interface, because every result of every call is asked whether it is
 *     one, and for classes that costs next to nothing.
 */
public abstract class JudgedResult {
  /** For subclasses. */
  protected JudgedResult() {}

  /** How the call ended. */
  public abstract Outcome outcome();

  /**
   * What it is in a few words, {@code HTTP 503} for example; it stands for the exception's type
   * where failures are told of.
   */
  public abstract String what();

  /** When the dependency wants to be called again, counted from now; null where it did not say. */
  public @Nullable Duration retryAfter() {
    return null;
  }
}

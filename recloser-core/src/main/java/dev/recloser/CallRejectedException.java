package dev.recloser;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call that one of this library's policies turned away before it reached the dependency.
 *
 * <p>It says nothing about the dependency, so every breaker classifies it as {@link
 * Outcome#IGNORED}: an open breaker can feed neither itself nor another.
 *
 * <p>Each says who refused and, where it is known, when to try again, so that one handler answers
 * them all:
 *
 * <pre>{@code
 * try {
 *   show(inventory.call(() -> client.stock(sku)));
 * } catch (CallRejectedException refused) {
 *   refused.retryAfter().ifPresent(wait -> System.out.println("busy for " + wait));
 * }
 * }</pre>
 */
public abstract class CallRejectedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates one.
   *
   * @param message what was refused and why; null when {@link #getMessage()} is overridden
   * @param writableStackTrace whether to pay for a stack trace
   */
  protected CallRejectedException(@Nullable String message, boolean writableStackTrace) {
    this(message, null, writableStackTrace);
  }

  CallRejectedException(
      @Nullable String message, @Nullable Throwable cause, boolean writableStackTrace) {
    super(message, cause, /* enableSuppression= */ true, writableStackTrace);
  }

  /** The name of the policy that refused the call. */
  public abstract String policy();

  /**
   * When to try again, counted from the refusal: what a {@code Retry-After} should say. Empty where
   * that is not known.
   */
  public Optional<Duration> retryAfter() {
    return Optional.empty();
  }
}

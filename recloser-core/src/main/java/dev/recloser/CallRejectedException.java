package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * A call that one of this library's policies turned away before it reached the dependency.
 *
 * <p>It says nothing about the dependency, so every breaker classifies it as {@link
 * Outcome#IGNORED}: an open breaker can feed neither itself nor another.
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
}

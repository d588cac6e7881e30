package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One of the last failures, kept to show what they were like. Holds no reference to what was thrown
 * or returned.
 *
 * @param type the class name of the exception, or of the result that was a failure, {@code null} as
 *     text for a null result; or what the caller named who judged the outcome itself
 * @param message the exception's message, cut to {@value #MAX_MESSAGE} characters; null if there is
 *     none
 * @param duration how long the call took; null where the breaker had no reason to read the clock
 */
public record FailureSample(String type, @Nullable String message, @Nullable Duration duration) {
  /** The longest message kept: {@value}. */
  public static final int MAX_MESSAGE = 200;

  /** The type without its package. */
  public String simpleType() {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  /** Never throws: an exception's own methods are user code. */
  static FailureSample of(
      @Nullable Object result, @Nullable Throwable thrown, @Nullable Duration duration) {
    if (thrown == null) {
      String type = result == null ? "null" : result.getClass().getName();
      return new FailureSample(type, null, duration);
    }
    Throwable bare = ExceptionRules.unwrap(thrown);
    return new FailureSample(bare.getClass().getName(), messageOf(bare), duration);
  }

  private static @Nullable String messageOf(Throwable thrown) {
    try {
      String message = thrown.getMessage();
      return message == null || message.length() <= MAX_MESSAGE
          ? message
          : message.substring(0, MAX_MESSAGE - 1) + "…";
    } catch (Throwable e) {
      return null;
    }
  }
}

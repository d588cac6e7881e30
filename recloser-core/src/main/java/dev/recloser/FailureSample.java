package dev.recloser;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One of the last failures, kept to show what they were like. Holds no reference to what was thrown
 * or returned.
 *
 * @param type the class name of the exception, or of the result that was a failure, {@code null} as
 *     text for a null result; or what a {@link JudgedResult} or the caller named who judged the
 *     outcome
 * @param message the exception's message on one line, cut to {@value #MAX_MESSAGE} characters; null
 *     if there is none
 * @param duration how long the call took; null where the breaker had no reason to read the clock
 */
public record FailureSample(String type, @Nullable String message, @Nullable Duration duration) {
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\u2028\u2029]+");

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
      return new FailureSample(typeOf(result), null, duration);
    }
    Throwable bare = ExceptionRules.unwrap(thrown);
    return new FailureSample(bare.getClass().getName(), messageOf(bare), duration);
  }

  private static String typeOf(@Nullable Object result) {
    if (result == null) {
      return "null";
    }
    try {
      return result instanceof JudgedResult judged
          ? onOneLine(judged.what())
          : result.getClass().getName();
    } catch (Throwable e) {
      return result.getClass().getName();
    }
  }

  private static @Nullable String messageOf(Throwable thrown) {
    try {
      String message = thrown.getMessage();
      return message == null ? null : onOneLine(message);
    } catch (Throwable e) {
      return null;
    }
  }

  /** A message can come from anywhere: it must not be able to look like another line of a log. */
  private static String onOneLine(String message) {
    String cut =
        message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE - 1) + "…";
    return hasControl(cut) ? CONTROL.matcher(cut).replaceAll(" ") : cut;
  }

  /** Most have none; looking is cheaper than replacing, and failures come in crowds. */
  private static boolean hasControl(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '\u007f' || c == '\u2028' || c == '\u2029') {
        return true;
      }
    }
    return false;
  }
}

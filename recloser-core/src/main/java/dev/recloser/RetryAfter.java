package dev.recloser;

import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** How long a failed dependency asks to be left alone, by a function that the user gave. */
final class RetryAfter {
  private RetryAfter() {}

  /**
   * Asks the function, and throws what it throws.
   *
   * @param function null for none
   * @param bare what the call threw, without its wrappers; null if it returned
   * @param most the longest time that is believed
   * @return nanoseconds; 0 where nothing is asked for
   */
  static long nanos(
      @Nullable BiFunction<@Nullable Object, @Nullable Throwable, @Nullable Duration> function,
      @Nullable Object result,
      @Nullable Throwable bare,
      Duration most) {
    Duration asked = function == null ? null : function.apply(result, bare);
    if (asked == null || asked.isNegative()) {
      return 0;
    }
    return asked.compareTo(most) > 0 ? most.toNanos() : asked.toNanos();
  }
}

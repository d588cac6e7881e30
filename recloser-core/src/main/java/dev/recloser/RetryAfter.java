package dev.recloser;

import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * How long a failed dependency asks to be left alone, by a function that the user gave, or else by
 * a result that knows.
 */
final class RetryAfter {
  private RetryAfter() {}

  /**
   * Asks them, and throws what they throw.
   *
   * @param function null for none
   * @param bare what the call threw, without its wrappers; null if it returned
   * @param mostNanos the longest time that is believed
   * @return nanoseconds; 0 where nothing is asked for
   */
  static long nanos(
      @Nullable BiFunction<@Nullable Object, @Nullable Throwable, @Nullable Duration> function,
      @Nullable Object result,
      @Nullable Throwable bare,
      long mostNanos) {
    Duration asked = function == null ? null : function.apply(result, bare);
    if (asked == null && result instanceof JudgedResult judged) {
      asked = judged.retryAfter();
    }
    if (asked == null || asked.isNegative()) {
      return 0;
    }
    return asked.compareTo(Duration.ofNanos(mostNanos)) > 0 ? mostNanos : asked.toNanos();
  }
}

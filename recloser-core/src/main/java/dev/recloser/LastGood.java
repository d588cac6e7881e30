package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An answer of the dependency and the ticker's reading when it arrived. Immutable, so that a value
 * is never seen with another one's age.
 */
record LastGood<T extends @Nullable Object>(T value, long arrivedAt) {
  Answer<T> answerAt(long now) {
    return new Answer<>(value, Answer.Source.STALE, Duration.ofNanos(ageAt(now)));
  }

  long ageAt(long now) {
    return now - arrivedAt;
  }
}

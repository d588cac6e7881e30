package dev.recloser;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is worth remembering of the failures of one state: samples of the last few, and until when
 * the dependency asked to be left alone. Not thread-safe: the state guards it.
 */
final class FailureNotes {
  private static final int MAX = CircuitBreakerEvent.StateTransition.MAX_FAILURES;

  private @Nullable ArrayDeque<FailureSample> samples;
  private @Nullable Long retryAt;

  void add(Result failure) {
    if (failure.sample() != null) {
      add(failure.sample());
    }
    if (failure.retryAfterNanos() > 0) {
      long until = failure.now() + failure.retryAfterNanos();
      retryAt = retryAt == null || until - retryAt > 0 ? (Long) until : retryAt;
    }
  }

  void add(FailureSample sample) {
    if (samples == null) {
      samples = new ArrayDeque<>(MAX);
    }
    if (samples.size() == MAX) {
      samples.removeFirst();
    }
    samples.addLast(sample);
  }

  List<FailureSample> samples() {
    return samples == null ? List.of() : List.copyOf(samples);
  }

  /** How much longer the dependency wants to be left alone, 0 for not. */
  long retryAfterNanos(long now) {
    return retryAt == null ? 0 : Math.max(0, retryAt - now);
  }
}

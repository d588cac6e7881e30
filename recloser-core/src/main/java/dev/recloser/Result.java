package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a call reports to the state that admitted it.
 *
 * @param outcome how it ended
 * @param slow whether it took longer than the limit
 * @param timed whether the clock was read at its end
 * @param now the reading of the ticker at its end; 0 if it was not read
 * @param durationNanos how long it took; -1 where its start was not
 * @param sample what the failure was like; null if it is none
 * @param retryAfterNanos how long the dependency asked to be left alone; 0 for not
 */
record Result(
    Outcome outcome,
    boolean slow,
    boolean timed,
    long now,
    long durationNanos,
    @Nullable FailureSample sample,
    long retryAfterNanos) {

  @Nullable Duration duration() {
    return durationNanos < 0 ? null : Duration.ofNanos(durationNanos);
  }
}

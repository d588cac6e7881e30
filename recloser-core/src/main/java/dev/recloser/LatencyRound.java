package dev.recloser;

import java.util.Arrays;

/** The calls that one decision about an adaptive limit is made on. Not thread-safe. */
final class LatencyRound {
  /** A median of this many is good to some percent; more would only delay the decision. */
  private static final int MOST = 64;

  /** The latest, in no order. */
  private final long[] latencies = new long[MOST];

  // As a round may last as long as the settings say, it may be of more calls than an int counts.
  private long succeeded;
  private long failed;
  private boolean refused;
  private int mostRunning;

  /** When the first of them began that has ended. */
  private long beganAt;

  /** How many calls make a round: about those that run at once, but enough for a median. */
  static int size(int limit, int least) {
    return Math.max(least, Math.min(MOST, limit));
  }

  void add(CallSample sample, long now) {
    if (isEmpty()) {
      beganAt = now - sample.nanos();
    }
    mostRunning = Math.max(mostRunning, sample.running());
    switch (sample.end()) {
      case SUCCESS -> latencies[(int) (succeeded++ % MOST)] = sample.nanos();
      case FAILURE -> failed++;
      case REFUSAL -> refused = true;
    }
  }

  void clear() {
    succeeded = 0;
    failed = 0;
    refused = false;
    mostRunning = 0;
  }

  /** Whether too many have failed, whatever the rest of the round will bring. */
  boolean hasFailed(Threshold failureRate, int size) {
    return failed > 0 && failureRate.isReachedBy(failed, Math.max(size, ended()));
  }

  boolean isOver(int size, long leastNanos, long now) {
    return succeeded > 0 && ended() >= size && now - beganAt >= leastNanos;
  }

  /** Whether no call has failed or was refused further in. */
  boolean isClean() {
    return failed == 0 && !refused;
  }

  long ended() {
    return succeeded + failed;
  }

  long failed() {
    return failed;
  }

  /** Most calls that ran at once, as seen by those that ended. */
  int mostRunning() {
    return mostRunning;
  }

  /** The median latency of the successes, of which there must be some; the lower one of two. */
  long median() {
    long[] sorted = Arrays.copyOf(latencies, (int) Math.min(MOST, succeeded));
    Arrays.sort(sorted);
    return sorted[(sorted.length - 1) / 2];
  }

  private boolean isEmpty() {
    return succeeded == 0 && failed == 0 && !refused;
  }
}

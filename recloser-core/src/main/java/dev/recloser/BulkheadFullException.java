package dev.recloser;

import java.time.Duration;

/**
 * Thrown instead of making a call for which a bulkhead has no slot. Carries no stack trace unless
 * {@code writableStackTraceEnabled} is set, and builds its message only when asked for it.
 */
public final class BulkheadFullException extends CallRejectedException {
  private static final long serialVersionUID = 1L;

  private final String bulkhead;
  private final int maxConcurrentCalls;
  private final int maxQueuedCalls;
  private final int runningCalls;
  private final int waitingCalls;
  private final Duration waited;

  BulkheadFullException(
      String bulkhead, BulkheadConfig config, Slots.Counts counts, Duration waited) {
    super(null, config.writableStackTraceEnabled());
    this.bulkhead = bulkhead;
    maxConcurrentCalls = counts.limit();
    maxQueuedCalls = config.waits() ? config.maxQueuedCalls() : 0;
    runningCalls = counts.running();
    waitingCalls = counts.waiting();
    this.waited = waited;
  }

  @Override
  public String policy() {
    return bulkhead;
  }

  /** How many calls might run at once. */
  public int maxConcurrentCalls() {
    return maxConcurrentCalls;
  }

  /** How many calls might wait; 0 when none may. */
  public int maxQueuedCalls() {
    return maxQueuedCalls;
  }

  /** How many calls ran; more than may run after the limit was lowered. */
  public int runningCalls() {
    return runningCalls;
  }

  /** How many calls waited, this one not among them. */
  public int waitingCalls() {
    return waitingCalls;
  }

  /** How long the call waited in vain; zero when it was refused at once. */
  public Duration waited() {
    return waited;
  }

  @Override
  public String getMessage() {
    String after = waited.isZero() ? "" : " after " + Text.of(waited);
    String queue =
        maxQueuedCalls == 0 ? "" : " and " + waitingCalls + " of " + maxQueuedCalls + " waiting";
    return bulkhead
        + " refused the call"
        + after
        + ", "
        + runningCalls
        + " of "
        + maxConcurrentCalls
        + " are running"
        + queue;
  }
}

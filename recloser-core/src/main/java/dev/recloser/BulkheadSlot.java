package dev.recloser;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The right to run one call, to be given back once: by closing it, or by saying how the call ended.
 * The second time does nothing, from whichever threads.
 *
 * <p>An adaptive limit learns from a slot only if it is told how the call ended; leaving without it
 * means nothing. Without an adaptive limit it makes no difference.
 *
 * <pre>{@code
 * Bulkhead bulkhead = Bulkhead.create("inventory", config -> config.adaptiveLimit(limit -> {}));
 *
 * try (BulkheadSlot slot = bulkhead.acquire()) {
 *   Response response = send();
 *   slot.complete(response);
 * }
 * }</pre>
 *
 * <p>Thread-safe. No method throws.
 */
public final class BulkheadSlot implements AutoCloseable {
  private final Bulkhead bulkhead;
  private final @Nullable Measurement call;

  /** When it was taken, if somebody listens for how long it is held. */
  private final @Nullable Long takenAt;

  private final AtomicBoolean closed = new AtomicBoolean();

  BulkheadSlot(Bulkhead bulkhead, @Nullable Measurement call, @Nullable Long takenAt) {
    this.bulkhead = bulkhead;
    this.call = call;
    this.takenAt = takenAt;
  }

  /**
   * Gives the slot back after a call with a result, which the adaptive limit's classifier judges.
   *
   * @param result what the call returned, which may be null
   */
  public void complete(@Nullable Object result) {
    end(result, null);
  }

  /**
   * Gives the slot back after a call that threw, which the adaptive limit's classifier judges.
   *
   * @param thrown what the call threw
   */
  public void fail(Throwable thrown) {
    end(null, Objects.requireNonNull(thrown, "thrown"));
  }

  /** Gives the slot back; calls that wait for it are started, if they are asynchronous. */
  @Override
  public void close() {
    TimeoutExceededException exceeded =
        call == null || closed.get() ? null : Scope.currentTimeout(/* cause= */ null);
    if (exceeded != null) {
      end(null, exceeded);
    } else if (closed.compareAndSet(false, true)) {
      bulkhead.release(duration());
    }
  }

  @Nullable Measurement call() {
    return call;
  }

  /** For how long it has been taken; null if that is not measured. */
  @Nullable Duration duration() {
    return bulkhead.since(takenAt);
  }

  /** Gives the slot back after a call that somebody else has judged. */
  void record(Outcome outcome) {
    if (closed.compareAndSet(false, true)) {
      bulkhead.endAs(this, outcome);
    }
  }

  void end(@Nullable Object result, @Nullable Throwable thrown) {
    if (closed.compareAndSet(false, true)) {
      bulkhead.end(this, result, thrown);
    }
  }
}

package dev.recloser;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The right to run one call, to be given back by closing it. Closing it again does nothing, from
 * whichever threads.
 *
 * <p>Thread-safe.
 */
public final class BulkheadSlot implements AutoCloseable {
  private final Slots slots;
  private final AtomicBoolean closed = new AtomicBoolean();

  BulkheadSlot(Slots slots) {
    this.slots = slots;
  }

  /** Gives the slot back; calls that wait for it are started, if they are asynchronous. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      slots.release();
    }
  }
}

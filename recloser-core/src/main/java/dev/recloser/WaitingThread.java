package dev.recloser;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A thread that waits for a slot. */
final class WaitingThread extends SlotWaiter {
  private final CountDownLatch out = new CountDownLatch(1);

  // Both are for this thread alone: it is the one that asks the scheduler.
  private @Nullable Throwable schedulerFailure;
  private boolean interrupted;

  WaitingThread(Slots slots) {
    super(slots);
  }

  @Override
  void admitted() {
    out.countDown();
  }

  @Override
  void refused(@Nullable Throwable schedulerFailure) {
    this.schedulerFailure = schedulerFailure;
    out.countDown();
  }

  /**
   * Waits, and tells whether it has a slot. An interrupt ends the waiting and stays set. If the
   * slot came at the same time, the slot counts, and what is called then sees the interrupt.
   */
  boolean getsSlot() {
    slots.serveUntilOut(this);
    try {
      out.await();
    } catch (InterruptedException e) {
      interrupted = slots.leave(this);
      Thread.currentThread().interrupt();
    } finally {
      endTimer();
    }
    return slots.hasTaken(this);
  }

  /** Whether it is an interrupt that ended the waiting. */
  boolean wasInterrupted() {
    return interrupted;
  }

  /** Why it has not waited, if it was for that. */
  @Nullable Throwable schedulerFailure() {
    return schedulerFailure;
  }
}

package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Who waits for a slot, for a limited time. */
abstract sealed class SlotWaiter permits WaitingThread, WaitingStage {
  final Slots slots;

  /** Guarded by the queue. */
  Slots.Fate fate = Slots.Fate.WAITING;

  /** How long it may wait; set before its time begins. */
  private Duration patience = Duration.ZERO;

  // Guarded by this.
  private @Nullable Cancellable timer;
  private boolean over;

  SlotWaiter(Slots slots) {
    this.slots = slots;
  }

  /** It has been given a slot, and is out of the queue. Never throws. */
  abstract void admitted();

  /**
   * Its time is up, and it is out of the queue without a slot. Never throws.
   *
   * @param schedulerFailure why its time could not be measured, so that it does not wait
   */
  abstract void refused(@Nullable Throwable schedulerFailure);

  /** Starts its time; it is in the queue already, and may be out again before this returns. */
  final void limit(Scheduler scheduler, Duration wait) {
    patience = wait;
    Cancellable scheduled;
    try {
      scheduled = scheduler.schedule(() -> timeUp(null), wait);
    } catch (Throwable e) {
      timeUp(e);
      return;
    }
    boolean late;
    synchronized (this) {
      timer = scheduled;
      late = over;
    }
    if (late) {
      cancel(scheduled);
    }
  }

  /** How long it has waited when its time is up. */
  final Duration patience() {
    return patience;
  }

  /** It is out of the queue, whichever way. */
  final void endTimer() {
    Cancellable scheduled;
    synchronized (this) {
      over = true;
      scheduled = timer;
      timer = null;
    }
    if (scheduled != null) {
      cancel(scheduled);
    }
  }

  private void timeUp(@Nullable Throwable schedulerFailure) {
    if (slots.leave(this)) {
      endTimer();
      refused(schedulerFailure);
    }
  }

  private static void cancel(Cancellable scheduled) {
    try {
      scheduled.cancel();
    } catch (Throwable e) {
      // A timer that goes off finds nobody in the queue.
    }
  }
}

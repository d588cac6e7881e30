package dev.recloser;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One timer for all stages in line at a bucket, set for the turn of the first. So a stage that goes
 * moves those behind it without a timer of theirs being touched.
 *
 * <p>It may ring too early, when the stage it was set for has gone or been put back; it is then set
 * anew. The lock guards the fields, and is held while the bucket is asked, so that of two threads
 * the later sets what is right; never while the scheduler, which is user code, is called.
 */
final class Turns {
  private final RateLimiter limiter;
  private final TokenBucket bucket;
  private @Nullable Long dueAt;
  private @Nullable Cancellable timer;

  Turns(RateLimiter limiter, TokenBucket bucket) {
    this.limiter = limiter;
    this.bucket = bucket;
  }

  /** Sets the timer to what is right now. A scheduler that throws lets nobody wait. */
  void update() {
    try {
      set();
    } catch (Throwable broken) {
      refuseAll(broken);
    }
  }

  private void set() {
    Long turn;
    Cancellable previous;
    synchronized (this) {
      turn = bucket.nextTurn();
      if (turn != null && dueAt != null && turn - dueAt >= 0) {
        return;
      }
      previous = timer;
      timer = null;
      dueAt = turn;
    }
    limiter.cancel(previous);
    if (turn != null) {
      schedule(turn);
    }
  }

  private void schedule(Long turn) {
    RateLimiterConfig config = bucket.config();
    Cancellable scheduled;
    try {
      long delay = Math.max(0, turn - config.ticker.nanoTime());
      scheduled = schedule(config.scheduler, turn, Duration.ofNanos(delay));
    } catch (Throwable e) {
      forget(turn);
      throw e;
    }
    boolean current;
    synchronized (this) {
      current = turn.equals(dueAt);
      if (current) {
        timer = scheduled;
      }
    }
    if (!current) {
      limiter.cancel(scheduled);
    }
  }

  private Cancellable schedule(Scheduler scheduler, Long turn, Duration delay) {
    try {
      return scheduler.schedule(() -> ring(turn), delay);
    } catch (Throwable e) {
      limiter.schedulerFailed(e);
      throw e;
    }
  }

  /** Sets the next timer first, so that no call that is started here can delay or prevent it. */
  private void ring(Long turn) {
    forget(turn);
    List<LimitedStage<?>> due;
    try {
      due = bucket.takeDue(bucket.config().ticker.nanoTime());
    } catch (Throwable brokenTicker) {
      refuseAll(brokenTicker); // There will be no other timer for them.
      return;
    }
    update();
    due.forEach(LimitedStage::start);
  }

  private synchronized void forget(Long turn) {
    if (turn.equals(dueAt)) {
      dueAt = null;
      timer = null;
    }
  }

  private void refuseAll(Throwable broken) {
    for (Reservation place : bucket.refuseStages()) {
      limiter.refuse(place, "it cannot be waited for", broken);
    }
  }
}

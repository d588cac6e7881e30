package dev.recloser;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * At most one timer of a state, set for the earliest moment at which time alone may move it.
 *
 * <p>Without a scheduler it does nothing: the next call then finds what is due. It may ring too
 * early, when what it was set for has gone; the breaker then sets it anew. The lock guards the
 * fields and is never held while the scheduler, which is user code, is called.
 */
final class Alarm {
  private final BreakerState state;

  /** Written under the lock; read without it by those who need not come after all. */
  private volatile @Nullable Long dueAt;

  private @Nullable Cancellable timer;
  private boolean silenced;

  /** Who is in the scheduler: one that runs a task at once must not get the next from it. */
  private @Nullable Thread scheduling;

  Alarm(BreakerState state) {
    this.state = state;
  }

  /** Lets it ring at a moment, unless it will ring earlier anyway. */
  void set(@Nullable Long moment, long now) {
    Scheduler scheduler = state.breaker.config().scheduler;
    if (moment == null || scheduler == null || isSetBefore(moment)) {
      return;
    }
    Cancellable previous;
    synchronized (this) {
      boolean nested = scheduling == Thread.currentThread();
      if (silenced || nested || isSetBefore(moment)) {
        return;
      }
      previous = timer;
      timer = null;
      dueAt = moment;
      scheduling = Thread.currentThread();
    }
    cancel(previous);
    schedule(scheduler, moment, Math.max(0, moment - now));
  }

  /** Takes it back, so that it can be set anew. */
  void forget() {
    Cancellable previous;
    synchronized (this) {
      dueAt = null;
      previous = timer;
      timer = null;
    }
    cancel(previous);
  }

  /** Ends it for good. */
  void silence() {
    Cancellable previous;
    synchronized (this) {
      silenced = true;
      dueAt = null;
      previous = timer;
      timer = null;
    }
    cancel(previous);
  }

  private boolean isSetBefore(Long moment) {
    Long due = dueAt;
    return due != null && moment - due >= 0;
  }

  private void schedule(Scheduler scheduler, Long moment, long delayNanos) {
    Cancellable scheduled;
    try {
      scheduled = scheduler.schedule(() -> ring(moment), Duration.ofNanos(delayNanos));
    } catch (Throwable e) {
      forget(moment);
      state.breaker.schedulerFailed(e);
      return;
    } finally {
      synchronized (this) {
        scheduling = scheduling == Thread.currentThread() ? null : scheduling;
      }
    }
    boolean current;
    synchronized (this) {
      current = moment.equals(dueAt);
      if (current) {
        timer = scheduled;
      }
    }
    if (!current) {
      cancel(scheduled);
    }
  }

  private void ring(Long moment) {
    forget(moment);
    state.breaker.wake(state);
  }

  private synchronized void forget(Long moment) {
    if (moment.equals(dueAt)) {
      dueAt = null;
      timer = null;
    }
  }

  private void cancel(@Nullable Cancellable scheduled) {
    state.breaker.cancel(scheduled);
  }
}

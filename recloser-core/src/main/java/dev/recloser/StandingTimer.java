package dev.recloser;

/**
 * A timer on the system's time for the calls of a {@link TimedThread}, one after the other, most of
 * which end long before it rings. So it is not taken back when a call ends, but left to ring for
 * the next one: when it does, it looks how much time that has left, and rings again then. A call
 * only has to see to it that it rings early enough, and need do nothing about that as a rule.
 */
final class StandingTimer extends TimeLimit {
  /*
   * What a call relies on is "ringsBy": that there will be a look at it by that moment. NEVER is
   * always right, only a reason for a call to set it; any other moment must be kept.
   *
   * It is, for a look first takes the promise back and then looks at the thread, and a call first
   * is running there and then looks at the promise, all of it volatile. Either the look sees the
   * call, and rings again for it, or the call sees NEVER, and sets the timer itself; maybe both do,
   * one after the other, under the lock of this, and it rings for the earlier of the two.
   *
   * A look may also see a call that ends just then, with the time of the next one or half of it, and
   * make the wrong thing of it. That harms nobody. Timing out is a compare-and-set on the use of
   * the thread that was seen before the time was read: it fails, since that use has ended before
   * the time was replaced. Ringing at a wrong moment is a useless look if it is early; and if it is
   * late, then the next call comes to see it, or has seen to an earlier one, which remains.
   */

  /** See above. Other moments than NEVER are only written under the lock of this. */
  private volatile long ringsBy = TimerWheel.NEVER;

  private final TimedThread thread;

  StandingTimer(Timeout timeout, TimeoutConfig config, TimedThread thread) {
    super(timeout, config);
    this.thread = thread;
  }

  @Override
  void startTimer(Limited call) {
    long due = due();
    if (ringsBy > due) {
      try {
        ringBy(due);
      } catch (Throwable e) {
        timeout.schedulerFailed(e);
      }
    }
  }

  /** Left as it is: it serves the next call, or finds nothing to do when it rings. */
  @Override
  void cancelTimer() {}

  @Override
  void ring() {
    ringsBy = TimerWheel.NEVER;
    long use = thread.use();
    if (!ThreadScope.isRunning(use)) {
      return;
    }
    if (isOver()) {
      thread.timeOut(use);
    } else {
      ringBy(due());
    }
  }

  /** It interrupts the thread. */
  @Override
  boolean runsUserCode() {
    return false;
  }

  @Override
  boolean isStanding() {
    return true;
  }

  private synchronized void ringBy(long due) {
    if (ringsBy <= due) {
      return;
    }
    TimerWheel.remove(this);
    ringsBy = due;
    try {
      SystemTime.schedule(this, due);
    } catch (Throwable e) {
      ringsBy = TimerWheel.NEVER;
      throw e;
    }
  }

  private long due() {
    return SystemTime.moment(startedAt(), nanos());
  }
}

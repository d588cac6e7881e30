package dev.recloser;

import org.jspecify.annotations.Nullable;

/**
 * The timed calls of one state that have not ended, ordered by their start, and how many of them
 * are past the limit. Not thread-safe: {@link Evidence} guards it.
 *
 * <p>The list has two parts: at the old end the calls that are past the limit, which are counted,
 * and behind them the rest. Since the order is that of the starts, the border only ever moves
 * towards the young end as time passes, and moving it up to the present costs one step for each
 * call that has become overdue: no thread, no timer a call, and an exact number whenever it is
 * asked for. Clock readings of two threads may arrive in the wrong order, so a call is inserted
 * from the young end past those that began later; that is no step at all in nearly all cases.
 */
final class InFlight {
  /** Where there has been nobody yet; nothing is ever added to it. */
  static final InFlight NOBODY = new InFlight();

  private @Nullable BreakerPermit oldest;
  private @Nullable BreakerPermit newest;

  /** The border: the first call that is not past the limit. */
  private @Nullable BreakerPermit oldestInTime;

  private int overdue;

  void add(BreakerPermit permit) {
    BreakerPermit before = newest;
    while (before != null && before.startedAt - permit.startedAt > 0) {
      before = before.older;
    }
    BreakerPermit after = before == null ? oldest : before.newer;
    link(before, permit);
    link(permit, after);
    permit.listed = true;
    if (after == oldestInTime) {
      oldestInTime = permit;
    } else if (after != null && after.overdue) {
      permit.overdue = true;
      overdue++;
    }
  }

  void remove(BreakerPermit permit) {
    if (!permit.listed) {
      return;
    }
    if (permit == oldestInTime) {
      oldestInTime = permit.newer;
    }
    if (permit.overdue) {
      overdue--;
    }
    link(permit.older, permit.newer);
    permit.older = null;
    permit.newer = null;
    permit.listed = false;
  }

  /** Moves the border up to the present. */
  void advance(long now, long limitNanos) {
    while (oldestInTime != null && now - oldestInTime.startedAt > limitNanos) {
      oldestInTime.overdue = true;
      overdue++;
      oldestInTime = oldestInTime.newer;
    }
  }

  /** Puts the border back to the old end, for a limit that has changed in either direction. */
  void rewind() {
    for (BreakerPermit p = oldest; p != oldestInTime && p != null; p = p.newer) {
      p.overdue = false;
    }
    if (oldest != null) { // Not where there is nobody, for that is shared.
      overdue = 0;
      oldestInTime = oldest;
    }
  }

  int overdue() {
    return overdue;
  }

  /** The earliest start of a call that is past the limit; null if there is none. */
  @Nullable Long earliestOverdue() {
    return overdue == 0 || oldest == null ? null : (Long) oldest.startedAt;
  }

  /** The earliest start of a call that is not past the limit; null if there is none. */
  @Nullable Long earliestInTime() {
    return oldestInTime == null ? null : (Long) oldestInTime.startedAt;
  }

  private void link(@Nullable BreakerPermit before, @Nullable BreakerPermit after) {
    if (before == null) {
      oldest = after;
    } else {
      before.newer = after;
    }
    if (after == null) {
      newest = before;
    } else {
      after.older = before;
    }
  }
}

package dev.recloser;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what the calls of a timeout have used for the calls to come, so that they need not make it
 * anew, timer and all.
 *
 * <p>There are a few places, and a thread uses one of them, so that threads do not wait for each
 * other. Where two are in calls at once that share a place, as many threads are when calls take
 * long, one finds it empty and makes its own, which is dropped after that.
 */
final class SpareThreads {
  /** As many references as fill a line of the cache, so that no two threads write to one. */
  private static final int LINE = 16;

  private static final int MAX_PLACES = 32;
  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(TimedThread[].class);

  private final Timeout timeout;
  private final @Nullable TimedThread[] places;
  private final int mask;

  SpareThreads(Timeout timeout, int processors) {
    this.timeout = timeout;
    int number = Math.min(MAX_PLACES, 2 * Integer.highestOneBit(Math.max(1, 2 * processors - 1)));
    mask = number - 1;
    places = new @Nullable TimedThread[(number + 1) * LINE]; // None beside the array's length.
  }

  /**
   * Gives one for a call on this thread whose time begins now.
   *
   * @param around what the thread is in
   */
  TimedThread take(TimeoutConfig config, long nanos, @Nullable Scope around) {
    TimedThread spare = (TimedThread) PLACE.getAndSet(places, place(), null);
    TimedThread taken = spare == null ? new TimedThread(timeout, config) : spare;
    taken.renew(around, config, nanos);
    return taken;
  }

  /** Takes one back after its call, on the same thread; drops what others may have a part in. */
  void giveBack(TimedThread used) {
    int place = place();
    if (used.isReusable() && PLACE.getOpaque(places, place) == null) {
      used.forget();
      // Two at once may find it empty, and one is lost then: its timer rings once, for nobody.
      PLACE.setRelease(places, place, used);
    } else {
      TimerWheel.remove(used.limit);
    }
  }

  private int place() {
    return (((int) ThreadNumber.current() & mask) + 1) * LINE;
  }
}

package dev.recloser;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The slots of a bulkhead, and the queue of those who wait for one. */
final class Slots {
  /*
   * One word holds how many run, how many wait and how many may run, so that each decision is made
   * on all three at once, by one compare-and-set. A slot is taken and given back without a lock
   * while nobody waits.
   *
   * The queue is changed under its own lock, and with it, still under the lock, the number of those
   * who wait. So whoever is in the queue leaves it once: taken out with a slot by whoever serves,
   * or by itself without one. Which of the two it was is written down under the same lock, so
   * that a slot can be neither lost nor given twice to one whose time runs out, or who is
   * interrupted or cancelled, at the moment of its turn.
   *
   * Nobody is forgotten: a call queues only in the same atomic step in which it sees no slot to be
   * had, so whoever gives a slot back or raises the limit after that sees it waiting, and serves.
   * "Some wait though there is room" lasts only until that thread has served.
   *
   * To serve means to start calls, which may be over at once and give their slots back, on the same
   * thread. If that served in turn, the stack would grow with the queue. So a thread that serves
   * already leaves it to its outer loop, which looks again after each call it has started. (Other
   * threads do serve meanwhile: the one in the loop may be held up by the code it has started.)
   * Should that code make a call that waits on this very thread, nobody would come back to the
   * loop, so such a call serves by itself before it waits: {@link #serveUntilOut}.
   *
   * Calls are started, and threads woken, with no lock held.
   */

  /** The most that may run, or that may be let into the queue: both must fit into their bits. */
  static final int MOST = 1_000_000;

  private static final int BITS = 21;
  private static final int MASK = (1 << BITS) - 1;
  private static final long ONE_RUNNING = 1;
  private static final long ONE_WAITING = 1L << BITS;
  private static final int LIMIT_SHIFT = 2 * BITS;
  private static final long WITHOUT_LIMIT = (1L << LIMIT_SHIFT) - 1;

  private final AtomicLong word;
  private final AtomicInteger mostRunning = new AtomicInteger();

  /** In the order of arrival. Guarded by itself, as are the fates of those in it. */
  private final Set<SlotWaiter> queue = new LinkedHashSet<>();

  /** The threads in {@link #serve}. Guarded by the queue. */
  private final Set<Thread> serving = Collections.newSetFromMap(new IdentityHashMap<>());

  /** What came of trying to get a slot, or else a place in the queue. */
  enum Entry {
    TAKEN,
    QUEUED,
    FULL
  }

  /** What became of one in the queue. */
  enum Fate {
    WAITING,
    TAKEN,
    LEFT
  }

  /** The numbers of one moment. */
  record Counts(int running, int waiting, int limit) {}

  Slots(int limit) {
    word = new AtomicLong((long) limit << LIMIT_SHIFT);
  }

  Counts counts() {
    long now = word.get();
    return new Counts(running(now), waiting(now), limit(now));
  }

  int running() {
    return running(word.get());
  }

  int mostRunning() {
    return mostRunning.get();
  }

  /** Takes a slot if there is one. */
  boolean tryTake(boolean fair) {
    for (; ; ) {
      long now = word.get();
      if (!hasSlotFor(now, fair)) {
        return false;
      }
      if (word.compareAndSet(now, now + ONE_RUNNING)) {
        noteRunning(now + ONE_RUNNING);
        return true;
      }
    }
  }

  /** Takes a slot if there is one, or else a place in the queue if that has one. */
  Entry enter(SlotWaiter waiter, boolean fair, int maxQueued) {
    synchronized (queue) {
      for (; ; ) {
        long now = word.get();
        if (hasSlotFor(now, fair)) {
          if (tryTake(fair)) {
            return Entry.TAKEN;
          }
        } else if (isQueueFull(now, maxQueued)) {
          return Entry.FULL;
        } else if (word.compareAndSet(now, now + ONE_WAITING)) {
          queue.add(waiter);
          return Entry.QUEUED;
        }
      }
    }
  }

  /** Leaves the queue, and tells whether it did: if not, it was out already. */
  boolean leave(SlotWaiter waiter) {
    synchronized (queue) {
      if (waiter.fate != Fate.WAITING || !queue.remove(waiter)) {
        return false;
      }
      waiter.fate = Fate.LEFT;
      word.addAndGet(-ONE_WAITING);
      return true;
    }
  }

  /** Whether it left the queue with a slot. */
  boolean hasTaken(SlotWaiter waiter) {
    synchronized (queue) {
      return waiter.fate == Fate.TAKEN;
    }
  }

  /** Gives a slot back, and to the next in the queue. */
  void release() {
    long now = word.addAndGet(-ONE_RUNNING);
    if (waiting(now) > 0) {
      serve();
    }
  }

  /** Changes how many may run. Lowered, it takes effect as calls end; raised, at once. */
  void resize(int limit) {
    word.updateAndGet(now -> (now & WITHOUT_LIMIT) | (long) limit << LIMIT_SHIFT);
  }

  /** Gives slots to those who wait while there are any; left to this thread's outer loop if any. */
  void serve() {
    Thread self = Thread.currentThread();
    synchronized (queue) {
      if (queue.isEmpty() || !serving.add(self)) {
        return;
      }
    }
    try {
      while (serveNext()) {
        // One after the other.
      }
    } finally {
      synchronized (queue) {
        serving.remove(self);
      }
    }
  }

  /** Serves, even from within {@link #serve}, while this one has not had its turn. */
  void serveUntilOut(SlotWaiter waiter) {
    while (isQueued(waiter) && serveNext()) {
      // One after the other.
    }
  }

  private boolean isQueued(SlotWaiter waiter) {
    synchronized (queue) {
      return waiter.fate == Fate.WAITING;
    }
  }

  private boolean serveNext() {
    SlotWaiter next = takeForNext();
    if (next == null) {
      return false;
    }
    next.admitted();
    return true;
  }

  /** Takes a slot for the first in the queue, if there are both. */
  private @Nullable SlotWaiter takeForNext() {
    synchronized (queue) {
      Iterator<SlotWaiter> waiting = queue.iterator();
      if (!waiting.hasNext() || !takeForWaiting()) {
        return null;
      }
      SlotWaiter next = waiting.next();
      waiting.remove();
      next.fate = Fate.TAKEN;
      return next;
    }
  }

  private boolean takeForWaiting() {
    for (; ; ) {
      long now = word.get();
      if (running(now) >= limit(now)) {
        return false;
      }
      long taken = now + ONE_RUNNING - ONE_WAITING;
      if (word.compareAndSet(now, taken)) {
        noteRunning(taken);
        return true;
      }
    }
  }

  /** Whether a slot is free; for a fair call, one that nobody who waits is about to get. */
  private static boolean hasSlotFor(long now, boolean fair) {
    return running(now) + (fair ? waiting(now) : 0) < limit(now);
  }

  /** Those who are about to get a slot that is free do not count. */
  private static boolean isQueueFull(long now, int maxQueued) {
    int free = Math.max(0, limit(now) - running(now));
    return waiting(now) - free >= maxQueued;
  }

  private void noteRunning(long now) {
    int running = running(now);
    if (running > mostRunning.get()) {
      mostRunning.accumulateAndGet(running, Math::max);
    }
  }

  private static int running(long word) {
    return (int) word & MASK;
  }

  private static int waiting(long word) {
    return (int) (word >>> BITS) & MASK;
  }

  private static int limit(long word) {
    return (int) (word >>> LIMIT_SHIFT);
  }
}

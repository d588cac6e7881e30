package dev.recloser;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Timers in the order of which nobody cares until they are due. Those of one call alone are mostly
 * taken back long before that, when it has ended, so what counts is that adding and removing one is
 * cheap: a few links in a list, under a lock that other threads hardly ever want.
 *
 * <p>It is a hashed wheel (Varghese and Lauck, 1987, scheme 6): time is divided into ticks of about
 * a millisecond, and a timer stands in the slot of its tick, that number modulo the size of the
 * wheel. Looking for what is due looks at the slots of the ticks that have passed since the last
 * look; a timer that is more than a turn away stays where it is. The precision is that of the
 * moments and not of the ticks: a timer is due at its nanosecond.
 *
 * <p>There are several wheels, and a thread uses one of them, so that threads do not wait for each
 * other. All moments are nanoseconds since the wheels were made, which do not wrap around.
 */
final class TimerWheel {
  static final long NEVER = Long.MAX_VALUE;

  private static final int TICK_SHIFT = 20;
  private static final int SLOTS = 512;
  private static final int MAX_WHEELS = 32;

  private final Wheel[] wheels;

  TimerWheel(int processors) {
    int number = Math.min(MAX_WHEELS, Integer.highestOneBit(Math.max(1, processors) * 2 - 1));
    wheels = new Wheel[number];
    for (int i = 0; i < number; i++) {
      wheels[i] = new Wheel();
    }
  }

  /** One timer. It may be added again when it has been taken out. */
  abstract static sealed class Entry permits SystemTime.Task, TimeLimit, RetryBudget.Bell {
    /**
     * Where it stands; null if it was taken out or not added yet. Read without a lock by whoever
     * takes the timer back. Written under the lock of the wheel that it is put into or taken out
     * of: so one that stands in a wheel does so for as long as that wheel's lock is held, while one
     * that was taken out may be put into another wheel at any moment.
     */
    private volatile @Nullable Wheel wheel;

    // Guarded by the wheel.
    private @Nullable Entry previous;
    private @Nullable Entry next;
    private long due;
    private long tick;

    /** The moment for which it was last taken out; only used by whoever takes what is due. */
    private long takenFor;

    /** Whether it is there for one call after the other, and may ring though there is none. */
    boolean isStanding() {
      return false;
    }

    /** Whether it may run code of a user, who may block and hold up others. */
    boolean runsUserCode() {
      return true;
    }

    /** It is due, and has been taken out. */
    abstract void ring();
  }

  /** Adds a timer that is due at a moment, which may have passed. */
  void add(Entry entry, long due) {
    wheels[(int) ThreadNumber.current() & (wheels.length - 1)].add(entry, due);
  }

  /** Takes a timer out if it has not been; may be called from any thread that has got it. */
  static void remove(Entry entry) {
    Wheel wheel = entry.wheel;
    if (wheel != null) {
      wheel.remove(entry);
    }
  }

  /** Takes out all timers that are due, in the order of their moments. */
  List<Entry> takeDue(long now) {
    List<Entry> due = new ArrayList<>();
    for (Wheel wheel : wheels) {
      wheel.takeDue(now, due);
    }
    // Not by the moments they are due at, which change for those that are added again meanwhile.
    due.sort((one, other) -> Long.compare(one.takenFor, other.takenFor));
    return due;
  }

  /** The moment of the next timer; {@link #NEVER} without one. */
  long earliest() {
    long earliest = NEVER;
    for (Wheel wheel : wheels) {
      earliest = Math.min(earliest, wheel.earliest());
    }
    return earliest;
  }

  int size() {
    int size = 0;
    for (Wheel wheel : wheels) {
      size += wheel.size();
    }
    return size;
  }

  /** How many there are for one call or task alone. */
  int sizeWithoutStanding() {
    int size = 0;
    for (Wheel wheel : wheels) {
      size += wheel.sizeWithoutStanding();
    }
    return size;
  }

  private static long tickOf(long moment) {
    return moment >> TICK_SHIFT;
  }

  /** All fields are guarded by this. */
  private static final class Wheel {
    private final @Nullable Entry[] slots = new @Nullable Entry[SLOTS];
    private int size;

    /** What is due in ticks before this one has been taken. */
    private long tick;

    synchronized void add(Entry entry, long due) {
      entry.due = due;
      entry.tick = Math.max(tick, tickOf(due)); // Slots of the past are not looked at again.
      entry.wheel = this;
      int slot = (int) entry.tick & (SLOTS - 1);
      Entry head = slots[slot];
      entry.next = head;
      if (head != null) {
        head.previous = entry;
      }
      slots[slot] = entry;
      size++;
    }

    synchronized void remove(Entry entry) {
      if (entry.wheel == this) { // Or somebody took it out, and put it into another one perhaps.
        unlink(entry);
      }
    }

    synchronized void takeDue(long now, List<Entry> due) {
      long last = tickOf(now);
      if (size > 0) {
        long from = Math.max(tick, last - SLOTS + 1);
        for (long each = from; each <= last; each++) {
          takeDue(slots[(int) each & (SLOTS - 1)], now, due);
        }
      }
      tick = Math.max(tick, last);
    }

    synchronized long earliest() {
      if (size == 0) {
        return NEVER;
      }
      long anyTurn = NEVER;
      for (long each = tick; each < tick + SLOTS; each++) {
        long thisTurn = NEVER;
        Entry entry = slots[(int) each & (SLOTS - 1)];
        for (; entry != null; entry = entry.next) {
          if (entry.tick == each) {
            thisTurn = Math.min(thisTurn, entry.due);
          } else {
            anyTurn = Math.min(anyTurn, entry.due);
          }
        }
        if (thisTurn != NEVER) {
          return thisTurn;
        }
      }
      return anyTurn;
    }

    synchronized int size() {
      return size;
    }

    synchronized int sizeWithoutStanding() {
      int number = 0;
      for (Entry head : slots) {
        for (Entry entry = head; entry != null; entry = entry.next) {
          number += entry.isStanding() ? 0 : 1;
        }
      }
      return number;
    }

    private void takeDue(@Nullable Entry head, long now, List<Entry> due) {
      Entry entry = head;
      while (entry != null) {
        Entry after = entry.next;
        if (entry.due <= now) {
          unlink(entry);
          entry.takenFor = entry.due;
          due.add(entry);
        }
        entry = after;
      }
    }

    private void unlink(Entry entry) {
      Entry before = entry.previous;
      Entry after = entry.next;
      if (before == null) {
        slots[(int) entry.tick & (SLOTS - 1)] = after;
      } else {
        before.next = after;
      }
      if (after != null) {
        after.previous = before;
      }
      entry.previous = null;
      entry.next = null;
      entry.wheel = null;
      size--;
    }
  }
}

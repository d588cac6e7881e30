package dev.recloser;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The calls in flight of one stay in one state, and the successes that nobody has needed to know of
 * yet: what every call touches, striped so that threads do not meet.
 *
 * <p>A stripe is an array. Its first element, the word, has everything that must change at once:
 *
 * <pre>
 *   63      62      61     42  41   28  27     14  13      0
 *   sealed  passed  successes  untimed  overdue    occupied
 * </pre>
 *
 * <p>A call that begins claims a slot of its thread's stripe by compare-and-set of the word, and
 * leaves the time of its start in the slot; one whose start nobody needs to know only adds itself
 * to the untimed. A success takes this back and adds itself to the successes, with one
 * compare-and-set, and that is all it does. Whoever holds the lock of the {@link Evidence} takes
 * the successes over into the window, sees how long the calls have been running, and marks those
 * past the limit as overdue.
 *
 * <p>What makes this exact is that a success is added to the very word that says whether it may be.
 * <em>Sealed</em> means that the next success could matter, or would be late; an overdue call is
 * counted already; where there are many successes, they must be taken over. In all these cases a
 * call must end under the lock, as all do that did not succeed. So a success that was added before
 * the seal was set is taken over by whoever set it, and later ones come to the lock: each is in the
 * window or late, once. <em>Passed</em> means that no further call may begin here.
 *
 * <p>A slot is written by the call that has it, and by nobody else. It says {@link #NO_TIME} before
 * it is free for the next, so that who looks in between takes no old start for a new one.
 *
 * <p>All else that a call does to its stripe is opaque, and none of it is relied on before the word
 * says so: the start, the longest and the last use are written before the compare-and-set that ends
 * the call, which publishes them to whoever then finds the success in the word. A start is written
 * after its slot was claimed, and may be seen that much late; until then the slot says {@link
 * #NO_TIME}. A word that was read so is only a guess, which the compare-and-set checks.
 *
 * <p>There is one small stripe for as long as no two threads meet on it and its slots suffice. Then
 * there are four for each processor, twice as many each time threads meet again, up to sixteen, and
 * more when calls in flight fill them. Their arrays are longer than two lines of the cache, so that
 * no two words share one.
 */
final class Stripes {
  /** In place of a slot: there is none. */
  static final int NONE = -1;

  /** In place of a time. */
  static final long NO_TIME = Long.MIN_VALUE;

  private static final int WORD = 0;
  private static final int SLOWEST = 1;
  private static final int LAST_USE = 2;
  private static final int STARTS = 3;

  private static final int SLOTS = 14;
  private static final int SLOTS_AT_FIRST = 4;
  private static final int MAX_STRIPES = 64;

  /** A slot is the index of a stripe, and in the lowest bits a number in it. */
  private static final int NUMBER_BITS = 4;

  private static final int NUMBER = (1 << NUMBER_BITS) - 1;

  /** The number of those that need no slot. */
  private static final int UNTIMED = NUMBER;

  /** As many at first, when threads have met, and then twice as many each time they meet again. */
  private static final int STRIPES_WHEN_SHARED = stripesFor(4);

  private static final int MOST_STRIPES_WHEN_SHARED = stripesFor(16);

  private static final long OCCUPIED = (1L << SLOTS) - 1;
  private static final long ONE_UNTIMED = 1L << (2 * SLOTS);

  /**
   * The highest bit of the untimed calls: there are so many that others must do without a place.
   * What can be counted above it is for those who come before they see that.
   */
  private static final long MANY_UNTIMED = 1L << (3 * SLOTS - 1);

  private static final long ALL_UNTIMED = 2 * MANY_UNTIMED - ONE_UNTIMED;
  private static final long ONE_SUCCESS = 1L << (3 * SLOTS);
  private static final int MAX_SUCCESS_BITS = 19;
  private static final int MIN_SUCCESS_BITS = 8;
  private static final long PASSED = 1L << 62;
  private static final long SEALED = 1L << 63;
  private static final long ALL_SUCCESSES = PASSED - ONE_SUCCESS;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  /** The lock of the evidence. */
  private final Object lock;

  /** Grows only, under the lock; a stripe keeps its place. */
  private volatile long[][] stripes;

  /** Set in the word of a stripe that has so many successes that somebody must take them over. */
  private volatile long many;

  /** Whether there have been so many untimed calls at once that others must do without a place. */
  private volatile boolean crowded;

  // All guarded by the lock.
  private boolean sealed = true;
  private boolean passed;
  private int overdue;

  /** Of the calls that were in flight when the state passed, those that still are. */
  private long handedOn;

  private long slowest = -1;

  Stripes(Object lock) {
    this.lock = lock;
    stripes = new long[][] {stripe(SLOTS_AT_FIRST, SEALED)};
    takeEvery(1);
  }

  // What calls do, without the lock.

  /**
   * Begins a call.
   *
   * @param startedAt when; not {@link #NO_TIME}
   * @return its slot; {@link #NONE} if the state has passed or there are too many calls
   */
  int begin(long startedAt) {
    long[][] all = stripes;
    int index = home(all.length);
    int slot = claim(all[index], index, startedAt);
    return slot == NONE ? beginElsewhere(index, startedAt) : slot;
  }

  /**
   * Begins a call of which nobody needs to know when.
   *
   * @return what stands for its slot; {@link #NONE} if the state has passed or there are too many
   */
  int beginUntimed() {
    if (crowded) {
      return NONE;
    }
    long[][] all = stripes;
    int index = home(all.length);
    long word = (long) LONGS.getAndAdd(all[index], WORD, ONE_UNTIMED);
    boolean begun = (word & (PASSED | MANY_UNTIMED)) == 0 || isKept(all[index], word);
    return begun ? (index << NUMBER_BITS) | UNTIMED : NONE;
  }

  /**
   * Ends a call as a success, if that is of no consequence.
   *
   * @param now the present time; {@link #NO_TIME} if nobody needs to know
   * @param nanos how long it took; -1 if it was not timed
   * @return false if it must end under the lock
   */
  boolean succeed(int slot, long now, long nanos) {
    long[] stripe = stripes[slot >>> NUMBER_BITS];
    int number = slot & NUMBER;
    long own = number == UNTIMED ? ONE_UNTIMED : 1L << number;
    long forbidding = SEALED | many | (number == UNTIMED ? 0 : own << SLOTS);
    long word = (long) LONGS.getOpaque(stripe, WORD);
    if ((word & forbidding) != 0) {
      return false; // What is said below is of those that are taken over.
    }
    if (now != NO_TIME) {
      LONGS.setOpaque(stripe, LAST_USE, now);
    }
    if (nanos > (long) LONGS.getOpaque(stripe, SLOWEST)) {
      raise(stripe, nanos);
    }
    if (number != UNTIMED) {
      LONGS.setOpaque(stripe, STARTS + number, NO_TIME);
    }
    do {
      if (LONGS.compareAndSet(stripe, WORD, word, word - own + ONE_SUCCESS)) {
        return true;
      }
      grownForMore();
      word = (long) LONGS.getOpaque(stripe, WORD);
    } while ((word & forbidding) == 0);
    return false;
  }

  /** Whether the stripe of a call takes no more successes until somebody takes them over. */
  boolean isFull(int slot) {
    long word = (long) LONGS.getOpaque(stripes[slot >>> NUMBER_BITS], WORD);
    return (word & (SEALED | many)) == many;
  }

  private static int claim(long[] stripe, int index, long startedAt) {
    long word = (long) LONGS.getOpaque(stripe, WORD);
    int free = Long.numberOfTrailingZeros(~word);
    boolean claimed =
        free < stripe.length - STARTS
            && (word & PASSED) == 0
            && LONGS.compareAndSet(stripe, WORD, word, word | (1L << free));
    if (!claimed) {
      return NONE;
    }
    LONGS.setOpaque(stripe, STARTS + free, startedAt);
    return (index << NUMBER_BITS) | free;
  }

  /** Somebody was quicker, or there is no slot, or the state has passed. */
  private int beginElsewhere(int home, long startedAt) {
    while (((long) LONGS.getOpaque(stripes[home], WORD) & PASSED) == 0) {
      long[][] all = grownForMore();
      for (int i = 0; i < all.length; i++) {
        int index = (home + i) & (all.length - 1);
        int slot = claim(all[index], index, startedAt);
        if (slot != NONE) {
          return slot;
        }
      }
      if (all.length == MAX_STRIPES) {
        return NONE;
      }
      grown(2 * all.length);
    }
    return NONE;
  }

  /**
   * A call that has begun in a state that has passed is taken back, unless that has been resumed by
   * now. One too many is not, so that nobody sees it come and go: there is room for all who come
   * before they see that there is a crowd. Nor is it if the state has passed since, which has found
   * it here, and counted it among those in flight.
   *
   * @param before the word that the call was added to
   */
  private boolean isKept(long[] stripe, long before) {
    synchronized (lock) {
      if (passed && (before & PASSED) != 0) {
        var unused = (long) LONGS.getAndAdd(stripe, WORD, -ONE_UNTIMED);
        return false;
      }
      crowded = ((long) LONGS.getVolatile(stripe, WORD) & MANY_UNTIMED) != 0;
      return true;
    }
  }

  private static void raise(long[] stripe, long nanos) {
    long longest = (long) LONGS.getOpaque(stripe, SLOWEST);
    while (nanos > longest && !LONGS.compareAndSet(stripe, SLOWEST, longest, nanos)) {
      longest = (long) LONGS.getOpaque(stripe, SLOWEST);
    }
  }

  /**
   * Neighbours among thread numbers, as those of a pool are, are far apart here. The first stripe
   * is left out once there are others, for it lies beside what all threads read.
   */
  private static int home(int length) {
    if (length == 1) {
      return 0;
    }
    long spread = ThreadNumber.current() * 0x9E3779B97F4A7C15L; // 2^64 / golden ratio
    return 1 + (int) (((spread >>> Integer.SIZE) * (length - 1)) >>> Integer.SIZE);
  }

  /** Threads whose numbers put them on one stripe should be apart soon. */
  private long[][] grownForMore() {
    int twice = 2 * stripes.length;
    return grown(Math.min(MOST_STRIPES_WHEN_SHARED, Math.max(STRIPES_WHEN_SHARED, twice)));
  }

  /** The next power of two from so many for each processor. */
  private static int stripesFor(int perProcessor) {
    int wanted = perProcessor * Runtime.getRuntime().availableProcessors();
    return Math.min(MAX_STRIPES, Integer.highestOneBit(2 * wanted - 1));
  }

  private long[][] grown(int wanted) {
    if (stripes.length < wanted) {
      synchronized (lock) {
        long[][] all = stripes;
        if (all.length < wanted) {
          long[][] more = Arrays.copyOf(all, wanted);
          for (int i = all.length; i < wanted; i++) {
            more[i] = stripe(SLOTS, (sealed ? SEALED : 0) | (passed ? PASSED : 0));
          }
          stripes = more;
        }
      }
    }
    return stripes;
  }

  private static long[] stripe(int slots, long word) {
    long[] stripe = new long[STARTS + slots];
    Arrays.fill(stripe, NO_TIME);
    stripe[WORD] = word;
    stripe[SLOWEST] = -1;
    return stripe;
  }

  // What the evidence does, under its lock.

  /** Asks for successes to be taken over when a stripe has about so many. */
  void takeEvery(int calls) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(calls - 1);
    many = ONE_SUCCESS << Math.max(MIN_SUCCESS_BITS, Math.min(MAX_SUCCESS_BITS, bits));
  }

  /** From here on every success comes to the lock. */
  void seal() {
    if (!sealed) {
      sealed = true;
      for (long[] stripe : stripes) {
        var unused = (long) LONGS.getAndBitwiseOr(stripe, WORD, SEALED);
      }
    }
  }

  /** From here on successes do not need to come. */
  void unseal() {
    if (sealed && !passed) {
      sealed = false;
      for (long[] stripe : stripes) {
        var unused = (long) LONGS.getAndBitwiseAnd(stripe, WORD, ~SEALED);
      }
    }
  }

  /**
   * From here on no call begins, and all that are in flight are late.
   *
   * @return how many these are
   */
  long pass() {
    seal();
    passed = true;
    handedOn = 0;
    for (long[] stripe : stripes) {
      handedOn += inFlight((long) LONGS.getAndBitwiseOr(stripe, WORD, PASSED));
    }
    return handedOn;
  }

  /**
   * Takes {@link #pass} back.
   *
   * @return how many of those calls are still in flight
   */
  long resume() {
    passed = false;
    for (long[] stripe : stripes) {
      var unused = (long) LONGS.getAndBitwiseAnd(stripe, WORD, ~PASSED);
    }
    return handedOn;
  }

  /** Takes the successes over that were added since the last time, and how long they took. */
  int take() {
    int successes = 0;
    for (long[] stripe : stripes) {
      if (((long) LONGS.getVolatile(stripe, WORD) & ALL_SUCCESSES) != 0) {
        long word = (long) LONGS.getAndBitwiseAnd(stripe, WORD, ~ALL_SUCCESSES);
        successes += (int) ((word & ALL_SUCCESSES) / ONE_SUCCESS);
        if ((long) LONGS.getOpaque(stripe, SLOWEST) >= 0) {
          slowest = Math.max(slowest, (long) LONGS.getAndSet(stripe, SLOWEST, -1L));
        }
      }
    }
    return successes;
  }

  /** The longest of those taken over since this was last asked; -1 if none was timed. */
  long takeSlowest() {
    long longest = slowest;
    slowest = -1;
    return longest;
  }

  /** Takes off a call that ends under the lock. */
  void end(int slot) {
    long[] stripe = stripes[slot >>> NUMBER_BITS];
    int number = slot & NUMBER;
    handedOn -= passed ? 1 : 0;
    if (number == UNTIMED) {
      var unused = (long) LONGS.getAndAdd(stripe, WORD, -ONE_UNTIMED);
      return;
    }
    LONGS.setOpaque(stripe, STARTS + number, NO_TIME);
    long mark = 1L << (SLOTS + number);
    long word = (long) LONGS.getAndBitwiseAnd(stripe, WORD, ~(mark | (1L << number)));
    overdue -= (word & mark) == 0 ? 0 : 1;
  }

  /** Marks the calls that have been running for longer than the limit. */
  void markOverdue(long now, long limitNanos) {
    for (long[] stripe : stripes) {
      long inTime = inTime((long) LONGS.getVolatile(stripe, WORD));
      for (; inTime != 0; inTime &= inTime - 1) {
        markIfOverdue(stripe, Long.numberOfTrailingZeros(inTime), now, limitNanos);
      }
    }
  }

  /**
   * While the lock is held, a call can only leave its slot as a success, and so not without a
   * change of the word: if that has stayed the same, the start that was read in between is of the
   * call that is marked.
   */
  private void markIfOverdue(long[] stripe, int number, long now, long limitNanos) {
    long own = 1L << number;
    for (; ; ) {
      long word = (long) LONGS.getVolatile(stripe, WORD);
      long start = (long) LONGS.getVolatile(stripe, STARTS + number);
      if ((word & own) == 0 || start == NO_TIME || now - start <= limitNanos) {
        return;
      }
      if (LONGS.compareAndSet(stripe, WORD, word, word | (own << SLOTS))) {
        overdue++;
        return;
      }
    }
  }

  /** Takes the marks back, for a limit that has changed. */
  void forgetOverdue() {
    overdue = 0;
    for (long[] stripe : stripes) {
      var unused = (long) LONGS.getAndBitwiseAnd(stripe, WORD, ~(OCCUPIED << SLOTS));
    }
  }

  int overdue() {
    return overdue;
  }

  /** The earliest start of a timed call that is not overdue; null if there is none. */
  @Nullable Long earliestInTime() {
    long earliest = NO_TIME;
    for (long[] stripe : stripes) {
      earliest = earlier(earliest, stripe, inTime((long) LONGS.getVolatile(stripe, WORD)));
    }
    return earliest == NO_TIME ? null : (Long) earliest;
  }

  /** The earliest start of a call that is overdue; null if there is none. */
  @Nullable Long earliestOverdue() {
    if (overdue == 0) {
      return null;
    }
    long earliest = NO_TIME;
    for (long[] stripe : stripes) {
      long marked = ((long) LONGS.getVolatile(stripe, WORD) >>> SLOTS) & OCCUPIED;
      earliest = earlier(earliest, stripe, marked);
    }
    return earliest == NO_TIME ? null : (Long) earliest;
  }

  private static long earlier(long other, long[] stripe, long slots) {
    long earliest = other;
    for (long left = slots; left != 0; left &= left - 1) {
      long start = (long) LONGS.getVolatile(stripe, STARTS + Long.numberOfTrailingZeros(left));
      if (start != NO_TIME && (earliest == NO_TIME || start - earliest < 0)) {
        earliest = start;
      }
    }
    return earliest;
  }

  private static long inTime(long word) {
    return word & ~(word >>> SLOTS) & OCCUPIED;
  }

  /** When a call last succeeded here, as far as that is known, if after another moment. */
  long lastUse(long other) {
    long last = other;
    for (long[] stripe : stripes) {
      long use = (long) LONGS.getOpaque(stripe, LAST_USE);
      last = use != NO_TIME && use - last > 0 ? use : last;
    }
    return last;
  }

  long callsInFlight() {
    long calls = 0;
    for (long[] stripe : stripes) {
      calls += inFlight((long) LONGS.getVolatile(stripe, WORD));
    }
    return calls;
  }

  /** The calls in flight and the successes that were not taken over yet. */
  long calls() {
    long calls = 0;
    for (long[] stripe : stripes) {
      long word = (long) LONGS.getVolatile(stripe, WORD);
      calls += inFlight(word) + (word & ALL_SUCCESSES) / ONE_SUCCESS;
    }
    return calls;
  }

  private static long inFlight(long word) {
    return Long.bitCount(word & OCCUPIED) + (word & ALL_UNTIMED) / ONE_UNTIMED;
  }
}

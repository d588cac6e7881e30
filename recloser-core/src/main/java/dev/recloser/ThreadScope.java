package dev.recloser;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The thread that runs a call which others may stop, from the begin to the end of the call.
 *
 * <p>Whoever stops the call interrupts the thread, and must never do so after the call, when the
 * thread does something else. So both sides compete for the state. The thread wins it for {@code
 * ENDED}, and nobody interrupts it any more. Or somebody else wins it for {@code TIMED_OUT} or
 * {@code CANCELLED}, interrupts, and says that it is done; a thread that finds this at its end
 * waits for that, which is a matter of moments, and takes the interrupt back.
 *
 * <p>Taking it back must not take away other interrupts. One from before the call is put back, and
 * so is that of a scope around this one on the same thread: that one wins its state before it
 * interrupts, so its interrupt is either seen here, or comes after this. An interrupt from
 * elsewhere during the call cannot be told from that of whoever stopped it, and goes with it.
 *
 * <p>One that has ended can be used again, for another call on this or another thread, if nobody
 * else knows it but a timer. The timer may still mean the call before: so the state holds, beside
 * that, which use it is, and whoever stops a call names the use.
 */
abstract sealed class ThreadScope extends Scope permits TimedThread, Work.Worker {
  private static final int WAITING = 0;
  private static final int RUNNING = 1;
  private static final int ENDED = 2;
  private static final int TIMED_OUT = 3;
  private static final int CANCELLED = 4;

  /** How many of the lowest bits say which of these it is. */
  private static final int PHASE_BITS = 3;

  private static final int PHASE = (1 << PHASE_BITS) - 1;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(ThreadScope.class, "state", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Counted down when the call has ended or was stopped; null if nobody waits for that. */
  private final @Nullable CountDownLatch over;

  private volatile long state = WAITING;

  /** Whether whoever stopped the running call has interrupted its thread. */
  private volatile boolean interrupted;

  // Written before the state is RUNNING, anew for each use. The last two are used by the thread
  // alone.
  private @Nullable Thread thread;
  private @Nullable Scope before;
  private boolean interruptedBefore;

  /**
   * Creates one.
   *
   * @param outer what the call is in
   * @param over counted down when the call has ended or was stopped
   */
  ThreadScope(@Nullable Scope outer, @Nullable CountDownLatch over) {
    super(outer);
    this.over = over;
  }

  /** Makes another one of one that has ended, for a call that is in {@code around}. */
  final void renew(@Nullable Scope around) {
    moveInto(around);
    // The next use, which is WAITING. Its begin publishes it; a timer ignores it and the one
    // before.
    STATE.setRelease(this, (state | PHASE) + 1);
  }

  /** Lets go of what it has had to do with. */
  final void forget() {
    moveInto(null);
    thread = null;
    before = null;
  }

  /** The call begins on this thread; false if it was stopped before that. */
  final boolean begin() {
    Thread current = Thread.currentThread();
    thread = current;
    before = innermost();
    interruptedBefore = current.isInterrupted();
    if (!move(WAITING, RUNNING)) {
      return false;
    }
    setCurrent(this);
    return true;
  }

  /** The call has ended on this thread, if it was not stopped. */
  final void end() {
    setCurrent(before);
    if (move(RUNNING, ENDED)) {
      countDown();
    } else {
      takeInterruptBack();
    }
  }

  /** Ends the call if it has not begun, and then never will; tells whether it did. */
  final boolean takeBack() {
    if (!move(WAITING, CANCELLED)) {
      return false;
    }
    countDown();
    return true;
  }

  /** Ends the call for its time is over, if it has not ended. */
  final void timeOut() {
    stop(TIMED_OUT);
  }

  /** The same for a running call, if it is still the use of this that was seen then. */
  final void timeOut(long seen) {
    stopRunning(seen, TIMED_OUT);
  }

  /** Ends the call for nobody wants it any more, if it has not ended. */
  final void cancel() {
    stop(CANCELLED);
  }

  @Override
  final boolean isStopped() {
    return phase(state) > ENDED;
  }

  final boolean isTimedOut() {
    return phase(state) == TIMED_OUT;
  }

  /** Whether the call has ended, one way or another. */
  public final boolean hasEnded() {
    return phase(state) >= ENDED;
  }

  /** Whether it was stopped before it began; known when it is over. */
  final boolean isStoppedBeforeBegin() {
    return isStopped() && !interrupted;
  }

  /** Which use of this it is, and how that stands. */
  final long use() {
    return state;
  }

  static boolean isRunning(long use) {
    return phase(use) == RUNNING;
  }

  private void stop(int how) {
    if (move(WAITING, how)) {
      countDown();
    } else {
      stopRunning(state, how);
    }
  }

  private void stopRunning(long use, int how) {
    if (move(use, RUNNING, how)) {
      interrupt();
      countDown();
    }
  }

  /** Changes the state if it is this one; tells whether it did. */
  private boolean move(int from, int to) {
    return move(state, from, to);
  }

  private boolean move(long use, int from, int to) {
    return phase(use) == from && STATE.compareAndSet(this, use, use - from + to);
  }

  private static int phase(long use) {
    return (int) use & PHASE;
  }

  private void interrupt() {
    Thread running = thread;
    try {
      if (running != null) {
        running.interrupt();
      }
    } catch (Throwable e) {
      // A thread of a user's own class, and one of a scheduler that must go on.
    } finally {
      interrupted = true;
    }
  }

  /** Yields meanwhile: whoever interrupts may need the processor, or a virtual thread's carrier. */
  @SuppressWarnings("ThreadPriorityCheck") // It is right without, too.
  private void takeInterruptBack() {
    while (!interrupted) {
      Thread.yield();
    }
    boolean unused = Thread.interrupted();
    if (interruptedBefore || isStoppedAround()) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether a call around this one on this thread is being interrupted as well. */
  private boolean isStoppedAround() {
    Scope scope = before;
    while (scope != null) {
      if (scope instanceof ThreadScope around
          && around.thread == Thread.currentThread()
          && around.isStopped()) {
        return true;
      }
      scope = scope instanceof ThreadScope around ? around.before : scope.outer();
    }
    return false;
  }

  private void countDown() {
    if (over != null) {
      over.countDown();
    }
  }
}

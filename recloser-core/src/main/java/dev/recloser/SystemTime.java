package dev.recloser;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The clock and the timer of the JVM. */
final class SystemTime {
  static final Ticker TICKER = System::nanoTime;
  static final Scheduler SCHEDULER = SystemTime::schedule;

  private SystemTime() {}

  /**
   * Adds a timer of the library's own, to be taken back with {@link TimerWheel#remove}.
   *
   * @param start the reading of the clock that its time begins with
   */
  static void schedule(TimerWheel.Entry entry, long start, long delayNanos) {
    Timer.INSTANCE.add(entry, start, delayNanos);
  }

  /** The same for a {@link #moment}. */
  static void schedule(TimerWheel.Entry entry, long moment) {
    Timer.INSTANCE.add(entry, moment);
  }

  /**
   * The moment at which a time is over, to be compared with others.
   *
   * @param start the reading of the clock that the time begins with
   */
  static long moment(long start, long delayNanos) {
    return Timer.INSTANCE.moment(start, delayNanos);
  }

  /** How many timers there are, without those that stand for one call after the other. */
  static int timers() {
    return Timer.INSTANCE.timers.sizeWithoutStanding();
  }

  private static Cancellable schedule(Runnable task, Duration delay) {
    Task entry = new Task(task);
    schedule(entry, System.nanoTime(), delay.toNanos());
    return entry;
  }

  /** A timer of whoever asks {@link Scheduler#system()}. */
  static final class Task extends TimerWheel.Entry implements Cancellable {
    private final Runnable task;

    Task(Runnable task) {
      this.task = Objects.requireNonNull(task, "task");
    }

    @Override
    void ring() {
      task.run();
    }

    /** Never interrupts: the task may be running, and listeners with it. */
    @Override
    public void cancel() {
      TimerWheel.remove(this);
    }
  }

  /**
   * Rings the timers, or has them rung, on a daemon thread that is started by the first one and
   * ends when there has been none for a minute.
   *
   * <p>The thread sleeps until the moment of the first timer, {@code wakeAt}, and is woken by
   * whoever adds one that is due before that. None is overlooked: the thread first says that it
   * never wakes by itself, then looks at the timers, one lock after the other, and then says when
   * it wakes. Whoever adds a timer looks at {@code wakeAt} after it has had that lock: so either
   * the thread has seen the timer, or the timer's thread sees what was said, and wakes it.
   *
   * <p>It ends in the same way: it first says that there is no thread, and then looks whether
   * somebody has added a timer in the belief that there is one.
   */
  static final class Timer implements Runnable {
    static final Timer INSTANCE = new Timer(task -> Workers.thread(task, "recloser-timer"));
    private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ThreadFactory threads;
    private final TimerWheel timers = new TimerWheel(Runtime.getRuntime().availableProcessors());
    private final long origin = TICKER.nanoTime();
    private volatile long wakeAt = TimerWheel.NEVER;
    private volatile @Nullable Thread thread;

    Timer(ThreadFactory threads) {
      this.threads = threads;
    }

    int size() {
      return timers.size();
    }

    /** Throws what keeps it from starting its thread, and has not added the timer then. */
    void add(TimerWheel.Entry entry, long start, long delayNanos) {
      add(entry, moment(start, delayNanos));
    }

    long moment(long start, long delayNanos) {
      long begun = Math.max(0, start - origin); // The first may have begun before the origin.
      return delayNanos < TimerWheel.NEVER - begun ? begun + delayNanos : TimerWheel.NEVER - 1;
    }

    private void add(TimerWheel.Entry entry, long due) {
      timers.add(entry, due);
      Thread running = thread;
      if (running == null) {
        startFor(entry);
      } else if (due < wakeAt) {
        LockSupport.unpark(running);
      }
    }

    @Override
    public void run() {
      try {
        ringUntilIdle();
      } finally {
        thread = null;
        if (timers.size() > 0) {
          start();
        }
      }
    }

    private void ringUntilIdle() {
      long idleSince = now();
      for (; ; ) {
        wakeAt = TimerWheel.NEVER;
        timers.takeDue(now()).forEach(Timer::ring);
        long next = timers.earliest();
        wakeAt = next;
        long now = now();
        if (next != TimerWheel.NEVER) {
          idleSince = now;
          sleep(next - now);
        } else if (now - idleSince < IDLE_NANOS) {
          sleep(IDLE_NANOS - (now - idleSince));
        } else {
          return;
        }
      }
    }

    /** What a user's code may hold up is rung by others, so that the rest is on time. */
    private static void ring(TimerWheel.Entry due) {
      if (due.runsUserCode()) {
        Once.on(Workers.RINGERS, () -> ringHere(due));
      } else {
        ringHere(due);
      }
    }

    private static void ringHere(TimerWheel.Entry due) {
      try {
        due.ring();
      } catch (Throwable thrown) {
        Listeners.log("A timer threw", thrown); // The stage of a user that it has completed.
      }
    }

    private void sleep(long nanos) {
      boolean unused = Thread.interrupted(); // Of a task, which would let it sleep no more.
      if (nanos > 0) {
        LockSupport.parkNanos(this, nanos);
      }
    }

    private void startFor(TimerWheel.Entry entry) {
      try {
        start();
      } catch (Throwable failed) {
        TimerWheel.remove(entry);
        throw failed;
      }
    }

    private synchronized void start() {
      if (thread == null) {
        Thread created = threads.newThread(this);
        thread = created;
        try {
          created.start();
        } catch (Throwable failed) { // There may be too many threads now, and not next time.
          thread = null;
          throw failed;
        }
      }
    }

    private long now() {
      return TICKER.nanoTime() - origin;
    }
  }
}

package dev.recloser.test;

import dev.recloser.Cancellable;
import dev.recloser.Scheduler;
import dev.recloser.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Time that stands still until a test advances it; clock and timers move together.
 *
 * <pre>{@code
 * FakeTime time = FakeTime.create();
 * CircuitBreaker inventory =
 *     CircuitBreaker.create("inventory", config -> config.ticker(time).scheduler(time));
 *
 * time.advance(Duration.ofSeconds(30));
 * }</pre>
 *
 * <p>Advancing runs every timer that is due on the way, each at its own moment: in order of the
 * moments, and at equal moments in the order in which they were scheduled. Timers that a timer
 * schedules take part. They run on the thread that advances, and nowhere else.
 *
 * <p>Thread-safe. Timers run without a lock, so they may use this object in any way. Each advance
 * adds its full length, whether it is made by another thread or by a timer; a timer reads its own
 * moment as long as neither happens.
 */
public final class FakeTime implements Ticker, Scheduler {
  /**
   * Reading at which {@link #create()} starts: {@value} ns. It is a second before readings wrap
   * around, so that code that compares them in the wrong way does not pass by luck.
   */
  public static final long DEFAULT_ORIGIN = Long.MAX_VALUE - 1_000_000_000L;

  /** When a timer is due that lies beyond what can be reached. */
  private static final long NEVER = Long.MAX_VALUE;

  private final long origin;
  private final Object lock = new Object();
  private final TreeSet<Timer> timers =
      new TreeSet<>(Comparator.comparingLong(Timer::due).thenComparingLong(Timer::sequence));
  private long timersScheduled;

  /**
   * Nanoseconds since the start, written under the lock. Everything is ordered by these; they start
   * at zero and do not wrap around, as readings may.
   */
  private volatile long elapsed;

  private FakeTime(long origin) {
    this.origin = origin;
  }

  /** Makes a time that starts at {@link #DEFAULT_ORIGIN}. */
  public static FakeTime create() {
    return startingAt(DEFAULT_ORIGIN);
  }

  /**
   * Makes a time that starts at a reading.
   *
   * @param nanos the first reading in nanoseconds, any number
   */
  public static FakeTime startingAt(long nanos) {
    return new FakeTime(nanos);
  }

  /** Returns the present reading in nanoseconds, which may be negative and may wrap around. */
  @Override
  public long nanoTime() {
    return origin + elapsed;
  }

  /** The time advanced since the start. */
  public Duration elapsed() {
    return Duration.ofNanos(elapsed);
  }

  /**
   * Passes the time instead of waiting for it, and runs what is due on the way. A timer that
   * interrupts this thread ends the sleep at its moment.
   */
  @Override
  public void sleep(Duration delay) throws InterruptedException {
    Duration end = elapsed().plus(delay);
    for (; ; ) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Duration left = end.minus(elapsed());
      Duration next = untilNextTimer().orElse(left);
      if (next.compareTo(left) >= 0) {
        advance(left.isNegative() ? Duration.ZERO : left);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        return;
      }
      advance(next);
    }
  }

  /**
   * Schedules a timer. One without delay runs at the next advance, be it by zero.
   *
   * @param task what to run
   * @param delay how long to wait, zero or more; a delay beyond 292 years is never over
   * @return takes the timer back if it has not begun; may be called at any time, also by timers
   * @throws IllegalArgumentException when the delay is negative
   */
  @Override
  public Cancellable schedule(Runnable task, Duration delay) {
    Objects.requireNonNull(task, "task");
    long nanos = nanosOf("delay", delay);
    synchronized (lock) {
      long due = nanos < NEVER - elapsed ? elapsed + nanos : NEVER;
      Timer timer = new Timer(due, timersScheduled++, task);
      timers.add(timer);
      return () -> cancel(timer);
    }
  }

  /**
   * Advances by a time, running the timers that are due on the way and at its end.
   *
   * <p>A timer that throws stops neither the time nor other timers; when the end is reached, what
   * the first of them threw is thrown, with what others threw suppressed in it. Does not return
   * while timers keep scheduling others without delay.
   *
   * @param time how far, zero or more
   * @throws IllegalArgumentException when the time is negative, or when it leads more than 292
   *     years from the start
   */
  public void advance(Duration time) {
    long left = nanosOf("time", time);
    if (left >= NEVER - elapsed) {
      throw new IllegalArgumentException(
          "time: " + time + " (expected: to stay within 292 years of the start)");
    }
    Throwable failure = null;
    for (Step step = step(left); step.timer() != null; step = step(left)) {
      left = step.left();
      failure = run(step.timer().task(), failure);
    }
    if (failure != null) {
      throw Sneaky.rethrow(failure);
    }
  }

  /**
   * Advances to a moment, as {@link #advance} does.
   *
   * @param sinceStart the moment as time since the start, not before the present
   * @throws IllegalArgumentException when the moment has passed, or lies more than 292 years from
   *     the start
   */
  public void advanceTo(Duration sinceStart) {
    Objects.requireNonNull(sinceStart, "sinceStart");
    Duration present = elapsed();
    if (sinceStart.compareTo(present) < 0) {
      throw new IllegalArgumentException(
          "sinceStart: " + sinceStart + " (expected: at least " + present + ", the present)");
    }
    advance(sinceStart.minus(present));
  }

  /** Runs the timers that are due now, as {@link #advance} by zero does. */
  public void runDueTimers() {
    advance(Duration.ZERO);
  }

  /** How many timers are scheduled that have neither begun nor been cancelled. */
  public int pendingTimers() {
    synchronized (lock) {
      return timers.size();
    }
  }

  /** How long it is until the next timer is due, zero if one is due now; empty without timers. */
  public Optional<Duration> untilNextTimer() {
    synchronized (lock) {
      return timers.isEmpty()
          ? Optional.empty()
          : Optional.of(Duration.ofNanos(timers.first().due() - elapsed));
    }
  }

  @Override
  public String toString() {
    return "fake time " + elapsed() + " after its start, " + pendingTimers() + " timers pending";
  }

  /**
   * Moves the clock to the next timer within reach and takes that, or else to the end. It never
   * passes a timer without taking it, so no timer in the set was due before now.
   */
  private Step step(long left) {
    synchronized (lock) {
      boolean reached = !timers.isEmpty() && timers.first().due() - elapsed <= left;
      long distance = reached ? timers.first().due() - elapsed : left;
      // Exact, because advances that overlap may lead further than each of them may.
      elapsed = Math.addExact(elapsed, distance);
      return new Step(reached ? timers.pollFirst() : null, left - distance);
    }
  }

  private void cancel(Timer timer) {
    synchronized (lock) {
      timers.remove(timer);
    }
  }

  private static @Nullable Throwable run(Runnable task, @Nullable Throwable earlier) {
    try {
      task.run();
      return earlier;
    } catch (Throwable thrown) {
      if (earlier == null) {
        return thrown;
      }
      if (earlier != thrown) {
        earlier.addSuppressed(thrown);
      }
      return earlier;
    }
  }

  private static long nanosOf(String name, Duration duration) {
    Objects.requireNonNull(duration, name);
    if (duration.isNegative()) {
      throw new IllegalArgumentException(name + ": " + duration + " (expected: zero or more)");
    }
    return duration.compareTo(Duration.ofNanos(NEVER)) < 0 ? duration.toNanos() : NEVER;
  }

  /** A task and when it is due, in nanoseconds since the start; no two have the same sequence. */
  private record Timer(long due, long sequence, Runnable task) {}

  /** What one step of an advance has come to: a timer to run, or null at the end. */
  private record Step(@Nullable Timer timer, long left) {}
}

package dev.recloser;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How many retries there may be: a share of the recent calls, and a few a second in any case, so
 * that a failing dependency never sees more than that much load on top.
 *
 * <p>It counts the calls and the retries of the last ten seconds. A retry is charged when it is
 * decided on, whatever comes of it. One budget may be shared by any number of retries and so by all
 * callers of a dependency; calls that reach the dependency by several of them count once in each.
 *
 * <p>On the system's ticker, calls do not read it: a timer of the library's own notes once a second
 * how many there were, so that one may count for up to a second more than ten. There is none while
 * there are no calls. On another ticker each call reads it.
 *
 * <p>The idea, and the default figures, are those of Finagle's retry budget.
 *
 * <p>Thread-safe.
 */
public final class RetryBudget {
  /** Default share of the recent calls: {@value} %. */
  public static final double DEFAULT_PERCENTAGE = 20;

  /** Default of retries a second in any case: {@value}. */
  public static final int DEFAULT_MINIMUM_PER_SECOND = 10;

  private final Ticker ticker;
  private final Threshold share;
  private final int minimumPerSecond;

  /**
   * Calls that have begun, with and without a date, in stripes: most calls succeed, and such a one
   * touches nothing else here, neither a lock nor the clock.
   */
  private final LongAdder deposits = new LongAdder();

  private final Bell bell = new Bell();

  /** Sets the timer that dates deposits; null if there is none, and whoever makes one does. */
  private final @Nullable Consumer<Bell> timer;

  /** Guarded by itself, as is the next one. */
  private final RecentSeconds recent;

  /** How many of the deposits have been put into a second, be it one that has passed by now. */
  private long dated;

  RetryBudget(
      double percentage, int minimumPerSecond, Ticker ticker, @Nullable Consumer<Bell> timer) {
    this.ticker = ticker;
    this.timer = timer;
    this.minimumPerSecond = minimumPerSecond;
    share = Threshold.of(percentage);
    recent = new RecentSeconds(ticker.nanoTime());
  }

  /** Makes a budget with the default figures on the system's ticker. */
  public static RetryBudget create() {
    return createDefault(Ticker.system());
  }

  /**
   * Returns a budget that allows every retry, for callers who are few, or bounded by something
   * else. A dependency that fails is then called as often as all attempts together.
   */
  public static RetryBudget unlimited() {
    return Unlimited.BUDGET;
  }

  /**
   * Makes a budget on the system's ticker.
   *
   * @param percentage the share of the recent calls, above 0, at most 100, at most six decimals
   * @param minimumPerSecond the retries a second that there may be in any case, at least 0; {@code
   *     Integer.MAX_VALUE} for no limit
   * @throws InvalidConfigurationException when a figure is wrong; lists them all
   */
  public static RetryBudget create(double percentage, int minimumPerSecond) {
    return create(percentage, minimumPerSecond, Ticker.system());
  }

  static RetryBudget createDefault(Ticker ticker) {
    return create(DEFAULT_PERCENTAGE, DEFAULT_MINIMUM_PER_SECOND, ticker);
  }

  /**
   * Makes a budget.
   *
   * @param percentage the share of the recent calls, above 0, at most 100, at most six decimals
   * @param minimumPerSecond the retries a second that there may be in any case, at least 0
   * @param ticker what recent is measured by
   * @throws InvalidConfigurationException when a figure is wrong; lists them all
   */
  public static RetryBudget create(double percentage, int minimumPerSecond, Ticker ticker) {
    Objects.requireNonNull(ticker, "ticker");
    Faults faults = new Faults();
    faults.checkPercent("percentage", percentage);
    faults.check(minimumPerSecond >= 0, "minimumPerSecond", minimumPerSecond, "at least 0");
    faults.throwIfAny("A retry budget");
    // The library's own timers run on the system's time, and on no other one.
    Consumer<Bell> timer = ticker == Ticker.system() ? RetryBudget::ringInASecond : null;
    return new RetryBudget(percentage, minimumPerSecond, ticker, timer);
  }

  /**
   * How many retries it allows at this moment; {@code Integer.MAX_VALUE} for one without a limit.
   */
  public int left() {
    if (isUnlimited()) {
      return Integer.MAX_VALUE;
    }
    long now = ticker.nanoTime();
    synchronized (recent) {
      date(now);
      long allowed = share.mostOf(recent.calls()) + floor();
      return (int) Math.max(0, Math.min(Integer.MAX_VALUE, allowed - recent.retries()));
    }
  }

  /** Whether no retry is charged at this moment. */
  boolean isUncharged() {
    long now = ticker.nanoTime();
    synchronized (recent) {
      date(now);
      return recent.retries() == 0;
    }
  }

  /** Counts a call, its first attempt. */
  void deposit() {
    if (isUnlimited()) {
      return;
    }
    deposits.increment();
    if (!bell.isSet()) {
      seeThatItIsDated();
    }
  }

  /** Charges a retry if there is enough for it. */
  boolean withdraw() {
    if (isUnlimited()) {
      return true;
    }
    long now = ticker.nanoTime();
    synchronized (recent) {
      date(now);
      long beyondFloor = recent.retries() + 1 - floor();
      boolean enough = beyondFloor <= 0 || share.allows(beyondFloor, recent.calls());
      if (enough) {
        recent.addRetry();
      }
      return enough;
    }
  }

  private boolean isUnlimited() {
    return minimumPerSecond == Integer.MAX_VALUE;
  }

  private long floor() {
    return (long) minimumPerSecond * RecentSeconds.LENGTH;
  }

  private void seeThatItIsDated() {
    if (timer == null || !bell.set(timer)) {
      boolean unused = dateNow();
    }
  }

  private static void ringInASecond(Bell bell) {
    SystemTime.schedule(bell, SystemTime.TICKER.nanoTime(), RecentSeconds.SECOND);
  }

  /** Whether there was a deposit without a date. */
  private boolean dateNow() {
    long now = ticker.nanoTime();
    synchronized (recent) {
      return date(now);
    }
  }

  /**
   * Puts the deposits that have come since the last time into the present second.
   *
   * <p>None is lost, and none is counted twice: a stripe only grows, so the sum, which other
   * threads may raise meanwhile, holds at least what it held before and what this thread has added
   * to it; what it has missed is in the next one.
   */
  private boolean date(long now) {
    recent.moveTo(now);
    long sum = deposits.sum();
    long fresh = sum - dated;
    dated = sum;
    recent.addCalls(fresh);
    return fresh != 0;
  }

  /** Made when it is asked for: it has a clock to read, once. */
  private static final class Unlimited {
    static final RetryBudget BUDGET = create(100, Integer.MAX_VALUE);
  }

  /**
   * Rings once a second while there are deposits, and dates them: so each stands in the second in
   * which it was made, or in the next one.
   *
   * <p>A deposit comes first and then the look whether it is set; here it is no longer set first,
   * and then come the deposits. So one that is not seen here sets it again. Should a processor turn
   * the two steps of the deposit round, as it may, that deposit is dated with the next one, or by
   * the next retry; it would have to be the last one for a long while, and is then one call in the
   * share of a retry.
   */
  final class Bell extends TimerWheel.Entry {
    private final AtomicBoolean set = new AtomicBoolean();

    boolean isSet() {
      return set.get();
    }

    /** False if there is no timer, for lack of threads. */
    boolean set(Consumer<Bell> by) {
      if (!set.compareAndSet(false, true)) {
        return true;
      }
      try {
        by.accept(this);
        return true;
      } catch (Throwable e) {
        set.set(false);
        return false;
      }
    }

    @Override
    void ring() {
      set.set(false);
      if (dateNow()) {
        seeThatItIsDated();
      }
    }

    @Override
    boolean runsUserCode() {
      return false;
    }

    @Override
    boolean isStanding() {
      return true;
    }
  }
}

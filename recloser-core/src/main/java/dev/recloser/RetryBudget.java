package dev.recloser;

import java.util.Objects;

/**
 * How many retries there may be: a share of the recent calls, and a few a second in any case, so
 * that a failing dependency never sees more than that much load on top.
 *
 * <p>It counts the calls and the retries of the last ten seconds. A retry is charged when it is
 * decided on, whatever comes of it. One budget may be shared by any number of retries and so by all
 * callers of a dependency; calls that reach the dependency by several of them count once in each.
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

  private static final int SECONDS = 10;
  private static final long SECOND = 1_000_000_000L;

  private final Ticker ticker;
  private final Threshold share;
  private final int minimumPerSecond;

  /** Guarded by itself. A retry stands in it as a failed call. */
  private final TimeWindow recent;

  private RetryBudget(double percentage, int minimumPerSecond, Ticker ticker) {
    this.ticker = ticker;
    this.minimumPerSecond = minimumPerSecond;
    share = Threshold.of(percentage);
    recent = new TimeWindow(SECONDS, SECOND, ticker.nanoTime());
  }

  /** Makes a budget with the default figures on the system's ticker. */
  public static RetryBudget create() {
    return createDefault(Ticker.system());
  }

  /**
   * Makes a budget on the system's ticker.
   *
   * @param percentage the share of the recent calls, above 0, at most 100, at most six decimals
   * @param minimumPerSecond the retries a second that there may be in any case, at least 0
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
    return new RetryBudget(percentage, minimumPerSecond, ticker);
  }

  /** How many retries it allows at this moment. */
  public int left() {
    long now = ticker.nanoTime();
    synchronized (recent) {
      recent.expire(now);
      int calls = recent.calls - recent.failed;
      long allowed = share.mostOf(calls) + (long) minimumPerSecond * SECONDS;
      return (int) Math.max(0, Math.min(Integer.MAX_VALUE, allowed - recent.failed));
    }
  }

  /** Whether no retry is charged at this moment. */
  boolean isUncharged() {
    long now = ticker.nanoTime();
    synchronized (recent) {
      recent.expire(now);
      return recent.failed == 0;
    }
  }

  /** Counts a call, its first attempt. */
  void deposit() {
    long now = ticker.nanoTime();
    synchronized (recent) {
      recent.add(/* callFailed= */ false, /* callSlow= */ false, now);
    }
  }

  /** Charges a retry if there is enough for it. */
  boolean withdraw() {
    long now = ticker.nanoTime();
    synchronized (recent) {
      recent.expire(now);
      long retries = recent.failed + 1 - (long) minimumPerSecond * SECONDS;
      int calls = recent.calls - recent.failed;
      boolean enough = retries <= 0 || share.allows(retries, calls);
      if (enough) {
        recent.add(/* callFailed= */ true, /* callSlow= */ false, now);
      }
      return enough;
    }
  }
}

package dev.recloser;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a failed call again, after a wait and within limits: of attempts, of time, and of a budget
 * that all callers share.
 *
 * <pre>{@code
 * Retry retry = Retry.create("inventory", config -> config
 *     .maxAttempts(3)
 *     .waitDuration(Duration.ofMillis(100))
 *     .retryExceptions(IOException.class));
 *
 * Stock stock = retry.call(() -> client.stock(sku));
 * }</pre>
 *
 * <p>What the caller gets in the end is the last attempt's result or exception. An exception
 * carries those of the attempts before as suppressed ones, as far as it takes any, and a {@link
 * RetryTrail} that tells of them. A call that an open breaker refuses is not retried, unless told
 * to wait for it. An interrupt ends the waiting, and the caller gets the last failure with its
 * thread's interrupt flag set.
 *
 * <p>Only a call that may be made twice should be retried.
 *
 * <p>Thread-safe.
 */
public final class Retry extends Policy {
  private volatile RetryConfig config;

  /** That of the calls whose configuration names none. */
  private final RetryBudget ownBudget;

  private final LongAdder retries = new LongAdder();
  private final LongAdder succeeded = new LongAdder();
  private final LongAdder succeededAfterRetry = new LongAdder();
  private final LongAdder notRetried = new LongAdder();
  private final LongAdder exhausted = new LongAdder();
  private final LongAdder withoutBudget = new LongAdder();
  private final LongAdder cancelled = new LongAdder();

  private Retry(String name, RetryConfig config) {
    super(name);
    this.config = config;
    ownBudget = RetryBudget.createDefault(config.ticker);
  }

  /**
   * Makes a retry.
   *
   * @param name what it is called in messages and metrics; not blank
   * @param settings sets what shall differ from the defaults
   * @throws IllegalArgumentException when the name is blank
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static Retry create(String name, Consumer<? super RetryConfig.Builder> settings) {
    return create(name, RetryConfig.of(settings));
  }

  /**
   * Makes a retry.
   *
   * @param name what it is called in messages and metrics; not blank
   * @param config its settings
   * @throws IllegalArgumentException when the name is blank
   */
  public static Retry create(String name, RetryConfig config) {
    return new Retry(Names.check(name), Objects.requireNonNull(config, "config"));
  }

  /** Its present settings. */
  public RetryConfig config() {
    return config;
  }

  /**
   * How many retries its budget allows at this moment; {@code Integer.MAX_VALUE} for one without a
   * limit.
   */
  public int budgetLeft() {
    return budget(config).left();
  }

  /** What it has counted in its whole life. */
  public RetryMetrics metrics() {
    return new RetryMetrics(
        retries.sum(),
        succeeded.sum(),
        succeededAfterRetry.sum(),
        notRetried.sum(),
        exhausted.sum(),
        withoutBudget.sum(),
        cancelled.sum());
  }

  @Override
  public String explain() {
    RetryMetrics counted = metrics();
    long failed = counted.exhausted() + counted.withoutBudget();
    return name
        + " makes up to "
        + Text.count(config.maxAttempts(), "attempt")
        + ": of "
        + Text.count(counted.calls(), "call")
        + ", "
        + counted.succeededAfterRetry()
        + " succeeded only by a retry and "
        + failed
        + " failed for good ("
        + counted.withoutBudget()
        + " for want of budget), "
        + counted.notRetried()
        + " were not to be made again; the budget "
        + allowance(budgetLeft())
        + ".";
  }

  private static String allowance(int left) {
    return left == Integer.MAX_VALUE ? "has no limit" : "allows " + left + " more now";
  }

  /**
   * Changes settings of the living retry, for the calls that begin after that. What was counted,
   * and the budget of its own, stay.
   *
   * @param settings sets what shall differ from the present settings; asked again if they change
   *     meanwhile
   * @throws InvalidConfigurationException when settings are wrong, or the ticker is another one;
   *     changes nothing
   */
  public void reconfigure(Consumer<? super RetryConfig.Builder> settings) {
    changeSettings(this::config, before -> before.with(settings), this::replace);
  }

  /**
   * Changes the settings of the living retry to these, as {@link #reconfigure(Consumer)} does.
   *
   * @param config the new settings, with the same ticker
   * @throws InvalidConfigurationException when the ticker is another one; changes nothing
   */
  public void reconfigure(RetryConfig config) {
    Objects.requireNonNull(config, "config");
    changeSettings(this::config, before -> config, this::replace);
  }

  /**
   * Begins a call that is made by hand, attempt by attempt.
   *
   * @return to be told how each attempt ended
   */
  public RetriedCall begin() {
    RetryConfig now = config;
    Scope scope = Scope.current();
    return new RetriedCall(new Attempts(this, now, begin(now), scope), now, scope);
  }

  @Override
  @SuppressWarnings("NullAway") // A result is null where T says so.
  <T extends @Nullable Object> T around(Invocation<T> invocation, int inside) throws Throwable {
    RetryConfig now = config;
    long startedAt = begin(now);
    T result = null;
    Throwable thrown = null;
    try {
      result = invocation.proceed(inside);
    } catch (Throwable t) {
      thrown = t;
    }
    if (thrown == null && now.takesAllResults && !(result instanceof JudgedResult)) {
      countEnd(/* attempts= */ 1, /* why= */ null, /* thrown= */ null);
      return result;
    }
    Attempts attempts = new Attempts(this, now, startedAt, Scope.innermost());
    return goOn(attempts, invocation, inside, result, thrown);
  }

  /** Goes on with a call whose first attempt has ended so, which may be the end of it. */
  @SuppressWarnings("NullAway") // A result is null where T says so.
  private <T extends @Nullable Object> T goOn(
      Attempts attempts,
      Invocation<T> invocation,
      int inside,
      T firstResult,
      @Nullable Throwable firstThrown)
      throws Throwable {
    T result = firstResult;
    Throwable thrown = firstThrown;
    while (isToBeMadeAgain(attempts, result, thrown)) {
      result = null;
      thrown = null;
      try {
        result = invocation.proceed(inside);
      } catch (Throwable t) {
        thrown = t;
      }
    }
    attempts.over(thrown);
    if (thrown != null) {
      throw thrown;
    }
    return result;
  }

  /** Decides, and waits before another attempt. */
  private boolean isToBeMadeAgain(
      Attempts attempts, @Nullable Object result, @Nullable Throwable thrown) {
    long wait = attempts.waitAfter(result, thrown);
    if (wait < 0) {
      return false;
    }
    if (!slept(wait)) {
      attempts.giveUp();
      return false;
    }
    attempts.again(wait);
    return true;
  }

  @Override
  <T extends @Nullable Object> CompletableFuture<T> aroundAsync(
      Invocation<T> invocation, int inside) {
    RetryConfig now = config;
    Attempts attempts = new Attempts(this, now, begin(now), Scope.current());
    return new RetriedStage<T>(invocation, inside, attempts, now).start();
  }

  @Override
  String describe() {
    return "retry " + name + " " + config;
  }

  /**
   * Begins a call.
   *
   * @return the reading of the clock that its time is measured from, if that is limited
   */
  private long begin(RetryConfig now) {
    budget(now).deposit();
    return now.maxElapsedNanos == 0 ? 0 : now.ticker.nanoTime();
  }

  /** False if there is no point in another attempt: the wait was ended, or could not be waited. */
  private boolean slept(long nanos) {
    try {
      // A call may hide that a timeout around this retry has ended it; there is no time for more.
      if (nanos > 0 && !Scope.isEnded(Scope.innermost())) {
        sleep(config.scheduler, nanos);
      }
      return !Scope.isEnded(Scope.innermost());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (Throwable e) {
      return false; // The scheduler does not wait: the last attempt stands.
    }
  }

  RetryBudget budget(RetryConfig with) {
    RetryBudget shared = with.budget();
    return shared == null ? ownBudget : shared;
  }

  /** Whether none of the recent retries was charged to the budget of its own. */
  boolean hasWholeBudget() {
    return ownBudget.isUncharged();
  }

  void countRetry() {
    retries.increment();
  }

  /** Counts a call that has ended; without a reason why, it has succeeded. */
  void countEnd(int attempts, @Nullable RetryEnd why, @Nullable Throwable thrown) {
    if (why == null) {
      (attempts > 1 ? succeededAfterRetry : succeeded).increment();
      tellSucceeded(attempts);
      return;
    }
    counterOf(why).increment();
    if (listeners.want(RetryEvent.GaveUp.class)) {
      listeners.deliver(new RetryEvent.GaveUp(name, attempts, why, thrown));
    }
  }

  private void tellSucceeded(int attempts) {
    if (attempts > 1 && listeners.want(RetryEvent.Recovered.class)) {
      listeners.deliver(new RetryEvent.Recovered(name, attempts));
    } else if (attempts == 1 && listeners.want(RetryEvent.Succeeded.class)) {
      listeners.deliver(new RetryEvent.Succeeded(name));
    }
  }

  void tellRetrying(int attempt, long waitNanos, @Nullable Throwable thrown) {
    if (listeners.want(RetryEvent.Retrying.class)) {
      listeners.deliver(
          new RetryEvent.Retrying(name, attempt, Duration.ofNanos(waitNanos), thrown));
    }
  }

  private LongAdder counterOf(RetryEnd why) {
    return switch (why) {
      case ATTEMPTS, ELAPSED_TIME, DEADLINE, INTERVAL -> exhausted;
      case BUDGET -> withoutBudget;
      case NOT_RETRIED -> notRetried;
      case CANCELLED -> cancelled;
    };
  }

  @SuppressWarnings("ReferenceEquality") // Is it still the one that the new one was made from?
  private boolean replace(RetryConfig before, RetryConfig after) {
    checkSameTicker("retry", before.ticker, after.ticker);
    synchronized (this) {
      if (config != before) {
        return false;
      }
      config = after;
    }
    reconfigured(before, after);
    return true;
  }
}

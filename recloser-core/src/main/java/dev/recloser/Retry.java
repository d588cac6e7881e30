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
 * <p>What the caller gets in the end is the last attempt's result or exception. An exception
 * carries those of the attempts before as suppressed ones, as far as it takes any. A call that an
 * open breaker refuses is not retried, unless told to wait for it. An interrupt ends the waiting,
 * and the caller gets the last failure with its thread's interrupt flag set.
 *
 * <p>Only a call that may be made twice should be retried.
 *
 * <p>Thread-safe.
 */
public final class Retry extends Policy {
  private volatile RetryConfig config;
  private final RetryBudget budget;
  private final LongAdder calls = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder succeededAfterRetry = new LongAdder();
  private final LongAdder exhausted = new LongAdder();
  private final LongAdder withoutBudget = new LongAdder();

  private Retry(String name, RetryConfig config) {
    super(name);
    this.config = config;
    RetryBudget shared = config.budget();
    budget = shared == null ? RetryBudget.createDefault(config.ticker) : shared;
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

  /** Its settings. */
  public RetryConfig config() {
    return config;
  }

  /** What it has counted in its whole life. */
  public RetryMetrics metrics() {
    return new RetryMetrics(
        calls.sum(),
        retries.sum(),
        succeededAfterRetry.sum(),
        exhausted.sum(),
        withoutBudget.sum());
  }

  @Override
  public String explain() {
    return name + ".";
  }

  @Override
  @SuppressWarnings("NullAway") // A result is null where T says so.
  <T extends @Nullable Object> T around(Invocation<T> invocation, int inside) throws Throwable {
    Attempts attempts = new Attempts();
    for (; ; ) {
      T result = null;
      Throwable thrown = null;
      try {
        result = invocation.proceed(inside);
      } catch (Throwable t) {
        thrown = t;
      }
      long wait = attempts.waitAfter(result, thrown);
      if (wait < 0 || !slept(wait)) {
        attempts.over();
        if (thrown != null) {
          throw thrown;
        }
        return result;
      }
      attempts.again();
    }
  }

  @Override
  <T extends @Nullable Object> CompletableFuture<T> aroundAsync(
      Invocation<T> invocation, int inside) {
    var retried = new RetriedStage<T>(invocation, inside, new Attempts(), config.scheduler);
    retried.attempt();
    return retried.future();
  }

  @Override
  String describe() {
    return "retry " + name + " " + config;
  }

  /** False if there is no point in another attempt: the wait was ended, or could not be waited. */
  private boolean slept(long nanos) {
    try {
      // A call may hide that a timeout around this retry has ended it; there is no time for more.
      if (nanos > 0 && !TimedCall.currentIsStopped()) {
        config.scheduler.sleep(Duration.ofNanos(nanos));
      }
      return !TimedCall.currentIsStopped();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (Throwable e) {
      return false; // The scheduler does not wait: the last attempt stands.
    }
  }

  /** The attempts of one call, one after the other. */
  final class Attempts {
    private static final long NO_MORE = -1;
    private static final int MAX_SUPPRESSED = 8;

    private final long startedAt;
    private @Nullable Backoff backoff;
    private @Nullable Throwable last;
    private int made;

    Attempts() {
      startedAt = config.maxElapsedNanos == 0 ? 0 : config.ticker.nanoTime();
      budget.deposit();
    }

    /** How many nanoseconds to wait for another attempt after one has ended so; -1 for no other. */
    long waitAfter(@Nullable Object result, @Nullable Throwable thrown) {
      made++;
      remember(thrown);
      return decide(result, thrown);
    }

    /** Another attempt is being made. */
    void again() {
      retries.increment();
    }

    /** There is no further attempt. */
    void over() {
      calls.increment();
    }

    private long decide(@Nullable Object result, @Nullable Throwable thrown) {
      Throwable bare = thrown == null ? null : ExceptionRules.unwrap(thrown);
      long wait;
      if (bare instanceof CallNotPermittedException refused) {
        wait = waitForBreaker(refused);
      } else if (classify(result, bare) == Outcome.FAILURE) {
        wait = Math.max(nextBackoff(), retryAfterNanos(result, bare));
      } else {
        if (made > 1 && thrown == null) {
          succeededAfterRetry.increment();
        }
        return NO_MORE;
      }
      if (wait == NO_MORE) {
        return NO_MORE;
      }
      if (made >= config.maxAttempts() || isTooLate(wait)) {
        exhausted.increment();
        return NO_MORE;
      }
      if (!budget.withdraw()) {
        withoutBudget.increment();
        return NO_MORE;
      }
      return wait;
    }

    private Outcome classify(@Nullable Object result, @Nullable Throwable bare) {
      try {
        return Objects.requireNonNull(config.classifier.classify(result, bare));
      } catch (Throwable e) {
        // It cannot say that the call should be made again, so it is not.
        return Outcome.IGNORED;
      }
    }

    private long waitForBreaker(CallNotPermittedException refused) {
      return config.waitForCircuitBreaker()
          ? refused.retryAfter().map(Duration::toNanos).orElse(NO_MORE)
          : NO_MORE;
    }

    private long nextBackoff() {
      if (backoff == null) {
        backoff = new Backoff(config);
      }
      return backoff.after(made);
    }

    private long retryAfterNanos(@Nullable Object result, @Nullable Throwable bare) {
      try {
        return RetryAfter.nanos(config.retryAfter(), result, bare, config.maxWaitDuration());
      } catch (Throwable e) {
        return 0;
      }
    }

    private boolean isTooLate(long wait) {
      return config.maxElapsedNanos > 0
          && config.ticker.nanoTime() - startedAt > config.maxElapsedNanos - wait;
    }

    /**
     * Hangs the failure before onto the present one, which is the one that the caller sees; but not
     * onto one that has many already, as an exception that is thrown again and again would.
     */
    private void remember(@Nullable Throwable thrown) {
      if (thrown != null
          && last != null
          && thrown != last
          && thrown.getSuppressed().length < MAX_SUPPRESSED) {
        thrown.addSuppressed(last);
      }
      last = thrown == null ? last : thrown;
    }
  }
}

package dev.recloser;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one call, one after the other, and the decision about the next. Of a plain call,
 * made when the first attempt has ended otherwise than most do. Not thread-safe, since each attempt
 * hands it on to the next.
 */
final class Attempts {
  static final long NO_MORE = -1;
  private static final int MAX_SUPPRESSED = 8;

  private final Retry retry;
  private final RetryConfig config;
  private final RetryBudget budget;

  /** What the call is in, which may leave it less time than the settings do. */
  private final @Nullable Scope scope;

  private final long startedAt;
  private @Nullable Backoff backoff;
  private @Nullable Throwable last;

  /** Written by one thread at a time, read for an event by whoever ends the call. */
  private volatile int made;

  private long waitedNanos;

  /** Why there is no other attempt; null while there may be one, and after a success. */
  private @Nullable RetryEnd end;

  /**
   * Makes those of one call, the first included.
   *
   * @param config the settings that the call began with
   * @param startedAt the reading of the clock at that time
   * @param scope what the call is in
   */
  Attempts(Retry retry, RetryConfig config, long startedAt, @Nullable Scope scope) {
    this.retry = retry;
    this.config = config;
    this.startedAt = startedAt;
    this.scope = scope;
    budget = retry.budget(config);
  }

  /**
   * How many nanoseconds to wait for another attempt after one has ended so; -1 for no other. Never
   * throws.
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread at a time
  long waitAfter(@Nullable Object result, @Nullable Throwable thrown) {
    made++;
    remember(thrown);
    long wait;
    try {
      wait = decide(result, thrown == null ? null : ExceptionRules.unwrap(thrown));
    } catch (Throwable broken) {
      // Without a clock there is no saying whether there may be another: what is there stands.
      retry.userCodeFailed("ticker", broken);
      giveUp();
      return NO_MORE;
    }
    if (wait != NO_MORE) {
      retry.tellRetrying(made, wait, thrown);
    }
    return wait;
  }

  Retry retry() {
    return retry;
  }

  /** Another attempt is being made, after that wait. */
  void again(long nanos) {
    waitedNanos += nanos;
    retry.countRetry();
  }

  /** There will be no other attempt, whatever was decided. */
  void giveUp() {
    end = RetryEnd.CANCELLED;
  }

  /** The caller has ended the call; may run on another thread than the attempts. */
  void givenUpByCaller() {
    retry.countEnd(made, RetryEnd.CANCELLED, null);
  }

  /** The call has ended with what the last attempt threw, or with its result. */
  void over(@Nullable Throwable thrown) {
    RetryEnd why = end;
    boolean isTold = made > 1 || (why != RetryEnd.ATTEMPTS && why != RetryEnd.NOT_RETRIED);
    if (why != null && thrown != null && isTold) {
      RetryTrail.hang(thrown, retry.name(), made, waitedNanos, why);
    }
    retry.countEnd(made, why, thrown);
  }

  private long decide(@Nullable Object result, @Nullable Throwable bare) {
    long wait;
    if (bare instanceof CallNotPermittedException refused && !config.retryRefusals()) {
      wait = waitForBreaker(refused);
    } else if (classify(result, bare) == Outcome.FAILURE) {
      wait = waitAfterFailure(result, bare);
    } else {
      return bare == null ? NO_MORE : end(RetryEnd.NOT_RETRIED);
    }
    if (wait == NO_MORE) {
      return NO_MORE;
    }
    RetryEnd limit = limit(wait);
    return limit == null ? wait : end(limit);
  }

  /** What forbids another attempt after this wait; the budget last, for asking is paying. */
  private @Nullable RetryEnd limit(long wait) {
    if (made >= config.maxAttempts()) {
      return RetryEnd.ATTEMPTS;
    }
    if (isTooLate(wait)) {
      return RetryEnd.ELAPSED_TIME;
    }
    if (wait >= Scope.leastLeft(scope)) {
      return RetryEnd.DEADLINE;
    }
    return budget.withdraw() ? null : RetryEnd.BUDGET;
  }

  private long end(RetryEnd why) {
    end = why;
    return NO_MORE;
  }

  private Outcome classify(@Nullable Object result, @Nullable Throwable bare) {
    try {
      return Objects.requireNonNull(config.classifier.classify(result, bare), "outcome");
    } catch (Throwable e) {
      // It cannot say that the call should be made again, so it is not.
      retry.userCodeFailed("classifier", e);
      return Outcome.IGNORED;
    }
  }

  private long waitForBreaker(CallNotPermittedException refused) {
    Duration wait = config.waitForCircuitBreaker() ? refused.retryAfter().orElse(null) : null;
    return wait == null ? end(RetryEnd.NOT_RETRIED) : wait.toNanos();
  }

  private long waitAfterFailure(@Nullable Object result, @Nullable Throwable bare) {
    if (backoff == null) {
      backoff = new Backoff(retry, config);
    }
    long wait = backoff.after(made);
    return wait < 0 ? end(RetryEnd.INTERVAL) : Math.max(wait, retryAfterNanos(result, bare));
  }

  private long retryAfterNanos(@Nullable Object result, @Nullable Throwable bare) {
    try {
      return RetryAfter.nanos(config.retryAfter(), result, bare, config.maxWaitNanos);
    } catch (Throwable e) {
      retry.userCodeFailed("retryAfter", e);
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

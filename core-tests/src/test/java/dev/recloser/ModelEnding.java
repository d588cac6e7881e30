package dev.recloser;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The ways in which a call can end, and what the rules make of each. */
@SuppressWarnings("ImmutableEnumChecker") // Nobody changes the exceptions.
enum ModelEnding {
  FINE("fine"),
  NOTHING((Object) null),
  /** The predicate for results calls it a failure. */
  BAD("bad"),
  /** The predicate for results throws. */
  POISON("poison"),
  IO(new IOException()),
  NOT_FOUND(new FileNotFoundException()),
  BUSY(new BusyException(Duration.ofMillis(30))),
  VERY_BUSY(new BusyException(Duration.ofDays(1_000_000))),
  WRONGLY_BUSY(new BusyException(Duration.ofMillis(-1))),
  ARGUMENT(new IllegalArgumentException()),
  ERROR(new StackOverflowError()),
  WRAPPED(new CompletionException(new ExecutionException(new IOException()))),
  EMPTY_WRAPPER(new CompletionException("empty", null)),
  WRAPPED_CANCELLATION(new CompletionException(new CancellationException())),
  INTERRUPTION(new InterruptedException()),
  REFUSAL(
      new CallNotPermittedException(
          "other", CircuitBreaker.State.OPEN, RefusalReason.OPEN, null, 0, false)),
  SAID_SUCCESS(Outcome.SUCCESS),
  SAID_FAILURE(Outcome.FAILURE),
  SAID_IGNORED(Outcome.IGNORED),
  CLOSED(Outcome.CANCELLED);

  private final @Nullable Object result;
  private final @Nullable Throwable thrown;
  private final @Nullable Outcome said;

  ModelEnding(@Nullable Object result) {
    this(result, null, null);
  }

  ModelEnding(Throwable thrown) {
    this(null, thrown, null);
  }

  ModelEnding(Outcome said) {
    this(null, null, said);
  }

  ModelEnding(@Nullable Object result, @Nullable Throwable thrown, @Nullable Outcome said) {
    this.result = result;
    this.thrown = thrown;
    this.said = said;
  }

  /** The setting {@code recordResult} of all breakers. */
  static boolean isBad(@Nullable Object result) {
    if ("poison".equals(result)) {
      throw new IllegalStateException("poison");
    }
    return "bad".equals(result);
  }

  /** The setting {@code retryAfter} of some breakers. */
  static @Nullable Duration retryAfter(@Nullable Object result, @Nullable Throwable thrown) {
    if (thrown instanceof StackOverflowError) {
      throw new IllegalStateException("cannot tell");
    }
    return thrown instanceof BusyException busy ? busy.retryAfter : null;
  }

  void apply(Permit permit) {
    if (this == CLOSED) {
      permit.close();
    } else if (said != null) {
      permit.record(said);
    } else if (thrown != null) {
      permit.fail(thrown);
    } else {
      permit.complete(result);
    }
  }

  /** What it is by rule S4. */
  Outcome outcome(CircuitBreakerConfig config) {
    if (said != null) {
      return said;
    }
    if (thrown == null) {
      return this == BAD || this == POISON ? Outcome.FAILURE : Outcome.SUCCESS;
    }
    return switch (this) {
      case WRAPPED_CANCELLATION, INTERRUPTION -> Outcome.CANCELLED;
      case REFUSAL -> Outcome.IGNORED;
      case WRAPPED -> IO.outcome(config);
      default -> outcomeOf(thrown, config);
    };
  }

  /** How long it asks to be left alone, where somebody listens. */
  Duration asksToWait(CircuitBreakerConfig config) {
    boolean asks = config.retryAfter() != null && (this == BUSY || this == VERY_BUSY);
    return asks && thrown instanceof BusyException busy ? busy.retryAfter : Duration.ZERO;
  }

  private static Outcome outcomeOf(Throwable thrown, CircuitBreakerConfig config) {
    for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
      if (config.ignoreExceptions().contains(type.getName())) {
        return Outcome.IGNORED;
      }
    }
    for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
      if (config.recordExceptions().contains(type.getName())) {
        return Outcome.FAILURE;
      }
    }
    return config.recordExceptions().isEmpty() ? Outcome.FAILURE : config.unlistedExceptions();
  }

  private static final class BusyException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    BusyException(Duration retryAfter) {
      this.retryAfter = retryAfter;
    }
  }
}

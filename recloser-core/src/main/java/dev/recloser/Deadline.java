package dev.recloser;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The moment by which a caller must have its answer, told once and known to all policies on the
 * way.
 *
 * <pre>{@code
 * Deadline deadline = Deadline.after(Duration.ofMillis(800)); // what the request has left
 *
 * Stock stock = deadline.call(() -> inventory.call(() -> client.stock(sku)));
 * }</pre>
 *
 * <p>Whatever limits time inside it goes by what is left, not by a fresh time of its own: a {@link
 * Retry} begins no wait that would end after it, a {@link Bulkhead} or a {@link RateLimiter} lets
 * nobody wait longer, and a {@link Timeout} gives at most what is left. A timeout is a deadline in
 * this sense for everything inside it. A deadline by itself ends nothing: it needs a timeout inside
 * it, or a call that asks for {@link #remainingOfCall}.
 *
 * <p>It goes with the call over to other threads, as far as policies move it there.
 *
 * <p>Immutable.
 */
public final class Deadline {
  private final Ticker ticker;
  private final long end;

  private Deadline(Ticker ticker, long end) {
    this.ticker = ticker;
    this.end = end;
  }

  /**
   * Makes a deadline.
   *
   * @param time how far it is from now; negative means that it has passed
   */
  public static Deadline after(Duration time) {
    return after(time, Ticker.system());
  }

  /**
   * Makes a deadline.
   *
   * @param time how far it is from now, at most 36,500 days; negative means that it has passed
   * @param ticker what it is read from
   */
  public static Deadline after(Duration time, Ticker ticker) {
    Objects.requireNonNull(time, "time");
    Duration least = Faults.MAX_DURATION.negated();
    Duration bounded = time.compareTo(least) < 0 ? least : time;
    if (bounded.compareTo(Faults.MAX_DURATION) > 0) {
      throw new IllegalArgumentException(
          "time: " + Text.of(time) + " (expected: at most 36,500 days)");
    }
    return new Deadline(ticker, ticker.nanoTime() + bounded.toNanos());
  }

  /**
   * How long the call that this thread is in has left, by all deadlines and timeouts around it;
   * zero if none. Empty if nothing limits it.
   */
  public static Optional<Duration> remainingOfCall() {
    long nanos = Scope.leastLeft(Scope.innermost());
    return nanos == Scope.UNLIMITED
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, nanos)));
  }

  /** How long it is until then; zero if it has passed. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, nanosLeft()));
  }

  /**
   * Makes a call by this deadline. The call is made even when it has passed: what is in it decides.
   *
   * @param call the call; what it throws passes through
   * @return what it returned
   */
  public <T extends @Nullable Object, X extends Throwable> T call(CheckedSupplier<T, X> call)
      throws X {
    Objects.requireNonNull(call, "call");
    Scope before = Scope.innermost();
    Scope.setCurrent(new Mark(this, before));
    try {
      return call.get();
    } finally {
      Scope.setCurrent(before);
    }
  }

  /**
   * Starts an asynchronous call by this deadline.
   *
   * @param call starts the call; one that throws is a call that failed
   * @return never null; nothing is ever thrown
   */
  public <T extends @Nullable Object> CompletableFuture<T> callAsync(
      Supplier<? extends CompletionStage<T>> call) {
    Objects.requireNonNull(call, "call");
    return call(() -> Stages.start(call));
  }

  @Override
  public String toString() {
    return "in " + Text.of(remaining());
  }

  private long nanosLeft() {
    return end - ticker.nanoTime();
  }

  /** A deadline around a call. */
  static final class Mark extends Scope {
    private final Deadline deadline;

    Mark(Deadline deadline, @Nullable Scope outer) {
      super(outer);
      this.deadline = deadline;
    }

    @Override
    long nanosLeft() {
      try {
        return deadline.nanosLeft();
      } catch (Throwable e) {
        Listeners.log("The ticker of a deadline threw; it limits nothing then", e);
        return UNLIMITED;
      }
    }

    @Override
    boolean isStopped() {
      return false;
    }

    @Override
    @Nullable TimeoutExceededException timeout(@Nullable Throwable cause) {
      return null;
    }
  }
}

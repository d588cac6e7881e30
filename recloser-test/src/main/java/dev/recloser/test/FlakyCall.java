package dev.recloser.test;

import dev.recloser.Cancellable;
import dev.recloser.CheckedSupplier;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call to a dependency that fails and dawdles by a script, in fake time.
 *
 * <pre>{@code
 * FlakyCall<String> stock =
 *     FlakyCall.returning("7 left", time)
 *         .succeed(2)
 *         .succeed(3, Duration.ofMillis(400))
 *         .fail(5, IOException::new)
 *         .fail(1, Duration.ofSeconds(2), TimeoutException::new);
 *
 * inventory.call(stock);              // advances the time by what the call takes
 * inventory.callAsync(stock::start);  // is in flight until somebody advances the time
 * }</pre>
 *
 * <p>Each call takes the next part of the script; when it is used up, calls succeed at once.
 *
 * <p>Thread-safe.
 *
 * @param <T> the type of the result
 */
public final class FlakyCall<T extends @Nullable Object> implements CheckedSupplier<T, Exception> {
  private final T result;
  private final FakeTime time;

  /** Guarded by itself, as are {@link #calls} and what is left of a part. */
  private final Queue<Part> script = new ArrayDeque<>();

  private long calls;

  private FlakyCall(T result, FakeTime time) {
    this.result = result;
    this.time = time;
  }

  /**
   * Makes a call without a script.
   *
   * @param result what it returns when it succeeds; may be null
   * @param time what it takes its time from
   */
  public static <T extends @Nullable Object> FlakyCall<T> returning(T result, FakeTime time) {
    return new FlakyCall<>(result, Objects.requireNonNull(time, "time"));
  }

  /**
   * Lets the next calls succeed at once.
   *
   * @param calls how many, at least 1
   * @return this
   */
  public FlakyCall<T> succeed(int calls) {
    return succeed(calls, Duration.ZERO);
  }

  /**
   * Lets the next calls succeed after a time.
   *
   * @param calls how many, at least 1
   * @param after what each takes, zero or more
   * @return this
   */
  public FlakyCall<T> succeed(int calls, Duration after) {
    return then(new Part(calls, after, null));
  }

  /**
   * Lets the next calls fail at once.
   *
   * @param calls how many, at least 1
   * @param fault makes what each throws, or throws it itself
   * @return this
   */
  public FlakyCall<T> fail(int calls, Supplier<? extends Throwable> fault) {
    return fail(calls, Duration.ZERO, fault);
  }

  /**
   * Lets the next calls fail after a time.
   *
   * @param calls how many, at least 1
   * @param after what each takes, zero or more
   * @param fault makes what each throws, or throws it itself
   * @return this
   */
  public FlakyCall<T> fail(int calls, Duration after, Supplier<? extends Throwable> fault) {
    return then(new Part(calls, after, Objects.requireNonNull(fault, "fault")));
  }

  /**
   * Makes the next call: advances the time by what it takes, and then returns or throws. Timers
   * that are due run meanwhile, on this thread.
   *
   * @throws Exception if the script says so; what a fault makes may also be an {@code Error}
   */
  @Override
  public T get() throws Exception {
    Part part = next();
    time.advance(part.after);
    return answer(part);
  }

  /**
   * Starts the next call, which ends on the thread that advances the time as far.
   *
   * @return completed already if the call takes no time; to cancel it ends the call
   */
  public CompletableFuture<T> start() {
    Part part = next();
    CompletableFuture<T> future = new CompletableFuture<>();
    if (part.after.isZero()) {
      end(future, part);
      return future;
    }
    Cancellable timer = time.schedule(() -> end(future, part), part.after);
    // Nothing stays behind of a call that has been cancelled.
    CompletableFuture<T> unused = future.whenComplete((value, thrown) -> timer.cancel());
    return future;
  }

  /** How many calls have been made or started: those that a breaker has let through. */
  public long calls() {
    synchronized (script) {
      return calls;
    }
  }

  private FlakyCall<T> then(Part part) {
    synchronized (script) {
      script.add(part);
    }
    return this;
  }

  private Part next() {
    synchronized (script) {
      calls++;
      Part part = script.peek();
      if (part == null) {
        return Part.HEALTHY;
      }
      if (--part.left == 0) {
        script.remove();
      }
      return part;
    }
  }

  private T answer(Part part) {
    if (part.fault != null) {
      throw Sneaky.rethrow(Objects.requireNonNull(part.fault.get(), "fault"));
    }
    return result;
  }

  private void end(CompletableFuture<T> future, Part part) {
    try {
      future.complete(answer(part));
    } catch (Throwable thrown) {
      future.completeExceptionally(thrown);
    }
  }

  /** What a number of calls do alike. */
  private static final class Part {
    static final Part HEALTHY = new Part(1, Duration.ZERO, null);

    int left;
    final Duration after;
    final @Nullable Supplier<? extends Throwable> fault;

    Part(int calls, Duration after, @Nullable Supplier<? extends Throwable> fault) {
      if (calls < 1) {
        throw new IllegalArgumentException("calls: " + calls + " (expected: at least 1)");
      }
      if (after.isNegative()) {
        throw new IllegalArgumentException("after: " + after + " (expected: zero or more)");
      }
      left = calls;
      this.after = after;
      this.fault = fault;
    }
  }
}

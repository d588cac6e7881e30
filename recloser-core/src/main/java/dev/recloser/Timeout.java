package dev.recloser;

import dev.recloser.TimeoutEvent.CallFinished;
import dev.recloser.TimeoutEvent.TimedOut;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives calls a time in which to end, and ends those that do not.
 *
 * <pre>{@code
 * Timeout timeout = Timeout.create("inventory", Duration.ofMillis(200));
 *
 * Stock stock = timeout.call(() -> client.stock(sku));
 * }</pre>
 *
 * <p>A call that is not over in time ends with {@link TimeoutExceededException}:
 *
 * <ul>
 *   <li>A plain call runs on the calling thread, which is interrupted. A call that ignores this
 *       keeps its caller, who gets the exception when it ends at last, in place of its result.
 *   <li>With an {@linkplain TimeoutConfig.Builder#executor executor}, a plain call runs on one of
 *       its threads. The caller gets the exception on time in any case; the call is interrupted, or
 *       never begun. Interrupting the caller while it waits cancels the call: it gets a {@code
 *       CancellationException} with its interrupt flag set.
 *   <li>The future of an asynchronous call completes on time, and its stage is cancelled.
 * </ul>
 *
 * <p>Interrupts of the timeout are never seen after the call: the interrupt flag is then as it was
 * before. For every breaker, around the timeout or inside it, a call that was ended in this way is
 * a {@link Outcome#FAILURE}, though it ends with an interrupt or a cancellation; a retry inside it
 * makes no further attempt.
 *
 * <p>A scheduler that throws, or does not run its tasks, costs punctuality: a call then goes on
 * until it ends by itself, and still ends with the exception if it has taken too long.
 *
 * <p>Thread-safe.
 */
public final class Timeout extends Policy {
  private volatile TimeoutConfig config;
  private final SpareThreads spares;
  private final LongAdder succeeded = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder timedOut = new LongAdder();

  private Timeout(String name, TimeoutConfig config) {
    super(name);
    this.config = config;
    spares = new SpareThreads(this, Runtime.getRuntime().availableProcessors());
  }

  /**
   * Makes a timeout.
   *
   * @param name what it is called in messages and metrics; not blank
   * @param timeoutDuration how long a call may take, more than zero
   * @throws IllegalArgumentException when the name is blank
   * @throws InvalidConfigurationException when the duration is wrong
   */
  public static Timeout create(String name, Duration timeoutDuration) {
    return create(name, settings -> settings.timeoutDuration(timeoutDuration));
  }

  /**
   * Makes a timeout.
   *
   * @param name what it is called in messages and metrics; not blank
   * @param settings sets what shall differ from the defaults
   * @throws IllegalArgumentException when the name is blank
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static Timeout create(String name, Consumer<? super TimeoutConfig.Builder> settings) {
    return create(name, TimeoutConfig.of(settings));
  }

  /**
   * Makes a timeout.
   *
   * @param name what it is called in messages and metrics; not blank
   * @param config its settings
   * @throws IllegalArgumentException when the name is blank
   */
  public static Timeout create(String name, TimeoutConfig config) {
    return new Timeout(Names.check(name), Objects.requireNonNull(config, "config"));
  }

  /** Its present settings. */
  public TimeoutConfig config() {
    return config;
  }

  /** What it has counted in its whole life. */
  public TimeoutMetrics metrics() {
    return new TimeoutMetrics(succeeded.sum(), failed.sum(), timedOut.sum());
  }

  @Override
  public String explain() {
    TimeoutMetrics counted = metrics();
    long calls = counted.succeeded() + counted.failed() + counted.timedOut();
    return name
        + " gives calls "
        + Text.of(config.timeoutDuration())
        + ": "
        + counted.timedOut()
        + " of "
        + Text.count(calls, "call")
        + " did not end in time.";
  }

  /**
   * Changes settings of the living timeout, for the calls that begin after that.
   *
   * @param settings sets what shall differ from the present settings; asked again if they change
   *     meanwhile
   * @throws InvalidConfigurationException when settings are wrong; lists them all, and changes
   *     nothing
   */
  public void reconfigure(Consumer<? super TimeoutConfig.Builder> settings) {
    changeSettings(this::config, before -> before.with(settings), this::replace);
  }

  /**
   * Changes the settings of the living timeout to these, for the calls that begin after that.
   *
   * @param config the new settings
   */
  public void reconfigure(TimeoutConfig config) {
    Objects.requireNonNull(config, "config");
    changeSettings(this::config, before -> config, this::replace);
  }

  @Override
  <T extends @Nullable Object> T around(Invocation<T> invocation, int inside) throws Throwable {
    TimeoutConfig now = config;
    Scope around = Scope.innermost();
    long nanos = nanosFor(now, around);
    if (nanos <= 0) {
      throw notMade(now);
    }
    Executor executor = now.executor();
    if (executor != null) {
      return new TimedWork<>(new OwnTimer(this, now, nanos), invocation, inside).await(executor);
    }
    if (now.onSystemTime) {
      return onThisThread(spares.take(now, nanos, around), invocation, inside);
    }
    OwnTimer limit = new OwnTimer(this, now, nanos);
    return onThisThread(new TimedThread(limit, around, null), invocation, inside);
  }

  @Override
  <T extends @Nullable Object> CompletableFuture<T> aroundAsync(
      Invocation<T> invocation, int inside) {
    TimeoutConfig now = config;
    long nanos = nanosFor(now, Scope.innermost());
    return nanos <= 0
        ? CompletableFuture.failedFuture(notMade(now))
        : new TimedStage<T>(new OwnTimer(this, now, nanos)).start(invocation, inside);
  }

  @Override
  boolean letsInByHand() {
    return true;
  }

  /** By hand it can end nothing: it judges afterwards. */
  @Override
  HandEntry enter() {
    TimeoutConfig now = config;
    long nanos = nanosFor(now, Scope.innermost());
    if (nanos <= 0) {
      throw notMade(now);
    }
    TimeLimit limit = new OwnTimer(this, now, nanos);
    return end -> {
      if (limit.isOver()) {
        return new HandEntry.Failed(timedOut(limit, null));
      }
      ended(limit, end.returned(), null);
      return end;
    };
  }

  @Override
  String describe() {
    return "timeout " + name + " " + config;
  }

  /** How long a call may take, which may have less time left than the settings give it. */
  private static long nanosFor(TimeoutConfig now, @Nullable Scope around) {
    return Math.min(now.timeoutNanos, Scope.leastLeft(around));
  }

  @SuppressWarnings("NullAway") // A result is null where T says so.
  private <T extends @Nullable Object> T onThisThread(
      TimedThread call, Invocation<T> invocation, int inside) throws Throwable {
    boolean unused = call.begin(); // True: nobody has it who could have stopped it by now.
    T result = null;
    Throwable thrown = null;
    try {
      call.limit.startTimer(call);
      result = invocation.proceed(inside);
    } catch (Throwable t) {
      thrown = t;
    }
    call.end();
    try {
      return conclude(call, result, thrown);
    } finally {
      spares.giveBack(call);
    }
  }

  /** Gives the caller of a plain call, which has ended or was stopped, what it gets. */
  <T extends @Nullable Object> T conclude(TimedThread call, T result, @Nullable Throwable thrown)
      throws Throwable {
    call.limit.cancelTimer();
    if (call.isTimedOut() || call.limit.isOver()) {
      throw timedOut(call.limit, thrown);
    }
    ended(call.limit, thrown);
    if (thrown != null) {
      throw thrown;
    }
    return result;
  }

  /** Counts a call that has ended in time. */
  void ended(TimeLimit limit, @Nullable Throwable thrown) {
    ended(limit, thrown == null, thrown);
  }

  private void ended(TimeLimit limit, boolean returned, @Nullable Throwable thrown) {
    (returned ? succeeded : failed).increment();
    if (listeners.want(CallFinished.class)) {
      listeners.deliver(new CallFinished(name, limit.elapsed(), thrown));
    }
  }

  /** Counts a call for which there was no time, and gives its exception. */
  private DeadlineExceededException notMade(TimeoutConfig now) {
    timedOut.increment();
    if (listeners.want(TimedOut.class)) {
      listeners.deliver(new TimedOut(name, Duration.ZERO, Duration.ZERO));
    }
    return new DeadlineExceededException(name, now.writableStackTraceEnabled());
  }

  /** Counts a call that has not ended in time, and gives its exception. */
  TimeoutExceededException timedOut(TimeLimit limit, @Nullable Throwable cause) {
    timedOut.increment();
    TimeoutExceededException exceeded = limit.exceeded(cause);
    if (listeners.want(TimedOut.class)) {
      listeners.deliver(new TimedOut(name, exceeded.limit(), limit.elapsed()));
    }
    return exceeded;
  }

  /** Schedules it on the system's time. */
  void schedule(OwnTimer limit) {
    try {
      SystemTime.schedule(limit, limit.startedAt(), limit.nanos());
    } catch (Throwable e) {
      schedulerFailed(e);
    }
  }

  /** Schedules what ends a call; null if the scheduler does not take it. */
  @Nullable Cancellable schedule(TimeoutConfig config, Runnable task, Duration delay) {
    try {
      return config.scheduler.schedule(task, delay);
    } catch (Throwable e) {
      schedulerFailed(e);
      return null;
    }
  }

  @SuppressWarnings("ReferenceEquality") // Is it still the one that the new one was made from?
  private boolean replace(TimeoutConfig before, TimeoutConfig after) {
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

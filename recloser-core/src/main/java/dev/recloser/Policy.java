package dev.recloser;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Something that stands around calls and decides whether, when, or how often they are made.
 *
 * <p>All policies are used in the same ways, alone as here, or together in a {@link Pipeline}. What
 * a call throws passes through as it is; what a policy throws itself is a {@link
 * CallRejectedException} where it did not make the call.
 *
 * <p>Thread-safe.
 */
public abstract sealed class Policy
    permits Bulkhead, CircuitBreaker, FallbackLayer, Hedge, RateLimiter, Retry, Timeout {
  final String name;
  final Listeners listeners = new Listeners();

  /** Made by the first call that needs it; two threads at once may each make one. */
  private @Nullable Route alone;

  /** Two threads at once may both log; nobody minds. */
  private volatile boolean loggedScheduler;

  Policy(String name) {
    this.name = Names.check(name);
  }

  /** What it is called in messages, metrics and events. */
  public final String name() {
    return name;
  }

  /**
   * Says in one sentence how it stands and what that means for the next call; for people, and not
   * to be parsed.
   */
  public abstract String explain();

  /**
   * Registers a listener for a type of event. It is called on the thread that makes the news,
   * should be quick, and must not block. One that throws is logged once and harms nobody.
   *
   * @param type a type of event; {@link PolicyEvent} for all
   * @param listener what to call
   * @return unregisters it
   */
  public final <E extends PolicyEvent> Cancellable on(Class<E> type, Consumer<? super E> listener) {
    return listeners.add(
        Objects.requireNonNull(type, "type"), Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Makes a call under this policy.
   *
   * @param call the call; what it throws passes through
   * @return what it returned
   * @throws CallRejectedException if the call was not made
   * @throws X what the call threw
   */
  @SuppressWarnings("NullAway") // A result is null where T says so.
  public <T extends @Nullable Object, X extends Throwable> T call(CheckedSupplier<T, X> call)
      throws X {
    return Invocation.of(alone(), /* key= */ null, call).run();
  }

  /**
   * Makes a call without a result under this policy.
   *
   * @param call the call; what it throws passes through
   * @throws CallRejectedException if the call was not made
   * @throws X what the call threw
   */
  @SuppressWarnings("NullAway") // A call without a result has the result null.
  public <X extends Throwable> void run(CheckedRunnable<X> call) throws X {
    Objects.requireNonNull(call, "call");
    this.<@Nullable Object, X>call(
        () -> {
          call.run();
          return null;
        });
  }

  /**
   * Makes an asynchronous call under this policy; it ends when its stage does. Completing the
   * future that is returned from outside, by cancelling it or with a time-out, ends the call and
   * cancels its stage.
   *
   * @param call starts the call; one that throws is a call that failed
   * @return never null; nothing is ever thrown
   */
  public <T extends @Nullable Object> CompletableFuture<T> callAsync(
      Supplier<? extends CompletionStage<T>> call) {
    return Invocation.ofAsync(alone(), /* key= */ null, call).start();
  }

  /**
   * Returns an implementation of an interface that makes every call to another one under this
   * policy.
   *
   * <p>Methods that return a {@code CompletionStage} or {@code CompletableFuture} are called as by
   * {@link #callAsync}, all others as by {@link #call}; exceptions pass through as they are.
   * Default methods are calls like any other. {@code equals}, {@code hashCode} and {@code toString}
   * are those of the target and no calls; two wrappers are equal when their targets are.
   *
   * @param type the interface
   * @param target what is called
   * @throws IllegalArgumentException when the type is not an interface, or is sealed or hidden
   */
  public <I> I wrap(Class<I> type, I target) {
    return GuardedInterface.wrap(this, type, target);
  }

  /** Does what this policy does around what is inside it. */
  abstract <T extends @Nullable Object> T around(Invocation<T> invocation, int inside)
      throws Throwable;

  /** Does the same around stages. Never throws, and never blocks. */
  abstract <T extends @Nullable Object> CompletableFuture<T> aroundAsync(
      Invocation<T> invocation, int inside);

  /** Whether it can let calls in by hand, for it makes none itself. */
  boolean letsInByHand() {
    return false;
  }

  /**
   * Lets a call in by hand; only of a policy that can.
   *
   * @throws CallRejectedException if the call is refused
   */
  HandEntry enter() {
    throw new UnsupportedOperationException(name);
  }

  /** The route of calls through this policy alone; its fields are final, and so is what is seen. */
  final Route alone() {
    Route route = alone;
    if (route == null) {
      route = new Route(new Policy[] {this}, /* contexts= */ null);
      alone = route;
    }
    return route;
  }

  /** What it does, in one line with its settings. */
  abstract String describe();

  /** What it does, in one line with its settings; for people, and not to be parsed. */
  @Override
  public String toString() {
    return describe();
  }

  /**
   * Changes settings that others may change at the same time; the change is then made of theirs.
   *
   * @param change makes the new settings of the present ones
   * @param replace puts the new ones in place of the present ones; false if those are gone
   */
  static <C extends PolicyConfig> void changeSettings(
      Supplier<C> present, UnaryOperator<C> change, BiPredicate<C, C> replace) {
    C before = present.get();
    while (!replace.test(before, change.apply(before))) {
      Thread.onSpinWait();
      before = present.get();
    }
  }

  /**
   * Keeps the ticker of what was measured already.
   *
   * @throws InvalidConfigurationException when it is another one
   */
  final void checkSameTicker(String kind, Ticker before, Ticker after) {
    Faults faults = new Faults();
    faults.check(
        after == before, "ticker", "another one", "the ticker that the " + kind + " was made with");
    faults.throwIfAny(name);
  }

  final void reconfigured(PolicyConfig before, PolicyConfig after) {
    if (listeners.want(PolicyEvent.Reconfigured.class)) {
      listeners.deliver(new PolicyEvent.Reconfigured(name, before, after));
    }
  }

  /** Waits on this thread; tells of a scheduler that throws, and throws that. */
  final void sleep(Scheduler scheduler, long nanos) throws InterruptedException {
    try {
      scheduler.sleep(Duration.ofNanos(nanos));
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) {
      schedulerFailed(e);
      throw e;
    }
  }

  /** Takes a timer back; tells of a scheduler that throws. Never throws. */
  final void cancel(@Nullable Cancellable timer) {
    if (timer != null) {
      try {
        timer.cancel();
      } catch (Throwable e) {
        schedulerFailed(e);
      }
    }
  }

  /** Tells of it each time, and logs it once, for it may stop what a policy is there for. */
  final void schedulerFailed(Throwable thrown) {
    if (!loggedScheduler) {
      loggedScheduler = true;
      Listeners.log("The scheduler of " + name + " threw (told once)", thrown);
    }
    userCodeFailed("scheduler", thrown);
  }

  final void userCodeFailed(String setting, Throwable thrown) {
    if (listeners.want(PolicyEvent.UserCodeFailed.class)) {
      listeners.deliver(new PolicyEvent.UserCodeFailed(name, setting, thrown));
    }
  }
}

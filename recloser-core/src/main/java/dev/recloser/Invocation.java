package dev.recloser;

import dev.recloser.spi.CallContext.Snapshot;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call on its way through policies, outermost first.
 *
 * <p>A policy goes on with {@link #proceed}, as often as it sees fit, naming the place inside its
 * own: so the way through needs neither a closure nor an object a policy. What the policies learn
 * on the way belongs to the thread that runs the call, or is handed on with the completion of
 * stages; nothing here is for two threads at once.
 */
final class Invocation<T extends @Nullable Object> {
  private final Route route;
  private final @Nullable Object key;
  private final @Nullable CheckedSupplier<? extends T, ?> call;
  private final @Nullable Supplier<? extends CompletionStage<T>> asyncCall;

  /** What the thread that made the call had, taken when the first policy asks for it. */
  private Snapshot @Nullable [] snapshots;

  /** Where the answer came from; set by a fallback that gave it. */
  private Answer.Source source = Answer.Source.LIVE;

  private Duration age = Duration.ZERO;

  private Invocation(
      Route route,
      @Nullable Object key,
      @Nullable CheckedSupplier<? extends T, ?> call,
      @Nullable Supplier<? extends CompletionStage<T>> asyncCall) {
    this.route = route;
    this.key = key;
    this.call = call;
    this.asyncCall = asyncCall;
  }

  /**
   * @param key what tells it apart from calls that ask for something else
   */
  static <T extends @Nullable Object> Invocation<T> of(
      Route route, @Nullable Object key, CheckedSupplier<? extends T, ?> call) {
    return new Invocation<>(route, key, Objects.requireNonNull(call, "call"), null);
  }

  /** The same for an asynchronous call. */
  static <T extends @Nullable Object> Invocation<T> ofAsync(
      Route route, @Nullable Object key, Supplier<? extends CompletionStage<T>> call) {
    return new Invocation<>(route, key, null, Objects.requireNonNull(call, "call"));
  }

  /**
   * Makes the call.
   *
   * @throws X what the call throws: it can be nothing else that is checked, since policies throw
   *     only what is not
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  <X extends Throwable> T run() throws X {
    try {
      return proceed(0);
    } catch (Throwable thrown) {
      throw (X) thrown;
    }
  }

  CompletableFuture<T> start() {
    return proceedAsync(0);
  }

  /** Goes on with the policy in this place, or with the call itself. */
  T proceed(int place) throws Throwable {
    Policy[] policies = route.policies;
    return place == policies.length
        ? Objects.requireNonNull(call).get()
        : policies[place].around(this, place + 1);
  }

  /** Goes on with the policy in this place, or with the call itself. Never throws. */
  CompletableFuture<T> proceedAsync(int place) {
    Policy[] policies = route.policies;
    try {
      return place == policies.length
          ? Stages.start(Objects.requireNonNull(asyncCall))
          : policies[place].aroundAsync(this, place + 1);
    } catch (Throwable thrown) {
      return CompletableFuture.failedFuture(thrown); // A ticker that throws, for example.
    }
  }

  /** The same call for another thread, with an answer of its own. */
  Invocation<T> fork() {
    Invocation<T> fork = new Invocation<>(route, key, call, asyncCall);
    fork.snapshots = snapshots;
    return fork;
  }

  /** What tells it apart from calls that ask for something else; null if nothing does. */
  @Nullable Object key() {
    return key;
  }

  /**
   * What goes with this call to another thread. Asked for on the thread that the call is on, so
   * first on the one that made it.
   */
  Hop hop() {
    Contexts with = route.contexts == null ? Contexts.installed() : route.contexts;
    Snapshot[] taken = snapshots;
    if (taken == null) {
      taken = with.capture();
      snapshots = taken;
    }
    return new Hop(Scope.current(), with, taken);
  }

  Answer.Source source() {
    return source;
  }

  /** Takes where the answer came from, before whoever waits for it gets it. */
  void answeredBy(Answer.Source newSource, Duration newAge) {
    source = newSource;
    age = newAge;
  }

  /** Takes that from a fork. */
  void answeredBy(Invocation<T> fork) {
    answeredBy(fork.source, fork.age);
  }

  /** What the call has returned, and where it came from. */
  Answer<T> answer(T value) {
    return new Answer<>(value, source, age);
  }
}

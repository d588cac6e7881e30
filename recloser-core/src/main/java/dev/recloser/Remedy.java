package dev.recloser;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a rule of a fallback gives in place of a failure. */
sealed interface Remedy<T extends @Nullable Object> {
  /** Whether there is something to give to this call. Runs no user code. */
  default boolean isAtHand(FailedCall<T> failed) {
    return true;
  }

  /** What it gives; throws what the user's code throws. */
  Answer<T> answer(FailedCall<T> failed) throws Throwable;

  /** The same for stages. Never throws. */
  default CompletableFuture<Answer<T>> answerAsync(FailedCall<T> failed) {
    try {
      return CompletableFuture.completedFuture(answer(failed));
    } catch (Throwable own) {
      return CompletableFuture.failedFuture(own);
    }
  }

  /** Whether it is meant to throw. */
  default boolean replacesFailure() {
    return false;
  }

  /** The pipeline around the call that it makes; null if it makes none. */
  default @Nullable Pipeline<T> other() {
    return null;
  }

  /** The setting that made it; empty where that is said by the kind of calls. */
  String describe();

  /** Something made of the failure. */
  record Value<T extends @Nullable Object>(Function<? super Throwable, ? extends T> value)
      implements Remedy<T> {
    @Override
    public Answer<T> answer(FailedCall<T> failed) {
      return asAnswer(value.apply(failed.thrown()));
    }

    @Override
    public String describe() {
      return "";
    }
  }

  /** The same, made of the key as well. */
  record KeyedValue<T extends @Nullable Object>(
      BiFunction<Object, ? super Throwable, ? extends T> value) implements Remedy<T> {
    @Override
    public boolean isAtHand(FailedCall<T> failed) {
      return failed.callersKey() != null;
    }

    @Override
    public Answer<T> answer(FailedCall<T> failed) {
      Object key = Objects.requireNonNull(failed.callersKey());
      return asAnswer(value.apply(key, failed.thrown()));
    }

    @Override
    public String describe() {
      return "";
    }
  }

  /** The same for calls with a stage, and with one. */
  record KeyedStage<T extends @Nullable Object>(
      BiFunction<Object, ? super Throwable, ? extends CompletionStage<T>> stage)
      implements Remedy<T> {
    @Override
    public boolean isAtHand(FailedCall<T> failed) {
      return failed.staged() && failed.callersKey() != null;
    }

    @Override
    public Answer<T> answer(FailedCall<T> failed) {
      throw new AssertionError("not for plain calls");
    }

    @Override
    public CompletableFuture<Answer<T>> answerAsync(FailedCall<T> failed) {
      Object key = Objects.requireNonNull(failed.callersKey());
      CompletableFuture<T> given = Stages.start(() -> stage.apply(key, failed.thrown()));
      CompletableFuture<Answer<T>> answer = new CompletableFuture<>();
      var unusedHook = answer.whenComplete((value, thrown) -> Stages.cancel(given, answer));
      var unusedEnd =
          given.whenComplete((value, thrown) -> Stages.complete(answer, asAnswer(value), thrown));
      return answer;
    }

    @Override
    public String describe() {
      return "";
    }
  }

  /**
   * Another call, with policies of its own: plain or with a stage, as the failed one was. Where the
   * one that is needed was not given, there is nothing at hand, for the other would have to block.
   * It has the key of the failed call, lest the other pipeline mix up what it keeps.
   *
   * @param needsKey whether it is made of the key, and so not at hand without one
   */
  record OtherCall<T extends @Nullable Object>(
      Pipeline<T> other,
      boolean needsKey,
      @Nullable Function<@Nullable Object, ? extends CheckedSupplier<? extends T, ?>> callOf,
      @Nullable Function<@Nullable Object, ? extends Supplier<? extends CompletionStage<T>>>
          asyncCallOf)
      implements Remedy<T> {
    @Override
    public boolean isAtHand(FailedCall<T> failed) {
      return (failed.staged() ? asyncCallOf : callOf) != null
          && (!needsKey || failed.callersKey() != null);
    }

    @Override
    public Answer<T> answer(FailedCall<T> failed) throws Throwable {
      return asFallback(
          other
              .within(failed.key())
              .answer(Objects.requireNonNull(callOf).apply(failed.callersKey())));
    }

    @Override
    public CompletableFuture<Answer<T>> answerAsync(FailedCall<T> failed) {
      try {
        return other
            .within(failed.key())
            .answerAsync(
                Objects.requireNonNull(asyncCallOf).apply(failed.callersKey()), Remedy::asFallback);
      } catch (Throwable own) {
        return CompletableFuture.failedFuture(own);
      }
    }

    @Override
    public String describe() {
      return (callOf == null ? "otherCallAsync " : "otherCall ") + other.name();
    }
  }

  /** The same method with the same arguments, of another object. */
  record OtherTarget<T extends @Nullable Object>(Pipeline<T> other, Object target)
      implements Remedy<T> {
    @Override
    public boolean isAtHand(FailedCall<T> failed) {
      return failed.key() instanceof MethodKey call && call.isOf(target);
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // As for every answer to a wrapped interface.
    public Answer<T> answer(FailedCall<T> failed) throws Throwable {
      MethodKey call = (MethodKey) Objects.requireNonNull(failed.key());
      return asFallback(other.within(call).answer(() -> (T) call.callOn(target)));
    }

    @Override
    @SuppressWarnings("unchecked") // As above, and for a method that returns a stage.
    public CompletableFuture<Answer<T>> answerAsync(FailedCall<T> failed) {
      MethodKey call = (MethodKey) Objects.requireNonNull(failed.key());
      return other
          .within(call)
          .answerAsync(
              () -> {
                try {
                  return (CompletionStage<T>) call.callOn(target);
                } catch (Throwable thrown) {
                  return CompletableFuture.failedFuture(thrown);
                }
              },
              Remedy::asFallback);
    }

    @Override
    public String describe() {
      return "otherTarget " + other.name();
    }
  }

  /** The last good answer, unless it is too old. */
  record Stale<T extends @Nullable Object>(Duration timeToLive, int maxEntries)
      implements Remedy<T> {
    @Override
    public boolean isAtHand(FailedCall<T> failed) {
      Answer<T> last = failed.lastGood();
      return last != null && last.age().compareTo(timeToLive) <= 0;
    }

    @Override
    public Answer<T> answer(FailedCall<T> failed) {
      return Objects.requireNonNull(failed.lastGood());
    }

    @Override
    public String describe() {
      String entries =
          maxEntries == Fallback.DEFAULT_MAX_ENTRIES ? "" : " for up to " + maxEntries + " keys";
      return "stale " + Text.of(timeToLive) + entries;
    }
  }

  /** Another exception. */
  record Replacement<T extends @Nullable Object>(
      Function<? super Throwable, ? extends Throwable> exception) implements Remedy<T> {
    @Override
    public Answer<T> answer(FailedCall<T> failed) throws Throwable {
      throw Objects.requireNonNull(
          exception.apply(failed.thrown()), "throwing returned null instead of an exception");
    }

    @Override
    public boolean replacesFailure() {
      return true;
    }

    @Override
    public String describe() {
      return "throwing";
    }
  }

  private static <T extends @Nullable Object> Answer<T> asAnswer(T value) {
    return new Answer<>(value, Answer.Source.FALLBACK, Duration.ZERO);
  }

  /** What is live there is a fallback here; what is degraded there is so here. */
  private static <T extends @Nullable Object> Answer<T> asFallback(Answer<T> answer) {
    return answer.isDegraded() ? answer : asAnswer(answer.value());
  }
}

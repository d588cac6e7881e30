package dev.recloser;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One rule of a fallback: which calls it is for, and what it gives in place of their failure. */
sealed interface FallbackRule<T extends @Nullable Object> {
  /** Whether it is for this call, and has something to give. Runs no user code. */
  boolean matches(FailedCall<T> failed);

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

  /** The setting that made it. */
  String describe();

  /** Something made of the failure. */
  record Value<T extends @Nullable Object>(
      String describe,
      Predicate<FailedCall<T>> kind,
      Function<? super Throwable, ? extends T> value)
      implements FallbackRule<T> {
    @Override
    public boolean matches(FailedCall<T> failed) {
      return kind.test(failed);
    }

    @Override
    public Answer<T> answer(FailedCall<T> failed) {
      return new Answer<>(value.apply(failed.thrown()), Answer.Source.FALLBACK, Duration.ZERO);
    }
  }

  /**
   * Another call, with policies of its own: plain or with a stage, as the failed one was. Where the
   * one that is needed was not given, the rule does not match, for the other would have to block.
   */
  record OtherCall<T extends @Nullable Object>(
      Pipeline<T> other,
      @Nullable CheckedSupplier<? extends T, ?> call,
      @Nullable Supplier<? extends CompletionStage<T>> asyncCall)
      implements FallbackRule<T> {
    @Override
    public boolean matches(FailedCall<T> failed) {
      return (failed.staged() ? asyncCall : call) != null;
    }

    @Override
    public Answer<T> answer(FailedCall<T> failed) throws Throwable {
      return asFallback(other.answer(Objects.requireNonNull(call)));
    }

    @Override
    public CompletableFuture<Answer<T>> answerAsync(FailedCall<T> failed) {
      return other.answerAsync(Objects.requireNonNull(asyncCall), OtherCall::asFallback);
    }

    @Override
    public String describe() {
      return (call == null ? "otherCallAsync " : "otherCall ") + other.name();
    }

    /** What is live there is a fallback here; what is degraded there is so here. */
    private static <T extends @Nullable Object> Answer<T> asFallback(Answer<T> answer) {
      return answer.isDegraded()
          ? answer
          : new Answer<>(answer.value(), Answer.Source.FALLBACK, Duration.ZERO);
    }
  }

  /** The last good answer, unless it is too old. */
  record Stale<T extends @Nullable Object>(Duration timeToLive) implements FallbackRule<T> {
    @Override
    public boolean matches(FailedCall<T> failed) {
      Answer<T> last = failed.lastGood();
      return last != null && last.age().compareTo(timeToLive) <= 0;
    }

    @Override
    public Answer<T> answer(FailedCall<T> failed) {
      return Objects.requireNonNull(failed.lastGood());
    }

    @Override
    public String describe() {
      return "stale " + Text.of(timeToLive);
    }
  }

  /** Another exception. */
  record Replacement<T extends @Nullable Object>(
      Function<? super Throwable, ? extends Throwable> exception) implements FallbackRule<T> {
    @Override
    public boolean matches(FailedCall<T> failed) {
      return true;
    }

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
}

package dev.recloser;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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

  /** The setting that made it; empty where that is said by the kind of calls. */
  String describe();

  /** Something made of the failure. */
  record Value<T extends @Nullable Object>(Function<? super Throwable, ? extends T> value)
      implements Remedy<T> {
    @Override
    public Answer<T> answer(FailedCall<T> failed) {
      return new Answer<>(value.apply(failed.thrown()), Answer.Source.FALLBACK, Duration.ZERO);
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
   */
  record OtherCall<T extends @Nullable Object>(
      Pipeline<T> other,
      @Nullable CheckedSupplier<? extends T, ?> call,
      @Nullable Supplier<? extends CompletionStage<T>> asyncCall)
      implements Remedy<T> {
    @Override
    public boolean isAtHand(FailedCall<T> failed) {
      return (failed.staged() ? asyncCall : call) != null;
    }

    @Override
    public Answer<T> answer(FailedCall<T> failed) throws Throwable {
      return asFallback(other.within(failed.key()).answer(Objects.requireNonNull(call)));
    }

    @Override
    public CompletableFuture<Answer<T>> answerAsync(FailedCall<T> failed) {
      return other
          .within(failed.key())
          .answerAsync(Objects.requireNonNull(asyncCall), OtherCall::asFallback);
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
}

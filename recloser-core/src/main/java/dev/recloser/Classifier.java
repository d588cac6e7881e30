package dev.recloser;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Says how a call ended, from its result or from what it threw.
 *
 * <p>A classifier may have no opinion, which is {@code null}; {@link #orElse} then asks the next:
 *
 * <pre>{@code
 * Classifier http =
 *     Classifier.onResult(HttpResponse.class, r -> r.statusCode() >= 500 ? Outcome.FAILURE : null)
 *         .orElse(Classifier.defaults());
 * }</pre>
 *
 * <p>A classifier is called by many threads at once. One that throws makes that call a {@link
 * Outcome#FAILURE}, is reported to the listeners ({@link PolicyEvent.UserCodeFailed}), and changes
 * nothing for the caller.
 */
@FunctionalInterface
public interface Classifier {
  /**
   * Classifies the end of a call.
   *
   * @param result what the call returned, which may be null; null if it threw
   * @param thrown what the call threw, null if it returned. A breaker passes it unwrapped: the
   *     cause of {@code CompletionException}, {@code ExecutionException} and the like, if they have
   *     one
   * @return the outcome, or null for no opinion
   */
  @Nullable Outcome classify(@Nullable Object result, @Nullable Throwable thrown);

  /**
   * Returns a classifier that asks this one, and the other where this one has no opinion.
   *
   * @param next the one to ask second
   */
  default Classifier orElse(Classifier next) {
    Objects.requireNonNull(next, "next");
    return (result, thrown) -> {
      Outcome outcome = classify(result, thrown);
      return outcome != null ? outcome : next.classify(result, thrown);
    };
  }

  /**
   * Returns a classifier for results of one type, without an opinion on anything else.
   *
   * @param type the type of the results it looks at
   * @param rule from a result to its outcome, null for no opinion
   */
  static <T> Classifier onResult(Class<T> type, Function<? super T, @Nullable Outcome> rule) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(rule, "rule");
    return (result, thrown) ->
        thrown == null && type.isInstance(result) ? rule.apply(type.cast(result)) : null;
  }

  /**
   * Returns a classifier for exceptions of one type, without an opinion on anything else.
   *
   * @param type the type of the exceptions it looks at, subclasses included
   * @param rule from an exception to its outcome, null for no opinion
   */
  static <X extends Throwable> Classifier onException(
      Class<X> type, Function<? super X, @Nullable Outcome> rule) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(rule, "rule");
    return (result, thrown) -> type.isInstance(thrown) ? rule.apply(type.cast(thrown)) : null;
  }

  /**
   * Returns what a breaker does unless told otherwise. It always has an opinion: every result is a
   * {@link Outcome#SUCCESS}, but that a {@link JudgedResult} is what it says; {@code
   * CancellationException} and {@code InterruptedException} are {@link Outcome#CANCELLED}; a {@link
   * CallRejectedException} is {@link Outcome#IGNORED}; any other {@code Throwable}, {@code Error}
   * included, is a {@link Outcome#FAILURE}.
   */
  static Classifier defaults() {
    return ExceptionRules.NONE;
  }
}

package dev.recloser;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Pipeline} gives in place of a failure: rules, tried in the order in which they were
 * written. The first that matches decides; a failure that none matches passes through as it is.
 *
 * <pre>{@code
 * Fallback<Stock> fallback = Fallback.of(rules -> rules
 *     .stale(Duration.ofMinutes(5))
 *     .onRefusal(() -> new Stock(0))
 *     .onException(IOException.class, failure -> new Stock(0)));
 *
 * Pipeline<Stock> stocks = Pipeline.create("orders-to-inventory", calls -> calls
 *     .fallback(fallback)
 *     .circuitBreaker(inventory));
 *
 * Answer<Stock> answer = stocks.answer(() -> client.stock(sku)); // LIVE, FALLBACK or STALE
 * }</pre>
 *
 * <p><b>What is answered.</b> A <em>refusal</em> is a {@link CallRejectedException}: a policy did
 * not make the call. A <em>failure</em> is any other {@code Throwable}, {@code Error} included,
 * that came out of what is inside the fallback. A cancellation ({@link CancellationException}) or
 * an interruption ({@link InterruptedException}, or whatever a plain call ended with while its
 * thread's interrupt flag is set) is never answered: who gave up wants no substitute. What
 * executors wrap around an exception is taken off before rules see it.
 *
 * <p><b>What others see.</b> To a policy outside the fallback its answer is a success: a breaker
 * there counts one, and a retry there does not try again. So the fallback belongs outside both.
 *
 * <p><b>A fallback that fails</b> gives its own failure, which carries the call's as a suppressed
 * one; no further rule is tried.
 *
 * <p>The functions run on the calling thread; for stages, on the thread that ended the stage, which
 * they must not block. They may be called from many threads at once.
 *
 * <p>Immutable, and of use to any number of pipelines: each has its own counters and its own last
 * good answer.
 *
 * @param <T> the type of the results
 */
public final class Fallback<T extends @Nullable Object> {
  private final List<FallbackRule<T>> rules;
  final Ticker ticker;

  private Fallback(Builder<T> builder) {
    rules = List.copyOf(builder.rules);
    ticker = builder.ticker;
  }

  /**
   * Makes a fallback.
   *
   * @param rules adds the rules, at least one
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static <T extends @Nullable Object> Fallback<T> of(Consumer<? super Builder<T>> rules) {
    Builder<T> builder = new Builder<>();
    rules.accept(builder);
    return builder.build();
  }

  @Override
  public String toString() {
    return rules.stream().map(FallbackRule::describe).collect(Collectors.joining(", "));
  }

  /** The first rule for a call; null if there is none. */
  @Nullable FallbackRule<T> ruleFor(FailedCall<T> failed) {
    for (FallbackRule<T> rule : rules) {
      if (rule.matches(failed)) {
        return rule;
      }
    }
    return null;
  }

  boolean needsLastGood() {
    return rules.stream().anyMatch(FallbackRule.Stale.class::isInstance);
  }

  static boolean isGivenUp(Throwable bare) {
    return isGivenUp(bare.getClass());
  }

  private static boolean isGivenUp(Class<?> type) {
    return CancellationException.class.isAssignableFrom(type)
        || InterruptedException.class.isAssignableFrom(type);
  }

  /**
   * Adds rules, the first to be tried first. Not thread-safe.
   *
   * @param <T> the type of the results
   */
  public static final class Builder<T extends @Nullable Object> {
    private final List<FallbackRule<T>> rules = new ArrayList<>();
    private final Faults faults = new Faults();
    private Ticker ticker = Ticker.system();

    private Builder() {}

    /**
     * Answers calls that a policy refused.
     *
     * @param answer gives the answer
     */
    public Builder<T> onRefusal(Supplier<? extends T> answer) {
      Objects.requireNonNull(answer, "onRefusal");
      return onRefusal(refused -> answer.get());
    }

    /**
     * Answers calls that a policy refused.
     *
     * @param answer makes the answer of the refusal
     */
    public Builder<T> onRefusal(Function<? super CallRejectedException, ? extends T> answer) {
      Objects.requireNonNull(answer, "onRefusal");
      return value(
          "onRefusal",
          FailedCall::isRefused,
          refused -> answer.apply((CallRejectedException) refused));
    }

    /**
     * Answers calls that failed, whatever they threw. Refusals are not failures.
     *
     * @param answer makes the answer of what the call threw
     */
    public Builder<T> onFailure(Function<? super Throwable, ? extends T> answer) {
      Objects.requireNonNull(answer, "onFailure");
      return value("onFailure", failed -> !failed.isRefused(), answer);
    }

    /**
     * Answers calls that threw an exception of a type, subclasses included. Refusals are meant only
     * by a type of refusal, not by a supertype such as {@code RuntimeException}.
     *
     * @param type neither a cancellation nor an interruption, which are never answered
     * @param answer makes the answer of what the call threw
     */
    public <X extends Throwable> Builder<T> onException(
        Class<X> type, Function<? super X, ? extends T> answer) {
      Objects.requireNonNull(type, "onException");
      Objects.requireNonNull(answer, "onException");
      faults.check(
          !isGivenUp(type), "onException", type.getName(), "neither cancellation nor interruption");
      boolean meansRefusals = CallRejectedException.class.isAssignableFrom(type);
      return value(
          "onException " + type.getSimpleName(),
          failed -> type.isInstance(failed.thrown()) && (meansRefusals || !failed.isRefused()),
          thrown -> answer.apply(type.cast(thrown)));
    }

    /**
     * Answers refused and failed calls with another call, which has policies of its own, a time-out
     * and a breaker for example. Its answer is a {@link Answer.Source#FALLBACK}, or what the other
     * pipeline's own fallback says.
     *
     * <p>For plain calls only, because it may block; {@link #otherCallAsync} is for stages.
     *
     * @param other the policies around the other call
     * @param call the other call; what it throws is the fallback's failure
     */
    public Builder<T> otherCall(Pipeline<T> other, CheckedSupplier<? extends T, ?> call) {
      Objects.requireNonNull(other, "otherCall");
      Objects.requireNonNull(call, "otherCall");
      return add(new FallbackRule.OtherCall<>(other, call, null));
    }

    /**
     * Does the same for calls that were made with stages, and only for them. Cancelling the stage
     * of the whole call cancels the one of the other call.
     *
     * @param other the policies around the other call
     * @param call starts the other call
     */
    public Builder<T> otherCallAsync(
        Pipeline<T> other, Supplier<? extends CompletionStage<T>> call) {
      Objects.requireNonNull(other, "otherCallAsync");
      Objects.requireNonNull(call, "otherCallAsync");
      return add(new FallbackRule.OtherCall<>(other, null, call));
    }

    /**
     * Keeps the last good answer and gives it on refusal and failure as {@link
     * Answer.Source#STALE}, with its age. Without one that is young enough, the next rule is tried.
     *
     * <p>It is <em>one</em> answer for all calls of the pipeline, and so for calls that all ask the
     * same. Good is what came from the dependency and was returned, null included. The answer that
     * arrived last counts, also where calls overtake each other.
     *
     * @param timeToLive how old an answer may be when it is given; more than zero
     */
    public Builder<T> stale(Duration timeToLive) {
      Objects.requireNonNull(timeToLive, "stale");
      faults.checkDuration("stale", timeToLive, Duration.ofNanos(1));
      return add(new FallbackRule.Stale<>(timeToLive));
    }

    /**
     * Gives no answer to refused and failed calls, but this exception. It carries what the call
     * threw as a suppressed one, unless that is its cause.
     *
     * @param exception makes the exception of what the call threw. A checked one should be of a
     *     type that the calls declare, since the compiler does not see it.
     */
    public Builder<T> throwing(Function<? super Throwable, ? extends Throwable> exception) {
      return add(new FallbackRule.Replacement<>(Objects.requireNonNull(exception, "throwing")));
    }

    /** Sets the ticker that ages are read from. Default: {@link Ticker#system()}. */
    public Builder<T> ticker(Ticker ticker) {
      this.ticker = Objects.requireNonNull(ticker, "ticker");
      return this;
    }

    private Builder<T> value(
        String text,
        Predicate<FailedCall<T>> kind,
        Function<? super Throwable, ? extends T> answer) {
      return add(new FallbackRule.Value<>(text, kind, answer));
    }

    private Builder<T> add(FallbackRule<T> rule) {
      rules.add(rule);
      return this;
    }

    private Fallback<T> build() {
      faults.check(!rules.isEmpty(), "rules", "none", "at least one");
      faults.throwIfAny("A fallback");
      return new Fallback<>(this);
    }
  }
}

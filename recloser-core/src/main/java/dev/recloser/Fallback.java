package dev.recloser;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
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
 *     .on(Fallback.Kind.REFUSED, Fallback.Kind.TIMED_OUT).stale(Duration.ofMinutes(5))
 *     .onRefusal(() -> new Stock(0))
 *     .onException(IOException.class, failure -> new Stock(0)));
 *
 * Pipeline<Stock> stocks = Pipeline.create("orders-to-inventory", calls -> calls
 *     .fallback(fallback)
 *     .circuitBreaker(inventory));
 *
 * // The answer says whether it is LIVE, FALLBACK or STALE.
 * Answer<Stock> answer = stocks.keyed(sku).answer(() -> client.stock(sku));
 * }</pre>
 *
 * <p><b>What is answered.</b> A <em>refusal</em> is a {@link CallRejectedException}: a policy did
 * not make the call. A <em>failure</em> is any other {@code Throwable}, {@code Error} included,
 * that came out of what is inside the fallback; one of them is a call that a {@link Timeout} of
 * this library ended, and {@link Kind} names all three. A rule is for the kinds given to {@link
 * Builder#on on} or the types given to {@link Builder#onException(Class[]) onException}, else for
 * refusals and failures alike. A cancellation ({@link CancellationException}) or an interruption
 * ({@link InterruptedException}, or whatever a plain call ended with while its thread's interrupt
 * flag is set) is not answered, unless {@link Builder#answerGivenUp} says so: who gave up wants no
 * substitute. What executors wrap around an exception is taken off before rules see it.
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
 * <p>Immutable, and of use to any number of pipelines: each has its own counters, its own listeners
 * (see {@link Pipeline#policies}) and its own last good answers.
 *
 * @param <T> the type of the results
 */
public final class Fallback<T extends @Nullable Object> {
  /** Default of the number of keys whose last good answer is kept: {@value}. */
  public static final int DEFAULT_MAX_ENTRIES = 1_000;

  private final List<FallbackRule<T>> rules;
  private final Ticker ticker;
  private final @Nullable Predicate<? super T> failedResults;
  private final boolean answersGivenUp;

  private Fallback(Builder<T> builder) {
    rules = List.copyOf(builder.rules);
    failedResults = builder.recordResult;
    answersGivenUp = builder.answerGivenUp;
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
    String text = rules.stream().map(FallbackRule::describe).collect(Collectors.joining(", "));
    return failedResults == null ? text : text + ", recordResult set";
  }

  /** What tells failed results from good ones; null if all are good. */
  @Nullable Predicate<? super T> failedResults() {
    return failedResults;
  }

  /** Whether its rules are asked about calls that were given up, too. */
  boolean answersGivenUp() {
    return answersGivenUp;
  }

  /** The pipelines around the other calls that it makes. */
  List<Pipeline<T>> others() {
    List<Pipeline<T>> others = new ArrayList<>();
    for (FallbackRule<T> rule : rules) {
      Pipeline<T> other = rule.remedy().other();
      if (other != null && !others.contains(other)) {
        others.add(other);
      }
    }
    return others;
  }

  /** What the first rule for a call gives; null if there is none. */
  @Nullable Remedy<T> remedyFor(Policy owner, FailedCall<T> failed) {
    for (FallbackRule<T> rule : rules) {
      if (rule.matches(owner, failed)) {
        return rule.remedy();
      }
    }
    return null;
  }

  /** Room for what its rules may have to give one day; null if they never do. */
  @Nullable GoodAnswers<T> answersKeptFor(Policy owner) {
    long nanosToLive = 0;
    int maxEntries = 0;
    for (FallbackRule<T> rule : rules) {
      if (rule.remedy() instanceof Remedy.Stale<T> stale) {
        nanosToLive = Math.max(nanosToLive, stale.timeToLive().toNanos());
        maxEntries = Math.max(maxEntries, stale.maxEntries());
      }
    }
    return maxEntries == 0 ? null : new GoodAnswers<>(owner, ticker, nanosToLive, maxEntries);
  }

  static boolean isGivenUp(Throwable bare) {
    return isGivenUp(bare.getClass());
  }

  private static boolean isGivenUp(Class<?> type) {
    return CancellationException.class.isAssignableFrom(type)
        || InterruptedException.class.isAssignableFrom(type);
  }

  /** Why a call has no answer. */
  public enum Kind {
    /** A policy did not make it: {@link CallRejectedException}. */
    REFUSED,
    /**
     * A timeout of this library ended it: {@link TimeoutExceededException}. Time-outs that the call
     * itself throws, such as those of an HTTP client, are not meant; name their types.
     */
    TIMED_OUT,
    /** It failed, whatever it threw; a call that timed out has failed as well. */
    FAILED;

    private boolean isOf(Throwable bare) {
      return switch (this) {
        case REFUSED -> bare instanceof CallRejectedException;
        case TIMED_OUT -> bare instanceof TimeoutExceededException;
        case FAILED -> !(bare instanceof CallRejectedException);
      };
    }
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
    private @Nullable Predicate<? super T> recordResult;
    private boolean answerGivenUp;

    private Builder() {}

    /**
     * Sets which results are failures, as the {@code recordResult} of a breaker does; an HTTP
     * client for example returns answers of status 500. Such a result is not kept as a good answer,
     * and is a failed call for the rules, which see a {@link FailedResultException}; if none
     * matches, the caller gets the result. Answers of fallbacks further in are not judged. Default:
     * none.
     *
     * <pre>{@code
     * Fallback<Response> fallback = Fallback.of(rules -> rules
     *     .recordResult(response -> response.status() >= 500)
     *     .stale(Duration.ofMinutes(5)));
     * }</pre>
     *
     * @param failed true for a failure. If it throws, the result is given and not kept, and that is
     *     told as a {@link PolicyEvent.UserCodeFailed} of {@code recordResult}
     */
    public Builder<T> recordResult(@Nullable Predicate<? super T> failed) {
      recordResult = failed;
      return this;
    }

    /**
     * Sets whether calls that were cancelled or interrupted are failures like others for the rules.
     * Only a caller who has cancelled the future of its own call gets nothing in any case. Default:
     * false, who gave up wants no substitute.
     */
    public Builder<T> answerGivenUp(boolean answered) {
      answerGivenUp = answered;
      return this;
    }

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
      return new Case<>(this, "onRefusal", Kind.REFUSED::isOf)
          .answer(refused -> answer.apply((CallRejectedException) refused));
    }

    /**
     * Answers calls that a timeout of this library ended.
     *
     * @param answer gives the answer
     */
    public Builder<T> onTimeout(Supplier<? extends T> answer) {
      Objects.requireNonNull(answer, "onTimeout");
      return onTimeout(timedOut -> answer.get());
    }

    /**
     * Answers calls that a timeout of this library ended.
     *
     * @param answer makes the answer of what the timeout threw
     */
    public Builder<T> onTimeout(Function<? super TimeoutExceededException, ? extends T> answer) {
      Objects.requireNonNull(answer, "onTimeout");
      return new Case<>(this, "onTimeout", Kind.TIMED_OUT::isOf)
          .answer(timedOut -> answer.apply((TimeoutExceededException) timedOut));
    }

    /**
     * Answers calls that failed, as {@link #onFailure(Function)} does.
     *
     * @param answer gives the answer
     */
    public Builder<T> onFailure(Supplier<? extends T> answer) {
      Objects.requireNonNull(answer, "onFailure");
      return onFailure(thrown -> answer.get());
    }

    /**
     * Answers calls that failed, whatever they threw. A call that timed out has failed as well,
     * unless a rule before this one has answered it; refusals are not failures.
     *
     * @param answer makes the answer of what the call threw
     */
    public Builder<T> onFailure(Function<? super Throwable, ? extends T> answer) {
      Objects.requireNonNull(answer, "onFailure");
      return new Case<T>(this, "onFailure", Kind.FAILED::isOf).answer(answer);
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
      Objects.requireNonNull(answer, "onException");
      return types(List.of(type)).answer(thrown -> answer.apply(type.cast(thrown)));
    }

    /**
     * Begins a rule for calls that threw an exception of certain types, as the rule {@link
     * #onException(Class, Function)} is; what it gives is said next.
     *
     * @param types at least one
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final Case<T> onException(Class<? extends Throwable>... types) {
      return types(List.of(types));
    }

    /**
     * Begins a rule for calls that threw something which matches, refusals among them; what it
     * gives is said next.
     *
     * <pre>{@code
     * Fallback<Stock> fallback = Fallback.of(rules -> rules
     *     .onException(thrown -> thrown instanceof IOException).answer(() -> new Stock(0)));
     * }</pre>
     *
     * @param predicate sees what the call threw, without wrappers. If it throws, the rule is not
     *     for this call, and that is told as a {@link PolicyEvent.UserCodeFailed} of {@code
     *     onException}
     */
    public Case<T> onException(Predicate<? super Throwable> predicate) {
      Objects.requireNonNull(predicate, "onException");
      return new Case<>(this, "onException(predicate)", predicate);
    }

    /**
     * Begins a rule for calls of certain kinds; what it gives is said next. Without it, a rule is
     * for refusals and failures alike.
     *
     * <pre>{@code
     * Fallback<Stock> fallback = Fallback.of(rules -> rules
     *     .on(Fallback.Kind.REFUSED, Fallback.Kind.TIMED_OUT).stale(Duration.ofMinutes(5))
     *     .on(Fallback.Kind.FAILED).throwing(IllegalStateException::new));
     * }</pre>
     *
     * @param kind one kind
     * @param others more of them
     */
    public Case<T> on(Kind kind, Kind... others) {
      Set<Kind> kinds = EnumSet.of(kind, others);
      String text = "on " + kinds.stream().map(Kind::name).collect(Collectors.joining(" or "));
      return new Case<>(this, text, thrown -> kinds.stream().anyMatch(each -> each.isOf(thrown)));
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
      return anyCase().otherCall(other, call);
    }

    /**
     * Does the same for calls that have a {@linkplain Pipeline#keyed key}, with a call for that.
     *
     * <pre>{@code
     * Pipeline<Stock> replica = Pipeline.create("replica", p -> p.timeout(Duration.ofMillis(50)));
     * Fallback<Stock> fallback = Fallback.of(rules -> rules
     *     .otherCall(replica, key -> () -> client.stock((String) key)));
     * }</pre>
     *
     * @param other the policies around the other call
     * @param callOf makes the other call of the key
     */
    public Builder<T> otherCall(
        Pipeline<T> other, Function<Object, ? extends CheckedSupplier<? extends T, ?>> callOf) {
      return anyCase().otherCall(other, callOf);
    }

    /**
     * Answers refused and failed calls to a {@linkplain Pipeline#wrap wrapped} interface by calling
     * the same method with the same arguments on another object, plain or with stages.
     *
     * @param other the policies around the other call
     * @param target an object that implements the interface; calls of others are left to the next
     *     rule
     */
    public Builder<T> otherTarget(Pipeline<T> other, Object target) {
      return anyCase().otherTarget(other, target);
    }

    /**
     * Does the same as {@link #otherCall} for calls that were made with stages, and only for them.
     * Cancelling the stage of the whole call cancels the one of the other call.
     *
     * @param other the policies around the other call
     * @param call starts the other call
     */
    public Builder<T> otherCallAsync(
        Pipeline<T> other, Supplier<? extends CompletionStage<T>> call) {
      return anyCase().otherCallAsync(other, call);
    }

    /**
     * Does the same for calls that have a {@linkplain Pipeline#keyed key}, with a call for that.
     *
     * @param other the policies around the other call
     * @param callOf makes what starts the other call of the key
     */
    public Builder<T> otherCallAsync(
        Pipeline<T> other,
        Function<Object, ? extends Supplier<? extends CompletionStage<T>>> callOf) {
      return anyCase().otherCallAsync(other, callOf);
    }

    /**
     * Does what {@link #stale(Duration, int)} does, for up to {@value #DEFAULT_MAX_ENTRIES} keys.
     *
     * @param timeToLive how old an answer may be when it is given; more than zero
     */
    public Builder<T> stale(Duration timeToLive) {
      return anyCase().stale(timeToLive);
    }

    /**
     * Keeps the last good answer of each key and gives it on refusal and failure as {@link
     * Answer.Source#STALE}, with its age. Without one that is young enough, the next rule is tried.
     *
     * <p>Which calls ask the same is said by {@link Pipeline#keyed}, or by method and arguments
     * where the pipeline {@linkplain Pipeline#wrap wraps} an interface. All calls without a key are
     * taken to ask the same, and share <em>one</em> answer. Good is what came from the dependency
     * and was returned, null included, unless {@link #recordResult} takes it for a failure. The
     * answer that arrived last counts, also where calls overtake each other.
     *
     * <p>Where there are more keys than entries, the answer goes that has not been renewed for
     * longest. None goes while the dependency gives no answers, unless it is too old; what is too
     * old goes when it is found, or with the next good answer. Until then keys and answers are
     * kept, however large. Several such rules share what is kept: the longest time and the largest
     * number count.
     *
     * <p>A key whose {@code hashCode} or {@code equals} throws, or a ticker that does, costs what
     * would have been kept or given, and is told as a {@link PolicyEvent.UserCodeFailed} of {@code
     * stale}.
     *
     * @param timeToLive how old an answer may be when it is given; more than zero
     * @param maxEntries how many keys have an answer kept, at least 1
     */
    public Builder<T> stale(Duration timeToLive, int maxEntries) {
      return anyCase().stale(timeToLive, maxEntries);
    }

    /**
     * Gives no answer to refused and failed calls, but this exception. It carries what the call
     * threw as a suppressed one, unless that is its cause.
     *
     * @param exception makes the exception of what the call threw. A checked one should be of a
     *     type that the calls declare, since the compiler does not see it.
     */
    public Builder<T> throwing(Function<? super Throwable, ? extends Throwable> exception) {
      return anyCase().throwing(exception);
    }

    /** Sets the ticker that ages are read from. Default: {@link Ticker#system()}. */
    public Builder<T> ticker(Ticker ticker) {
      this.ticker = Objects.requireNonNull(ticker, "ticker");
      return this;
    }

    private Case<T> anyCase() {
      return new Case<>(this, "", thrown -> true);
    }

    private Case<T> types(List<Class<? extends Throwable>> types) {
      faults.check(!types.isEmpty(), "onException", "none", "at least one type");
      for (Class<?> type : types) {
        faults.check(
            !isGivenUp(type),
            "onException",
            type.getName(),
            "neither cancellation nor interruption");
      }
      String text =
          "onException "
              + types.stream().map(Class::getSimpleName).collect(Collectors.joining(" or "));
      return new Case<>(
          this, text, thrown -> types.stream().anyMatch(type -> isMeant(type, thrown)));
    }

    /** Refusals are meant by their own types only. */
    private static boolean isMeant(Class<?> type, Throwable bare) {
      return type.isInstance(bare)
          && (CallRejectedException.class.isAssignableFrom(type) || !Kind.REFUSED.isOf(bare));
    }

    private Fallback<T> build() {
      faults.check(!rules.isEmpty(), "rules", "none", "at least one");
      faults.throwIfAny("A fallback");
      return new Fallback<>(this);
    }
  }

  /**
   * The calls that a rule is for; says what it gives to them. Not thread-safe.
   *
   * @param <T> the type of the results
   */
  public static final class Case<T extends @Nullable Object> {
    private final Builder<T> builder;
    private final String text;
    private final Predicate<? super Throwable> meant;

    private Case(Builder<T> builder, String text, Predicate<? super Throwable> meant) {
      this.builder = builder;
      this.text = text;
      this.meant = meant;
    }

    /**
     * Gives an answer.
     *
     * @param answer gives the answer
     */
    public Builder<T> answer(Supplier<? extends T> answer) {
      Objects.requireNonNull(answer, "answer");
      return answer(thrown -> answer.get());
    }

    /**
     * Gives an answer.
     *
     * @param answer makes the answer of what the call threw
     */
    public Builder<T> answer(Function<? super Throwable, ? extends T> answer) {
      return gives(new Remedy.Value<>(Objects.requireNonNull(answer, "answer")));
    }

    /**
     * Gives an answer that is made of the call itself, by its key.
     *
     * @param answer makes the answer of the {@linkplain Pipeline#keyed key} and of what the call
     *     threw; not asked about calls without a key, which are left to the next rule
     */
    public Builder<T> answer(BiFunction<Object, ? super Throwable, ? extends T> answer) {
      return gives(new Remedy.KeyedValue<>(Objects.requireNonNull(answer, "answer")));
    }

    /**
     * Does the same for calls that were made with stages, and only for them. Cancelling the stage
     * of the whole call cancels the one of the answer.
     *
     * @param answer starts the answer
     */
    public Builder<T> answerAsync(
        BiFunction<Object, ? super Throwable, ? extends CompletionStage<T>> answer) {
      return gives(new Remedy.KeyedStage<>(Objects.requireNonNull(answer, "answerAsync")));
    }

    /**
     * Gives the answer of another call, as {@link Builder#otherCall} does.
     *
     * @param other the policies around the other call
     * @param call the other call; what it throws is the fallback's failure
     */
    public Builder<T> otherCall(Pipeline<T> other, CheckedSupplier<? extends T, ?> call) {
      Objects.requireNonNull(other, "otherCall");
      Objects.requireNonNull(call, "otherCall");
      return gives(new Remedy.OtherCall<>(other, /* needsKey= */ false, key -> call, null));
    }

    /**
     * Gives the answer of another call that is made of the key, as {@link
     * Builder#otherCall(Pipeline, Function)} does.
     *
     * @param other the policies around the other call
     * @param callOf makes the other call of the key
     */
    public Builder<T> otherCall(
        Pipeline<T> other, Function<Object, ? extends CheckedSupplier<? extends T, ?>> callOf) {
      Objects.requireNonNull(other, "otherCall");
      Objects.requireNonNull(callOf, "otherCall");
      return gives(
          new Remedy.OtherCall<>(
              other, /* needsKey= */ true, key -> callOf.apply(Objects.requireNonNull(key)), null));
    }

    /**
     * Gives the answer of another object, as {@link Builder#otherTarget} does.
     *
     * @param other the policies around the other call
     * @param target an object that implements the interface
     */
    public Builder<T> otherTarget(Pipeline<T> other, Object target) {
      return gives(
          new Remedy.OtherTarget<>(
              Objects.requireNonNull(other, "otherTarget"),
              Objects.requireNonNull(target, "otherTarget")));
    }

    /**
     * Gives the answer of another call with a stage, as {@link Builder#otherCallAsync} does.
     *
     * @param other the policies around the other call
     * @param call starts the other call
     */
    public Builder<T> otherCallAsync(
        Pipeline<T> other, Supplier<? extends CompletionStage<T>> call) {
      Objects.requireNonNull(other, "otherCallAsync");
      Objects.requireNonNull(call, "otherCallAsync");
      return gives(new Remedy.OtherCall<>(other, /* needsKey= */ false, null, key -> call));
    }

    /**
     * Gives the answer of another call with a stage that is made of the key, as {@link
     * Builder#otherCallAsync(Pipeline, Function)} does.
     *
     * @param other the policies around the other call
     * @param callOf makes what starts the other call of the key
     */
    public Builder<T> otherCallAsync(
        Pipeline<T> other,
        Function<Object, ? extends Supplier<? extends CompletionStage<T>>> callOf) {
      Objects.requireNonNull(other, "otherCallAsync");
      Objects.requireNonNull(callOf, "otherCallAsync");
      return gives(
          new Remedy.OtherCall<>(
              other, /* needsKey= */ true, null, key -> callOf.apply(Objects.requireNonNull(key))));
    }

    /**
     * Gives the last good answer, as {@link Builder#stale(Duration)} does.
     *
     * @param timeToLive how old an answer may be when it is given; more than zero
     */
    public Builder<T> stale(Duration timeToLive) {
      return stale(timeToLive, DEFAULT_MAX_ENTRIES);
    }

    /**
     * Gives the last good answer of the key, as {@link Builder#stale(Duration, int)} does.
     *
     * @param timeToLive how old an answer may be when it is given; more than zero
     * @param maxEntries how many keys have an answer kept, at least 1
     */
    public Builder<T> stale(Duration timeToLive, int maxEntries) {
      Objects.requireNonNull(timeToLive, "stale");
      builder.faults.checkDuration("stale", timeToLive, Duration.ofNanos(1));
      builder.faults.check(maxEntries >= 1, "stale maxEntries", maxEntries, "at least 1");
      return gives(new Remedy.Stale<>(timeToLive, maxEntries));
    }

    /**
     * Gives no answer but an exception, as {@link Builder#throwing} does.
     *
     * @param exception makes the exception of what the call threw
     */
    public Builder<T> throwing(Function<? super Throwable, ? extends Throwable> exception) {
      return gives(new Remedy.Replacement<>(Objects.requireNonNull(exception, "throwing")));
    }

    private Builder<T> gives(Remedy<T> remedy) {
      builder.rules.add(new FallbackRule<>(text, meant, remedy));
      return builder;
    }
  }
}

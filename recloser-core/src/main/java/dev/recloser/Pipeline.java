package dev.recloser;

import dev.recloser.spi.CallContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Policies around calls, in the order in which they were written, outermost first.
 *
 * <pre>{@code
 * Pipeline<Stock> stocks = Pipeline.create("orders-to-inventory", calls -> calls
 *     .retry(retry -> retry.maxAttempts(3))
 *     .circuitBreaker(inventory)
 *     .timeout(Duration.ofMillis(200)));
 *
 * Stock stock = stocks.call(() -> client.stock(sku));
 * }</pre>
 *
 * <p>The order that is right for most is fallback, retry, hedge if any, circuit breaker, rate
 * limiter, bulkhead, timeout. {@link #describe} prints the one that was written, and whether a
 * breaker in it counts attempts or whole calls; {@link #warnings} tells of what in it cannot do
 * what it looks like.
 *
 * <p>Plain calls, stages, wrapped interfaces and permits by hand behave the same. A policy may
 * stand in several pipelines, which then share what it counts and limits.
 *
 * <p>Thread-safe.
 *
 * @param <T> the type of the results
 */
public final class Pipeline<T extends @Nullable Object> {
  private final String name;
  private final Route route;
  private final @Nullable Object key;

  private Pipeline(String name, Route route, @Nullable Object key) {
    this.name = name;
    this.route = route;
    this.key = key;
  }

  /**
   * Makes a pipeline.
   *
   * @param name what it is called in messages, metrics and events; not blank
   * @param policies adds the policies, outermost first; none makes a pipeline that only calls
   * @throws IllegalArgumentException when the name is blank
   * @throws InvalidConfigurationException when settings of a policy are wrong; lists them all
   */
  public static <T extends @Nullable Object> Pipeline<T> create(
      String name, Consumer<? super Builder<T>> policies) {
    Builder<T> builder = new Builder<>(Names.check(name));
    policies.accept(builder);
    builder.check();
    return new Pipeline<>(
        name,
        new Route(
            builder.policies.toArray(Policy[]::new), Contexts.installed().and(builder.contexts)),
        /* key= */ null);
  }

  /** What it is called. */
  public String name() {
    return name;
  }

  /**
   * Returns this same pipeline, policies and counters and all, for calls that ask for one thing: a
   * {@linkplain Fallback.Builder#stale(Duration, int) stale answer} is then an answer to that.
   *
   * <pre>{@code
   * Pipeline<Stock> stocks = Pipeline.create("orders-to-inventory", calls -> calls
   *     .fallback(rules -> rules.stale(Duration.ofMinutes(5)))
   *     .circuitBreaker(inventory));
   *
   * Stock stock = stocks.keyed(sku).call(() -> client.stock(sku));
   * }</pre>
   *
   * <p>It is a small object, to be made anew for each call. The key of a pipeline that has one
   * already is replaced.
   *
   * @param key what is asked for, with {@code equals} and {@code hashCode} to match; it may be kept
   *     as long as the answer is, and should not change meanwhile
   */
  public Pipeline<T> keyed(Object key) {
    return within(Objects.requireNonNull(key, "key"));
  }

  /** The same for a key that may be missing. */
  Pipeline<T> within(@Nullable Object newKey) {
    return new Pipeline<>(name, route, newKey);
  }

  /**
   * Makes a call through all policies.
   *
   * @param call the call; what it throws passes through
   * @return what it returned, or what a policy made of it
   * @throws CallRejectedException if the call was not made
   * @throws X what the call threw
   */
  public <X extends Throwable> T call(CheckedSupplier<? extends T, X> call) throws X {
    return Invocation.<T>of(route, key, call).run();
  }

  /**
   * Makes a call without a result through all policies. Where a fallback answers, its answer is
   * dropped; there is no stale one, for that a command went well once says nothing of this time.
   *
   * @param call the call; what it throws passes through
   * @throws CallRejectedException if the call was not made
   * @throws X what the call threw
   */
  @SuppressWarnings("NullAway") // A call without a result has the result null.
  public <X extends Throwable> void run(CheckedRunnable<X> call) throws X {
    Objects.requireNonNull(call, "call");
    within(new CommandKey(key))
        .<X>call(
            () -> {
              call.run();
              return null;
            });
  }

  /**
   * Makes an asynchronous call through all policies; it ends when its stage does. Completing the
   * future that is returned from outside, by cancelling it or with a time-out, ends the call and
   * cancels its stage.
   *
   * @param call starts the call; one that throws is a call that failed
   * @return never null; nothing is ever thrown
   */
  public CompletableFuture<T> callAsync(Supplier<? extends CompletionStage<T>> call) {
    return Invocation.ofAsync(route, key, call).start();
  }

  /**
   * Returns an implementation of an interface that makes every call to another one through this
   * pipeline, as {@link Policy#wrap} does through a policy. Where a fallback answers, its answer
   * must be of the type that the method returns, or is a {@code ClassCastException}.
   *
   * <p>Each call has a {@linkplain #keyed key}: the target, the method and its arguments, besides
   * the one of this pipeline. So a stale answer is one that the same method gave for equal
   * arguments; arrays are compared by their elements. Methods without an answer, {@code void} or
   * with a stage of {@code Void}, get no stale one.
   *
   * @param type the interface
   * @param target what is called
   * @throws IllegalArgumentException when the type is not an interface, or is sealed or hidden
   */
  @SuppressWarnings("unchecked") // See above.
  public <I> I wrap(Class<I> type, I target) {
    Pipeline<@Nullable Object> any = (Pipeline<@Nullable Object>) this;
    return GuardedInterface.wrap(
        (made, call) -> any.within(made.within(key)).call(call),
        (made, call) -> any.within(made.within(key)).callAsync(call),
        /* breaker= */ null,
        type,
        target);
  }

  /**
   * Makes a call as {@link #call} does, and says where the answer came from.
   *
   * @param call the call; what it throws passes through
   * @throws CallRejectedException if the call was not made
   * @throws X what the call threw
   */
  public <X extends Throwable> Answer<T> answer(CheckedSupplier<? extends T, X> call) throws X {
    Invocation<T> invocation = Invocation.of(route, key, call);
    T value = invocation.run();
    return invocation.answer(value);
  }

  /**
   * Makes an asynchronous call as {@link #callAsync} does, and says where the answer came from.
   *
   * @param call starts the call; one that throws is a call that failed
   * @return never null; nothing is ever thrown
   */
  public CompletableFuture<Answer<T>> answerAsync(Supplier<? extends CompletionStage<T>> call) {
    return answerAsync(call, UnaryOperator.identity());
  }

  /** Makes something of the answer on the way, which must not throw. */
  CompletableFuture<Answer<T>> answerAsync(
      Supplier<? extends CompletionStage<T>> call, UnaryOperator<Answer<T>> made) {
    Invocation<T> invocation = Invocation.ofAsync(route, key, call);
    CompletableFuture<T> value = invocation.start();
    CompletableFuture<Answer<T>> answer = new CompletableFuture<>();
    var unusedHook = answer.whenComplete((given, thrown) -> Stages.cancel(value, answer));
    var unusedEnd =
        value.whenComplete(
            (result, thrown) -> {
              if (thrown == null) {
                answer.complete(made.apply(invocation.answer(result)));
              } else {
                answer.completeExceptionally(thrown);
              }
            });
    return answer;
  }

  /**
   * Registers a listener with {@linkplain #policies all policies}, as {@link Policy#on} does with
   * one. From a policy that others use as well come the events of their calls, too.
   *
   * <pre>{@code
   * Pipeline<Stock> stocks = Pipeline.create("orders-to-inventory", calls -> calls
   *     .retry(config -> config.maxAttempts(3))
   *     .circuitBreaker(inventory));
   * stocks.on(PolicyEvent.class, System.out::println);
   * }</pre>
   *
   * @param type a type of event; {@link PolicyEvent} for all
   * @param listener what to call
   * @return unregisters it
   */
  public <E extends PolicyEvent> Cancellable on(Class<E> type, Consumer<? super E> listener) {
    List<Cancellable> all =
        Arrays.stream(route.policies).map(policy -> policy.on(type, listener)).toList();
    return () -> all.forEach(Cancellable::cancel);
  }

  /**
   * Its policies, outermost first, to listen to or to be asked; a fallback among them bears the
   * name of the pipeline. Unmodifiable.
   *
   * <pre>{@code
   * Pipeline<Stock> stocks = Pipeline.create("orders-to-inventory", calls -> calls
   *     .fallback(rules -> rules.onRefusal(() -> new Stock(0)))
   *     .circuitBreaker(inventory));
   *
   * for (Policy policy : stocks.policies()) {
   *   policy.on(PolicyEvent.class, System.out::println);
   * }
   * }</pre>
   */
  public List<Policy> policies() {
    return List.of(route.policies);
  }

  /**
   * Lets a call in by hand, for calls that are made elsewhere than in a function.
   *
   * <pre>{@code
   * try (Permit permit = pipeline.acquire()) {
   *   Response response = send();
   *   permit.complete(response);
   * }
   * }</pre>
   *
   * <p>The policies are asked from the outermost on, and learn of the end from the innermost on. A
   * timeout cannot end a call that it does not make: one that took too long is a timed-out failure
   * for it and for the breakers around it.
   *
   * @return a permit that must be completed once; closing it without that means cancelled
   * @throws CallRejectedException if a policy refuses the call
   * @throws IllegalStateException if there is a fallback, a retry or a hedge, which make calls
   *     themselves
   */
  public Permit acquire() {
    return PipelinePermit.acquire(route.policies);
  }

  /**
   * Lets a call in as {@link #acquire} does, and gives null instead of an exception when a policy
   * refuses it. Where a policy waits, so does this.
   *
   * @throws IllegalStateException as {@link #acquire} does
   */
  public @Nullable Permit tryAcquire() {
    try {
      return acquire();
    } catch (CallRejectedException refused) {
      return null;
    }
  }

  /** What its fallbacks have counted in their whole life, the outermost first; often one. */
  public List<FallbackMetrics> fallbackMetrics() {
    return Arrays.stream(route.policies)
        .filter(FallbackLayer.class::isInstance)
        .map(layer -> ((FallbackLayer<?>) layer).metrics())
        .toList();
  }

  /** What it does: its policies with their settings, outermost first, a line each. */
  public String describe() {
    StringBuilder text = new StringBuilder(name).append(":");
    for (Policy policy : route.policies) {
      text.append("\n  ").append(policy.describe()).append(countedBy(policy));
    }
    return text.append("\n  the call").toString();
  }

  /**
   * Says how it stands: what its policies {@linkplain Policy#explain explain}, outermost first, a
   * line each; for people, and not to be parsed.
   */
  public String explain() {
    StringBuilder text = new StringBuilder(name).append(":");
    for (Policy policy : route.policies) {
      text.append("\n  ").append(policy.explain());
    }
    return text.toString();
  }

  /**
   * What in it cannot do what it looks like, or does more: orders and settings that contradict each
   * other without being wrong. Empty if nothing was found.
   */
  public List<PipelineWarning> warnings() {
    return PipelineLint.of(List.of(route.policies));
  }

  @Override
  public String toString() {
    return describe();
  }

  /** What a breaker counts depends on its place. */
  private String countedBy(Policy policy) {
    if (!(policy instanceof CircuitBreaker)) {
      return "";
    }
    int place = List.of(route.policies).indexOf(policy);
    boolean insideRetry =
        List.of(route.policies).subList(0, place).stream().anyMatch(Pipeline::makesAttempts);
    boolean aroundRetry =
        List.of(route.policies).subList(place, route.policies.length).stream()
            .anyMatch(Pipeline::makesAttempts);
    return insideRetry
        ? "; counts each attempt"
        : aroundRetry ? "; counts whole calls, however many attempts they take" : "";
  }

  private static boolean makesAttempts(Policy policy) {
    return policy instanceof Retry || policy instanceof Hedge;
  }

  /**
   * Adds policies, outermost first. Not thread-safe.
   *
   * @param <T> the type of the results
   */
  public static final class Builder<T extends @Nullable Object> {
    private final String name;
    private final List<Policy> policies = new ArrayList<>();
    private final List<CallContext> contexts = new ArrayList<>();
    private boolean warningsAreErrors;

    private Builder(String name) {
      this.name = name;
    }

    /**
     * Sets whether {@linkplain Pipeline#warnings() warnings} are errors, with which the pipeline is
     * not made. Default: false, they are logged once.
     */
    public Builder<T> warningsAreErrors(boolean errors) {
      warningsAreErrors = errors;
      return this;
    }

    /**
     * Adds something that goes with the calls to other threads, besides what is found as a service
     * and goes with all calls.
     */
    public Builder<T> context(CallContext context) {
      contexts.add(Objects.requireNonNull(context, "context"));
      return this;
    }

    /** Adds a circuit breaker, which others may use as well. */
    public Builder<T> circuitBreaker(CircuitBreaker breaker) {
      policies.add(Objects.requireNonNull(breaker, "circuitBreaker"));
      return this;
    }

    /** Adds a circuit breaker of this pipeline's name. */
    public Builder<T> circuitBreaker(Consumer<? super CircuitBreakerConfig.Builder> settings) {
      return circuitBreaker(CircuitBreaker.create(name, settings));
    }

    /** Adds a bulkhead, which others may use as well. */
    public Builder<T> bulkhead(Bulkhead bulkhead) {
      policies.add(Objects.requireNonNull(bulkhead, "bulkhead"));
      return this;
    }

    /** Adds a bulkhead of this pipeline's name. */
    public Builder<T> bulkhead(Consumer<? super BulkheadConfig.Builder> settings) {
      return bulkhead(Bulkhead.create(name, settings));
    }

    /** Adds a retry, which others may use as well. */
    public Builder<T> retry(Retry retry) {
      policies.add(Objects.requireNonNull(retry, "retry"));
      return this;
    }

    /** Adds a retry of this pipeline's name. */
    public Builder<T> retry(Consumer<? super RetryConfig.Builder> settings) {
      return retry(Retry.create(name, settings));
    }

    /** Adds a hedge, which others may use as well. */
    public Builder<T> hedge(Hedge hedge) {
      policies.add(Objects.requireNonNull(hedge, "hedge"));
      return this;
    }

    /** Adds a hedge of this pipeline's name. */
    public Builder<T> hedge(Consumer<? super HedgeConfig.Builder> settings) {
      return hedge(Hedge.create(name, settings));
    }

    /** Adds a rate limiter, which others may use as well. */
    public Builder<T> rateLimiter(RateLimiter limiter) {
      policies.add(Objects.requireNonNull(limiter, "rateLimiter"));
      return this;
    }

    /** Adds a rate limiter of this pipeline's name. */
    public Builder<T> rateLimiter(Consumer<? super RateLimiterConfig.Builder> settings) {
      return rateLimiter(RateLimiter.create(name, settings));
    }

    /** Adds a timeout, which others may use as well. */
    public Builder<T> timeout(Timeout timeout) {
      policies.add(Objects.requireNonNull(timeout, "timeout"));
      return this;
    }

    /** Adds a timeout of this pipeline's name. */
    public Builder<T> timeout(Consumer<? super TimeoutConfig.Builder> settings) {
      return timeout(Timeout.create(name, settings));
    }

    /**
     * Adds a timeout of this pipeline's name.
     *
     * @param timeoutDuration how long a call may take, more than zero
     */
    public Builder<T> timeout(Duration timeoutDuration) {
      return timeout(Timeout.create(name, timeoutDuration));
    }

    /**
     * Adds a fallback, which other pipelines may use as well. What stands outside it sees its
     * answers as successes.
     */
    public Builder<T> fallback(Fallback<T> fallback) {
      policies.add(new FallbackLayer<>(name, Objects.requireNonNull(fallback, "fallback")));
      return this;
    }

    /** Adds a fallback. What stands outside it sees its answers as successes. */
    public Builder<T> fallback(Consumer<? super Fallback.Builder<T>> rules) {
      return fallback(Fallback.of(rules));
    }

    private void check() {
      List<PipelineWarning> warnings = PipelineLint.of(policies);
      if (!warningsAreErrors) {
        PipelineLint.log(name, warnings);
        return;
      }
      Faults faults = new Faults();
      for (PipelineWarning warning : warnings) {
        faults.check(false, warning.rule(), warning.message(), warning.advice());
      }
      faults.throwIfAny("Pipeline " + name);
    }
  }
}

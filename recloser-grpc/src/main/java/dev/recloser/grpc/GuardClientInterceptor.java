package dev.recloser.grpc;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Policy;
import dev.recloser.PolicySource;
import dev.recloser.Retry;
import dev.recloser.RetryConfig;
import dev.recloser.RetryRegistry;
import dev.recloser.http.CallEnd;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts each call of a gRPC channel under the breaker of the dependency that it goes to.
 *
 * <pre>{@code
 * ManagedChannel channel = ManagedChannelBuilder.forTarget("dns:///inventory:8080")
 *     .intercept(GuardClientInterceptor.create(calls -> calls
 *         .circuitBreaker(config -> config.slidingWindowSize(20))))
 *     .build();
 * }</pre>
 *
 * <ul>
 *   <li>A refused call ends with {@code UNAVAILABLE}, with the {@link CallNotPermittedException} as
 *       its cause, for a call of gRPC ends with a status whatever its stub is. It has not been
 *       sent.
 *   <li>A call ends with its status, and is judged by it. Where the server streams messages, a call
 *       can last as long as it likes: it is a success as soon as the server has answered at all,
 *       unless {@link Builder#callEnd} says otherwise.
 *   <li>Cancelling, by the call or its context, is no evidence; a deadline that is over is a
 *       failure.
 *   <li>{@code grpc-retry-pushback-ms} among the trailers of a failure, at most a day, lengthens
 *       the wait of the breaker that opens.
 * </ul>
 *
 * <p>With {@linkplain Builder#retry a retry}, unary calls of idempotent methods are made again,
 * each attempt under a permit of its own; the caller hears of the last one only.
 *
 * <p>Thread-safe.
 */
public final class GuardClientInterceptor implements ClientInterceptor {
  private static final System.Logger LOGGER = System.getLogger("dev.recloser");

  private final Function<? super String, CircuitBreaker> breakers;
  private final @Nullable Function<? super String, Retry> retries;
  private final PolicySource<Policy> policies;
  private final GrpcKey key;
  private final GrpcOutcomes outcomes;
  private final Predicate<? super MethodDescriptor<?, ?>> idempotent;
  private final CallEnd callEnd;
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  private GuardClientInterceptor(Builder source) {
    List<PolicySource<?>> made = new ArrayList<>();
    breakers = source.breakers(made);
    retries = source.retries(made);
    policies = PolicySource.concat(made);
    key = source.key;
    outcomes = source.outcomes;
    idempotent = source.idempotent;
    callEnd = source.callEnd;
  }

  /** Makes an interceptor with the default settings: a breaker an authority. */
  public static GuardClientInterceptor create() {
    return create(settings -> {});
  }

  /**
   * Makes an interceptor.
   *
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong or contradict each other; lists
   *     them all
   */
  public static GuardClientInterceptor create(Consumer<? super Builder> settings) {
    Builder builder = new Builder();
    settings.accept(builder);
    builder.check();
    return new GuardClientInterceptor(builder);
  }

  /**
   * The policies that the interceptor makes for itself, for metrics and the live panel; none of
   * those that come from elsewhere.
   */
  public PolicySource<Policy> policies() {
    return policies;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    String name = nameOf(method, next.authority());
    boolean endsWithHeaders =
        callEnd == CallEnd.HEADERS && !method.getType().serverSendsOneMessage();
    Supplier<ClientCall<Q, A>> attempts =
        () ->
            new GuardedCall<>(
                next.newCall(method, options),
                endsWithHeaders,
                () -> breakers.apply(name),
                outcomes);
    Function<? super String, Retry> byName = retries;
    return byName != null && mayBeRepeated(method)
        ? new RepeatedCall<>(attempts, () -> byName.apply(name), outcomes, options)
        : attempts.get();
  }

  private boolean mayBeRepeated(MethodDescriptor<?, ?> method) {
    try {
      return method.getType() == MethodType.UNARY && idempotent.test(method);
    } catch (Throwable e) {
      log("What says which gRPC methods are idempotent threw, so calls are made once", e);
      return false;
    }
  }

  /** Logs each thing once: what fails for one call fails for many. */
  private void log(String what, @Nullable Throwable thrown) {
    if (logged.add(what)) {
      LOGGER.log(System.Logger.Level.WARNING, what + " (told once)", thrown);
    }
  }

  private String nameOf(MethodDescriptor<?, ?> method, @Nullable String authority) {
    String known = authority == null || authority.isBlank() ? "grpc" : authority;
    String name = null;
    Throwable thrown = null;
    try {
      name = key.of(method, known);
    } catch (Throwable e) {
      thrown = e;
    }
    if (name != null && !name.isBlank()) {
      return name;
    }
    log("The key of gRPC calls gave no name; the authority stands in", thrown);
    return known;
  }

  /** Sets what an interceptor shall differ in from the defaults. Not thread-safe. */
  public static final class Builder {
    private GrpcKey key = GrpcKey.authority();
    private GrpcOutcomes outcomes = GrpcOutcomes.defaults();
    private CallEnd callEnd = CallEnd.HEADERS;
    private @Nullable CircuitBreakerConfig breakerConfig;
    private @Nullable Function<? super String, CircuitBreaker> breakers;
    private @Nullable RetryConfig retryConfig;
    private @Nullable Function<? super String, Retry> retries;
    private Predicate<? super MethodDescriptor<?, ?>> idempotent =
        method -> method.isIdempotent() || method.isSafe();

    private Builder() {}

    /** Sets what names the breaker of a call. Default: {@link GrpcKey#authority()}. */
    public Builder key(GrpcKey key) {
      this.key = Objects.requireNonNull(key, "key");
      return this;
    }

    /** Sets what a status says. Default: {@link GrpcOutcomes#defaults()}. */
    public Builder outcomes(GrpcOutcomes outcomes) {
      this.outcomes = Objects.requireNonNull(outcomes, "outcomes");
      return this;
    }

    /**
     * Sets when a call has ended whose server streams messages: with the headers of the answer,
     * whatever happens then, or with its status. Other calls end with their status in any case.
     * Default: {@link CallEnd#HEADERS}, since a stream of events may go on for days.
     */
    public Builder callEnd(CallEnd end) {
      callEnd = Objects.requireNonNull(end, "callEnd");
      return this;
    }

    /**
     * Sets how the settings of every breaker differ from the defaults; they are in a registry with
     * the default bounds.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public Builder circuitBreaker(Consumer<? super CircuitBreakerConfig.Builder> settings) {
      breakerConfig = CircuitBreakerConfig.of(settings);
      return this;
    }

    /**
     * Sets what makes and keeps the breakers by their names: a registry of one's own, or policies
     * from a file.
     *
     * @param breakers asked for each call, so quick; bounded, if names come from requests; with
     *     what it throws, the call ends without being made
     */
    public Builder circuitBreakers(Function<? super String, CircuitBreaker> breakers) {
      this.breakers = Objects.requireNonNull(breakers, "circuitBreakers");
      return this;
    }

    /**
     * Retries unary calls of idempotent methods, with settings that differ so from the defaults:
     * one retry with one budget for each name. It is outside the breaker, which so counts each
     * attempt. Default: no retries.
     *
     * <p>Retried is what is a failure by the table, as long as no headers of an answer have come;
     * where the trailers have a {@code grpc-retry-pushback-ms}, the wait is that long, up to {@code
     * maxWaitDuration}, and one that is negative forbids it. What is refused is not retried, and no
     * wait is begun that would end after the deadline. The message is kept and sent again, so it
     * must not be changed. The retries that gRPC makes by itself are part of an attempt.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public Builder retry(Consumer<? super RetryConfig.Builder> settings) {
      retryConfig = RetryConfig.of(settings);
      return this;
    }

    /**
     * Retries calls as {@link #retry} does, with retries by their names from elsewhere.
     *
     * @param retries like {@link #circuitBreakers}
     */
    public Builder retries(Function<? super String, Retry> retries) {
      this.retries = Objects.requireNonNull(retries, "retries");
      return this;
    }

    /**
     * Sets which methods may be called twice, of those that are unary. Default: those that say so
     * in their descriptor, {@code isIdempotent} or {@code isSafe}, which comes from the {@code
     * idempotency_level} in the proto file. One that throws means that the method may not.
     */
    public Builder idempotent(Predicate<? super MethodDescriptor<?, ?>> methods) {
      idempotent = Objects.requireNonNull(methods, "idempotent");
      return this;
    }

    private @Nullable Function<? super String, Retry> retries(List<PolicySource<?>> made) {
      RetryConfig config = retryConfig;
      if (config == null) {
        return retries;
      }
      RetryRegistry own = RetryRegistry.create(registry -> registry.defaultConfig(config));
      made.add(own);
      return own::retry;
    }

    private Function<? super String, CircuitBreaker> breakers(List<PolicySource<?>> made) {
      if (breakers != null) {
        return breakers;
      }
      CircuitBreakerConfig config =
          breakerConfig == null ? CircuitBreakerConfig.defaults() : breakerConfig;
      CircuitBreakerRegistry own =
          CircuitBreakerRegistry.create(registry -> registry.defaultConfig(config));
      made.add(own);
      return own::circuitBreaker;
    }

    private void check() {
      List<InvalidConfigurationException.Fault> faults = new ArrayList<>();
      if (breakers != null && breakerConfig != null) {
        faults.add(InvalidConfigurationException.Fault.both("circuitBreaker", "circuitBreakers"));
      }
      if (retries != null && retryConfig != null) {
        faults.add(InvalidConfigurationException.Fault.both("retry", "retries"));
      }
      if (!faults.isEmpty()) {
        throw new InvalidConfigurationException("A guard of gRPC calls", faults);
      }
    }
  }
}

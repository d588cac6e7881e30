package dev.recloser.grpc;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.InvalidConfigurationException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
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
 *   <li>A call ends with its status, and is judged by it. Where messages are streamed, a call can
 *       last as long as it likes: it is a success as soon as the server has answered at all.
 *   <li>Cancelling, by the call or its context, is no evidence; a deadline that is over is a
 *       failure.
 *   <li>{@code grpc-retry-pushback-ms} among the trailers of a failure, at most a day, lengthens
 *       the wait of the breaker that opens.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class GuardClientInterceptor implements ClientInterceptor {
  private static final System.Logger LOGGER = System.getLogger("dev.recloser");

  private final Function<? super String, CircuitBreaker> breakers;
  private final GrpcKey key;
  private final GrpcOutcomes outcomes;
  private final AtomicBoolean logged = new AtomicBoolean();

  private GuardClientInterceptor(Builder source) {
    breakers = source.breakers();
    key = source.key;
    outcomes = source.outcomes;
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

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new GuardedCall<>(
        next.newCall(method, options),
        method.getType(),
        () -> breakers.apply(nameOf(method, next.authority())),
        outcomes);
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
    if (logged.compareAndSet(false, true)) {
      String what = "The key of gRPC calls gave no name; the authority stands in (told once)";
      LOGGER.log(System.Logger.Level.WARNING, what, thrown);
    }
    return known;
  }

  /** Sets what an interceptor shall differ in from the defaults. Not thread-safe. */
  public static final class Builder {
    private GrpcKey key = GrpcKey.authority();
    private GrpcOutcomes outcomes = GrpcOutcomes.defaults();
    private @Nullable CircuitBreakerConfig breakerConfig;
    private @Nullable Function<? super String, CircuitBreaker> breakers;

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

    private Function<? super String, CircuitBreaker> breakers() {
      if (breakers != null) {
        return breakers;
      }
      CircuitBreakerConfig config =
          breakerConfig == null ? CircuitBreakerConfig.defaults() : breakerConfig;
      return CircuitBreakerRegistry.create(registry -> registry.defaultConfig(config))
          ::circuitBreaker;
    }

    private void check() {
      if (breakers != null && breakerConfig != null) {
        throw new InvalidConfigurationException(
            "A guard of gRPC calls",
            List.of(
                new InvalidConfigurationException.Fault(
                    "circuitBreaker",
                    "set, and circuitBreakers as well",
                    "one of them: those have settings already")));
      }
    }
  }
}

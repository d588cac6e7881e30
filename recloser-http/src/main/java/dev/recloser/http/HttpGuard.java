package dev.recloser.http;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.Hedge;
import dev.recloser.HedgeConfig;
import dev.recloser.HedgeRegistry;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Policy;
import dev.recloser.PolicySource;
import dev.recloser.Retry;
import dev.recloser.RetryConfig;
import dev.recloser.RetryRegistry;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Guards HTTP calls, each under the breaker of the dependency that it goes to.
 *
 * <pre>{@code
 * HttpClient client = HttpGuard.create().client(HttpClient.newHttpClient());
 *
 * HttpResponse<String> response = client.send(
 *     HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(1)).build(),
 *     HttpResponse.BodyHandlers.ofString());
 * }</pre>
 *
 * <p>The same guard can stand before clients of several kinds, which then share its breakers, and
 * judge answers by the same {@linkplain HttpOutcomes table}.
 *
 * <p>A call that is refused throws {@link CallNotPermittedException}, and none is made. An answer
 * is judged by the table of the guard, and an exception by the breaker's own settings, unless the
 * table has a row for it. A {@code Retry-After} lengthens the wait of a breaker that opens, and of
 * a retry.
 *
 * <p>Thread-safe.
 */
public final class HttpGuard {
  private final Function<? super String, CircuitBreaker> breakers;
  private final @Nullable Function<? super String, Retry> retries;
  private final @Nullable Function<? super String, Hedge> hedges;
  private final PolicySource<Policy> policies;
  private final Names names;
  private final HttpOutcomes outcomes;
  private final CallEnd callEnd;
  private final Predicate<? super HttpCall> idempotent;

  private HttpGuard(Builder source) {
    List<PolicySource<?>> made = new ArrayList<>();
    breakers = source.breakers(made);
    retries = source.retries(made);
    hedges = source.hedges(made);
    policies = PolicySource.concat(made);
    names = new Names(source.key);
    outcomes = source.outcomes;
    callEnd = source.callEnd;
    idempotent = source.idempotent;
  }

  /** Makes a guard with the default settings: a breaker an origin, and no retries. */
  public static HttpGuard create() {
    return create(settings -> {});
  }

  /**
   * Makes a guard.
   *
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong or contradict each other; lists
   *     them all
   */
  public static HttpGuard create(Consumer<? super Builder> settings) {
    Builder builder = new Builder();
    settings.accept(builder);
    builder.check();
    return new HttpGuard(builder);
  }

  /**
   * Returns a client that makes its calls with another one, guarded.
   *
   * <ul>
   *   <li>{@code send} and {@code sendAsync} ask the breaker and tell it how the call ended. A
   *       refusal is thrown, or completes the future. With {@link CallEnd#BODY} a body that is
   *       handed over as a stream ends the call when it has been read to its end, or closed.
   *   <li>Cancelling the future cancels the exchange and gives the permit back; that is no
   *       evidence. Ending it in another way, with {@code orTimeout} for example, is what it was
   *       ended with.
   *   <li>A request that the client does not take, of a scheme that it does not know for example,
   *       is no evidence either; nor is what the caller's own body publisher or body handler
   *       throws.
   *   <li>With {@linkplain Builder#retry a retry}, idempotent calls are made again; with
   *       {@linkplain Builder#hedge a hedge}, also while they still go on.
   *   <li>Pushed responses are passed on unguarded, and so are WebSockets.
   *   <li>Closing it closes the other one, where the Java that runs it has such methods (21).
   * </ul>
   *
   * <p>Redirects, authentication and the attempts that the other client makes by itself are part of
   * a call, which is named by what was asked for.
   *
   * @param client what makes the calls
   */
  public HttpClient client(HttpClient client) {
    return new GuardedClient(Objects.requireNonNull(client, "client"), this);
  }

  /**
   * Lets a call in by hand, for other clients.
   *
   * @return a permit that must be ended once
   * @throws CallNotPermittedException if the call is refused
   * @throws IllegalStateException when there are as many breakers as there may be and none is idle
   */
  public HttpPermit acquire(HttpCall call) {
    return new HttpPermit(circuitBreaker(call).acquire(), outcomes, callEnd);
  }

  /**
   * The policies that the guard makes for itself, for metrics and the live panel; none of those
   * that come from elsewhere.
   */
  public PolicySource<Policy> policies() {
    return policies;
  }

  /** The breaker of a call; made if there is none yet. */
  public CircuitBreaker circuitBreaker(HttpCall call) {
    return breakers.apply(names.of(call));
  }

  /**
   * The retry of a call, for calls of other clients that are made by hand; empty where there is
   * none, or the call may not be made twice. It wants to see {@link HttpPermit#result()} of each
   * attempt.
   */
  public Optional<Retry> retry(HttpCall call) {
    return retries == null || !mayBeRepeated(call)
        ? Optional.empty()
        : Optional.of(retries.apply(names.of(call)));
  }

  /** The hedge of a call; empty where there is none, or the call may not be made twice. */
  Optional<Hedge> hedge(HttpCall call) {
    return hedges == null || !mayBeRepeated(call)
        ? Optional.empty()
        : Optional.of(hedges.apply(names.of(call)));
  }

  private boolean mayBeRepeated(HttpCall call) {
    try {
      return idempotent.test(call);
    } catch (Throwable e) {
      names.log("What says which calls are idempotent threw, so this one is made once", e);
      return false;
    }
  }

  /** Sets what a guard shall differ in from the defaults. Not thread-safe. */
  public static final class Builder {
    private HttpKey key = HttpKey.origin();
    private HttpOutcomes outcomes = HttpOutcomes.defaults();
    private CallEnd callEnd = CallEnd.BODY;
    private Predicate<? super HttpCall> idempotent = HttpCall::isIdempotent;
    private @Nullable CircuitBreakerConfig breakerConfig;
    private @Nullable Function<? super String, CircuitBreaker> breakers;
    private @Nullable RetryConfig retryConfig;
    private @Nullable Function<? super String, Retry> retries;
    private @Nullable HedgeConfig hedgeConfig;
    private @Nullable Function<? super String, Hedge> hedges;

    private Builder() {}

    /** Sets what names the breaker of a call. Default: {@link HttpKey#origin()}. */
    public Builder key(HttpKey key) {
      this.key = Objects.requireNonNull(key, "key");
      return this;
    }

    /** Sets what answers say. Default: {@link HttpOutcomes#defaults()}. */
    public Builder outcomes(HttpOutcomes outcomes) {
      this.outcomes = Objects.requireNonNull(outcomes, "outcomes");
      return this;
    }

    /**
     * Sets how what answers say differs from what was set so far.
     *
     * @throws InvalidConfigurationException when rows are wrong; lists them all
     */
    public Builder outcomes(Consumer<? super HttpOutcomes.Builder> rows) {
      return outcomes(outcomes.with(rows));
    }

    /** Sets when a call with a good answer has ended. Default: {@link CallEnd#BODY}. */
    public Builder callEnd(CallEnd end) {
      callEnd = Objects.requireNonNull(end, "callEnd");
      return this;
    }

    /**
     * Sets how the settings of every breaker differ from the defaults; they are in a registry with
     * the default bounds. What answers mean is for {@link #outcomes} to say: a classifier, or
     * {@code recordResult}, is asked about the {@code JudgedResult} that stands for the answer of
     * whichever client, and so can judge exceptions only.
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
     * <pre>{@code
     * CircuitBreakerRegistry registry = CircuitBreakerRegistry.create();
     * HttpGuard guard = HttpGuard.create(calls -> calls.circuitBreakers(registry::circuitBreaker));
     * }</pre>
     *
     * @param breakers asked for each call, so quick; bounded, if names come from requests; what it
     *     throws, the caller gets, and the call is not made
     */
    public Builder circuitBreakers(Function<? super String, CircuitBreaker> breakers) {
      this.breakers = Objects.requireNonNull(breakers, "circuitBreakers");
      return this;
    }

    /**
     * Retries idempotent calls, with settings that differ so from the defaults: one retry with one
     * budget for each name. It is outside the breaker, which so counts each attempt. Default: no
     * retries.
     *
     * <p>Retried is what is a failure by the table, and any exception, unless the settings say
     * otherwise; but not, whatever they say, what was never sent, since the client does not take
     * the request or the caller's own body of it failed. Where the answer has a {@code
     * Retry-After}, the wait is that long, up to {@code maxWaitDuration}. What is refused is not
     * retried. Each attempt sends the body of the request again, and of the JDK's client hands the
     * answer to the body handler, which so must stand being asked again.
     *
     * <p>What answers are failures is for {@link #outcomes} to say here as well, as for breakers.
     *
     * <p>The other clients that this guard stands before do so, too; but they hand an answer over
     * with its head, so that what its body is, or that it breaks off, comes too late for a retry.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public Builder retry(Consumer<? super RetryConfig.Builder> settings) {
      retryConfig = RetryConfig.of(settings);
      return this;
    }

    /**
     * Retries idempotent calls as {@link #retry} does, with retries by their names from elsewhere.
     *
     * @param retries like {@link #circuitBreakers}
     */
    public Builder retries(Function<? super String, Retry> retries) {
      this.retries = Objects.requireNonNull(retries, "retries");
      return this;
    }

    /**
     * Makes idempotent calls again while they still go on, if they take longer than most do, with
     * settings that differ so from the defaults: one hedge with one budget for each name. The first
     * answer that is no failure by the table is the answer; the attempts that still go on are
     * cancelled, which is no evidence, and what they have got of an answer is let go. It is outside
     * the breaker, which so sees each attempt, and inside a retry. Default: no hedges.
     *
     * <p>Only the JDK's client does so: an interceptor of another one has one connection for a
     * call, and so no place for two at the same time. Attempts ask the body handler at the same
     * time as well; one that writes into a file would have them write into the same.
     *
     * @throws InvalidConfigurationException when settings are wrong; lists them all
     */
    public Builder hedge(Consumer<? super HedgeConfig.Builder> settings) {
      hedgeConfig =
          HedgeConfig.of(
              config -> {
                config.idempotent(true); // As others are not hedged.
                settings.accept(config);
              });
      return this;
    }

    /**
     * Hedges idempotent calls as {@link #hedge} does, with hedges by their names from elsewhere.
     *
     * @param hedges like {@link #circuitBreakers}
     */
    public Builder hedges(Function<? super String, Hedge> hedges) {
      this.hedges = Objects.requireNonNull(hedges, "hedges");
      return this;
    }

    /**
     * Sets which calls may be made twice. Default: {@link HttpCall#isIdempotent()}, so {@code POST}
     * only with an {@code Idempotency-Key}. One that throws means that the call may not.
     */
    public Builder idempotent(Predicate<? super HttpCall> calls) {
      idempotent = Objects.requireNonNull(calls, "idempotent");
      return this;
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

    private @Nullable Function<? super String, Retry> retries(List<PolicySource<?>> made) {
      RetryConfig config = retryConfig;
      if (config == null) {
        return retries;
      }
      RetryRegistry own = RetryRegistry.create(registry -> registry.defaultConfig(config));
      made.add(own);
      return own::retry;
    }

    private @Nullable Function<? super String, Hedge> hedges(List<PolicySource<?>> made) {
      HedgeConfig config = hedgeConfig;
      if (config == null) {
        return hedges;
      }
      HedgeRegistry own = HedgeRegistry.create(registry -> registry.defaultConfig(config));
      made.add(own);
      return own::hedge;
    }

    private void check() {
      List<InvalidConfigurationException.Fault> faults = new ArrayList<>();
      if (breakers != null && breakerConfig != null) {
        faults.add(InvalidConfigurationException.Fault.both("circuitBreaker", "circuitBreakers"));
      }
      if (retries != null && retryConfig != null) {
        faults.add(InvalidConfigurationException.Fault.both("retry", "retries"));
      }
      if (hedges != null && hedgeConfig != null) {
        faults.add(InvalidConfigurationException.Fault.both("hedge", "hedges"));
      }
      if (callEnd == CallEnd.HEADERS && outcomes.asksBodies()) {
        faults.add(
            new InvalidConfigurationException.Fault(
                "callEnd", "HEADERS with a table that asks bodies", "BODY, or no rows for bodies"));
      }
      if (!faults.isEmpty()) {
        throw new InvalidConfigurationException("A guard of HTTP calls", faults);
      }
    }
  }
}

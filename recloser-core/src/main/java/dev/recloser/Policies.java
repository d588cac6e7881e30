package dev.recloser;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The registries of an application, one of each kind of policy, to be handed around as one.
 *
 * <pre>{@code
 * Policies policies =
 *     Policies.create(registries -> registries
 *         .retries(RetryRegistry.create(retries -> retries.maxSize(500))));
 *
 * Retry retry = policies.retries().retry("inventory");
 * policies.follow(policy -> policy.on(PolicyEvent.class, System.out::println));
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Policies implements PolicySource<Policy> {
  private final HedgeRegistry hedges;
  private final CircuitBreakerRegistry circuitBreakers;
  private final RetryRegistry retries;
  private final RateLimiterRegistry rateLimiters;
  private final BulkheadRegistry bulkheads;
  private final TimeoutRegistry timeouts;

  private Policies(Builder builder) {
    hedges = builder.hedges;
    circuitBreakers = builder.circuitBreakers;
    retries = builder.retries;
    rateLimiters = builder.rateLimiters;
    bulkheads = builder.bulkheads;
    timeouts = builder.timeouts;
  }

  /** Makes new registries with the default settings. */
  public static Policies create() {
    return create(registries -> {});
  }

  /**
   * Puts registries together.
   *
   * @param registries sets those that shall not be new ones with the default settings
   */
  public static Policies create(Consumer<? super Builder> registries) {
    Builder builder = new Builder();
    registries.accept(builder);
    return new Policies(builder);
  }

  /** The registry of circuit breakers. */
  public CircuitBreakerRegistry circuitBreakers() {
    return circuitBreakers;
  }

  /** The registry of retries. */
  public RetryRegistry retries() {
    return retries;
  }

  /** The registry of hedges. */
  public HedgeRegistry hedges() {
    return hedges;
  }

  /** The registry of rate limiters. */
  public RateLimiterRegistry rateLimiters() {
    return rateLimiters;
  }

  /** The registry of bulkheads. */
  public BulkheadRegistry bulkheads() {
    return bulkheads;
  }

  /** The registry of timeouts. */
  public TimeoutRegistry timeouts() {
    return timeouts;
  }

  /** All of them. Immutable. */
  public List<PolicyRegistry<?>> registries() {
    return List.of(retries, hedges, circuitBreakers, rateLimiters, bulkheads, timeouts);
  }

  /** The policies of all registries that there are now, those of a kind together. */
  @Override
  public Collection<Policy> all() {
    return joined().all();
  }

  /** Does something about each policy as long as it is in its registry. */
  @Override
  public Cancellable follow(Function<? super Policy, ? extends Cancellable> start) {
    return joined().follow(start);
  }

  private PolicySource<Policy> joined() {
    return PolicySource.concat(registries());
  }

  /** Sets registries. Not thread-safe. */
  public static final class Builder {
    private CircuitBreakerRegistry circuitBreakers = CircuitBreakerRegistry.create();
    private RetryRegistry retries = RetryRegistry.create();
    private HedgeRegistry hedges = HedgeRegistry.create();
    private RateLimiterRegistry rateLimiters = RateLimiterRegistry.create();
    private BulkheadRegistry bulkheads = BulkheadRegistry.create();
    private TimeoutRegistry timeouts = TimeoutRegistry.create();

    private Builder() {}

    /** Sets the registry of circuit breakers. Default: a new one with the default settings. */
    public Builder circuitBreakers(CircuitBreakerRegistry registry) {
      circuitBreakers = Objects.requireNonNull(registry, "circuitBreakers");
      return this;
    }

    /** Sets the registry of retries. Default: a new one with the default settings. */
    public Builder retries(RetryRegistry registry) {
      retries = Objects.requireNonNull(registry, "retries");
      return this;
    }

    /** Sets the registry of hedges. Default: a new one with the default settings. */
    public Builder hedges(HedgeRegistry registry) {
      hedges = Objects.requireNonNull(registry, "hedges");
      return this;
    }

    /** Sets the registry of rate limiters. Default: a new one with the default settings. */
    public Builder rateLimiters(RateLimiterRegistry registry) {
      rateLimiters = Objects.requireNonNull(registry, "rateLimiters");
      return this;
    }

    /** Sets the registry of bulkheads. Default: a new one with the default settings. */
    public Builder bulkheads(BulkheadRegistry registry) {
      bulkheads = Objects.requireNonNull(registry, "bulkheads");
      return this;
    }

    /** Sets the registry of timeouts. Default: a new one with the default settings. */
    public Builder timeouts(TimeoutRegistry registry) {
      timeouts = Objects.requireNonNull(registry, "timeouts");
      return this;
    }
  }
}

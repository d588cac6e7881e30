package dev.recloser;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A registry of one kind of policies as the tests of all kinds see it. Policies differ in one
 * number among their settings.
 *
 * @param <P> the policies
 * @param <C> their configurations
 * @param <B> what sets up the registry
 */
abstract class RegistryUnderTest<
    P extends Policy, C extends PolicyConfig, B extends PolicyRegistry.Builder<C, ?, B>> {
  final String one;
  final String whenFull;
  final String setting;

  private RegistryUnderTest(String one, String whenFull, String setting) {
    this.one = one;
    this.whenFull = whenFull;
    this.setting = setting;
  }

  static Stream<RegistryUnderTest<?, ?, ?>> all() {
    return Stream.of(
        new CircuitBreakers(),
        new Retries(),
        new Hedges(),
        new Timeouts(),
        new Bulkheads(),
        new RateLimiters());
  }

  /** Makes the registry, once for each test. */
  abstract void create(Consumer<? super B> settings);

  abstract PolicyRegistry<P> registry();

  abstract P get(String name);

  abstract P get(String name, String configName);

  abstract P get(String name, C config);

  abstract List<P> reconfigure(Consumer<? super B> changes);

  abstract B ofPolicy(B builder, String name, C config);

  abstract C config(int number, Ticker ticker);

  abstract int numberOf(P policy);

  abstract void reconfigure(P policy, C config);

  @Override
  public String toString() {
    return one;
  }

  private static final class CircuitBreakers
      extends RegistryUnderTest<
          CircuitBreaker, CircuitBreakerConfig, CircuitBreakerRegistry.Builder> {
    private CircuitBreakerRegistry registry = CircuitBreakerRegistry.create();

    CircuitBreakers() {
      super("circuit breaker", "breakers and none has been closed and idle", "slidingWindowSize");
    }

    @Override
    void create(Consumer<? super CircuitBreakerRegistry.Builder> settings) {
      registry = CircuitBreakerRegistry.create(settings);
    }

    @Override
    PolicyRegistry<CircuitBreaker> registry() {
      return registry;
    }

    @Override
    CircuitBreaker get(String name) {
      return registry.circuitBreaker(name);
    }

    @Override
    CircuitBreaker get(String name, String configName) {
      return registry.circuitBreaker(name, configName);
    }

    @Override
    CircuitBreaker get(String name, CircuitBreakerConfig config) {
      return registry.circuitBreaker(name, config);
    }

    @Override
    List<CircuitBreaker> reconfigure(Consumer<? super CircuitBreakerRegistry.Builder> changes) {
      return registry.reconfigure(changes);
    }

    @Override
    CircuitBreakerRegistry.Builder ofPolicy(
        CircuitBreakerRegistry.Builder builder, String name, CircuitBreakerConfig config) {
      return builder.breaker(name, config);
    }

    @Override
    CircuitBreakerConfig config(int number, Ticker ticker) {
      return CircuitBreakerConfig.of(s -> s.slidingWindowSize(number).ticker(ticker));
    }

    @Override
    int numberOf(CircuitBreaker policy) {
      return policy.config().slidingWindowCalls();
    }

    @Override
    void reconfigure(CircuitBreaker policy, CircuitBreakerConfig config) {
      policy.reconfigure(config);
    }
  }

  private static final class Retries
      extends RegistryUnderTest<Retry, RetryConfig, RetryRegistry.Builder> {
    private RetryRegistry registry = RetryRegistry.create();

    Retries() {
      super("retry", "retries and none has been idle", "maxAttempts");
    }

    @Override
    void create(Consumer<? super RetryRegistry.Builder> settings) {
      registry = RetryRegistry.create(settings);
    }

    @Override
    PolicyRegistry<Retry> registry() {
      return registry;
    }

    @Override
    Retry get(String name) {
      return registry.retry(name);
    }

    @Override
    Retry get(String name, String configName) {
      return registry.retry(name, configName);
    }

    @Override
    Retry get(String name, RetryConfig config) {
      return registry.retry(name, config);
    }

    @Override
    List<Retry> reconfigure(Consumer<? super RetryRegistry.Builder> changes) {
      return registry.reconfigure(changes);
    }

    @Override
    RetryRegistry.Builder ofPolicy(RetryRegistry.Builder builder, String name, RetryConfig config) {
      return builder.retry(name, config);
    }

    @Override
    RetryConfig config(int number, Ticker ticker) {
      return RetryConfig.of(s -> s.maxAttempts(number).ticker(ticker));
    }

    @Override
    int numberOf(Retry policy) {
      return policy.config().maxAttempts();
    }

    @Override
    void reconfigure(Retry policy, RetryConfig config) {
      policy.reconfigure(config);
    }
  }

  private static final class Timeouts
      extends RegistryUnderTest<Timeout, TimeoutConfig, TimeoutRegistry.Builder> {
    private TimeoutRegistry registry = TimeoutRegistry.create();

    Timeouts() {
      super("timeout", "timeouts and none has been idle", "timeoutDuration");
    }

    @Override
    void create(Consumer<? super TimeoutRegistry.Builder> settings) {
      registry = TimeoutRegistry.create(settings);
    }

    @Override
    PolicyRegistry<Timeout> registry() {
      return registry;
    }

    @Override
    Timeout get(String name) {
      return registry.timeout(name);
    }

    @Override
    Timeout get(String name, String configName) {
      return registry.timeout(name, configName);
    }

    @Override
    Timeout get(String name, TimeoutConfig config) {
      return registry.timeout(name, config);
    }

    @Override
    List<Timeout> reconfigure(Consumer<? super TimeoutRegistry.Builder> changes) {
      return registry.reconfigure(changes);
    }

    @Override
    TimeoutRegistry.Builder ofPolicy(
        TimeoutRegistry.Builder builder, String name, TimeoutConfig config) {
      return builder.timeout(name, config);
    }

    @Override
    TimeoutConfig config(int number, Ticker ticker) {
      return TimeoutConfig.of(s -> s.timeoutDuration(Duration.ofDays(number)).ticker(ticker));
    }

    @Override
    int numberOf(Timeout policy) {
      return (int) policy.config().timeoutDuration().toDays();
    }

    @Override
    void reconfigure(Timeout policy, TimeoutConfig config) {
      policy.reconfigure(config);
    }
  }

  private static final class Hedges
      extends RegistryUnderTest<Hedge, HedgeConfig, HedgeRegistry.Builder> {
    private HedgeRegistry registry = HedgeRegistry.create();

    Hedges() {
      super("hedge", "hedges and none has been idle", "delay");
    }

    @Override
    void create(Consumer<? super HedgeRegistry.Builder> settings) {
      registry =
          HedgeRegistry.create(
              hedges -> {
                hedges.defaultConfig(config -> config.idempotent(true));
                settings.accept(hedges);
              });
    }

    @Override
    PolicyRegistry<Hedge> registry() {
      return registry;
    }

    @Override
    Hedge get(String name) {
      return registry.hedge(name);
    }

    @Override
    Hedge get(String name, String configName) {
      return registry.hedge(name, configName);
    }

    @Override
    Hedge get(String name, HedgeConfig config) {
      return registry.hedge(name, config);
    }

    @Override
    List<Hedge> reconfigure(Consumer<? super HedgeRegistry.Builder> changes) {
      return registry.reconfigure(changes);
    }

    @Override
    HedgeRegistry.Builder ofPolicy(HedgeRegistry.Builder builder, String name, HedgeConfig config) {
      return builder.hedge(name, config);
    }

    @Override
    HedgeConfig config(int number, Ticker ticker) {
      return HedgeConfig.of(s -> s.idempotent(true).delay(Duration.ofDays(number)).ticker(ticker));
    }

    @Override
    int numberOf(Hedge policy) {
      return (int) policy.config().delay().toDays();
    }

    @Override
    void reconfigure(Hedge policy, HedgeConfig config) {
      policy.reconfigure(config);
    }
  }

  private static final class Bulkheads
      extends RegistryUnderTest<Bulkhead, BulkheadConfig, BulkheadRegistry.Builder> {
    private BulkheadRegistry registry = BulkheadRegistry.create();

    Bulkheads() {
      super("bulkhead", "bulkheads and none has been empty and idle", "maxConcurrentCalls");
    }

    @Override
    void create(Consumer<? super BulkheadRegistry.Builder> settings) {
      registry = BulkheadRegistry.create(settings);
    }

    @Override
    PolicyRegistry<Bulkhead> registry() {
      return registry;
    }

    @Override
    Bulkhead get(String name) {
      return registry.bulkhead(name);
    }

    @Override
    Bulkhead get(String name, String configName) {
      return registry.bulkhead(name, configName);
    }

    @Override
    Bulkhead get(String name, BulkheadConfig config) {
      return registry.bulkhead(name, config);
    }

    @Override
    List<Bulkhead> reconfigure(Consumer<? super BulkheadRegistry.Builder> changes) {
      return registry.reconfigure(changes);
    }

    @Override
    BulkheadRegistry.Builder ofPolicy(
        BulkheadRegistry.Builder builder, String name, BulkheadConfig config) {
      return builder.bulkhead(name, config);
    }

    @Override
    BulkheadConfig config(int number, Ticker ticker) {
      return BulkheadConfig.of(s -> s.maxConcurrentCalls(number).ticker(ticker));
    }

    @Override
    int numberOf(Bulkhead policy) {
      return policy.config().maxConcurrentCalls();
    }

    @Override
    void reconfigure(Bulkhead policy, BulkheadConfig config) {
      policy.reconfigure(config);
    }
  }

  private static final class RateLimiters
      extends RegistryUnderTest<RateLimiter, RateLimiterConfig, RateLimiterRegistry.Builder> {
    private RateLimiterRegistry registry = RateLimiterRegistry.create();

    RateLimiters() {
      super("rate limiter", "rate limiters and none has been full and idle", "limitForPeriod");
    }

    @Override
    void create(Consumer<? super RateLimiterRegistry.Builder> settings) {
      registry = RateLimiterRegistry.create(settings);
    }

    @Override
    PolicyRegistry<RateLimiter> registry() {
      return registry;
    }

    @Override
    RateLimiter get(String name) {
      return registry.rateLimiter(name);
    }

    @Override
    RateLimiter get(String name, String configName) {
      return registry.rateLimiter(name, configName);
    }

    @Override
    RateLimiter get(String name, RateLimiterConfig config) {
      return registry.rateLimiter(name, config);
    }

    @Override
    List<RateLimiter> reconfigure(Consumer<? super RateLimiterRegistry.Builder> changes) {
      return registry.reconfigure(changes);
    }

    @Override
    RateLimiterRegistry.Builder ofPolicy(
        RateLimiterRegistry.Builder builder, String name, RateLimiterConfig config) {
      return builder.rateLimiter(name, config);
    }

    @Override
    RateLimiterConfig config(int number, Ticker ticker) {
      return RateLimiterConfig.of(s -> s.limitForPeriod(number).ticker(ticker));
    }

    @Override
    int numberOf(RateLimiter policy) {
      return policy.config().limitForPeriod();
    }

    @Override
    void reconfigure(RateLimiter policy, RateLimiterConfig config) {
      policy.reconfigure(config);
    }
  }
}

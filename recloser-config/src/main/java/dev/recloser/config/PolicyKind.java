package dev.recloser.config;

import dev.recloser.Bulkhead;
import dev.recloser.BulkheadConfig;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Hedge;
import dev.recloser.HedgeConfig;
import dev.recloser.Pipeline;
import dev.recloser.RateLimiter;
import dev.recloser.RateLimiterConfig;
import dev.recloser.Retry;
import dev.recloser.RetryBudget;
import dev.recloser.RetryConfig;
import dev.recloser.Timeout;
import dev.recloser.TimeoutConfig;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A kind of policy: what its section is called, what may stand there, and what becomes of it. Two
 * are equal when they are the same.
 *
 * @param <B> what the settings are made on
 * @param <C> what is made of them
 */
final class PolicyKind<B, C> {
  static final PolicyKind<CircuitBreakerConfig.Builder, CircuitBreakerConfig> CIRCUIT_BREAKER =
      new PolicyKind<>(
          List.of("circuitbreaker"),
          BreakerKeys.ALL,
          CircuitBreakerConfig::of,
          Maker.<CircuitBreakerConfig, CircuitBreaker>of(
              CircuitBreaker.class,
              CircuitBreaker::create,
              CircuitBreaker::reconfigure,
              Pipeline.Builder::circuitBreaker));

  static final PolicyKind<BudgetedDraft<RetryConfig.Builder>, Budgeted<RetryConfig>> RETRY =
      new PolicyKind<>(
          List.of("retry"),
          RetryKeys.ALL,
          settings ->
              Budgeted.<RetryConfig.Builder, RetryConfig>of(
                  "A retry",
                  settings,
                  RetryConfig::of,
                  RetryConfig.defaults(),
                  PolicyKind::charging),
          new Maker<>(
              Retry.class,
              (name, retry) -> Retry.create(name, retry.config()),
              (retry, after) -> retry.reconfigure(after.config()),
              Pipeline.Builder::retry,
              Budgeted::settings,
              (before, after) -> after.keepingBudgetOf(before, PolicyKind::charging)));

  static final PolicyKind<BudgetedDraft<HedgeConfig.Builder>, Budgeted<HedgeConfig>> HEDGE =
      new PolicyKind<>(
          List.of("hedge"),
          HedgeKeys.ALL,
          settings ->
              Budgeted.<HedgeConfig.Builder, HedgeConfig>of(
                  "A hedge",
                  settings,
                  HedgeConfig::of,
                  HedgeConfig.defaults(),
                  PolicyKind::charging),
          new Maker<>(
              Hedge.class,
              (name, hedge) -> Hedge.create(name, hedge.config()),
              (hedge, after) -> hedge.reconfigure(after.config()),
              Pipeline.Builder::hedge,
              Budgeted::settings,
              (before, after) -> after.keepingBudgetOf(before, PolicyKind::charging)));

  static final PolicyKind<BulkheadConfig.Builder, BulkheadConfig> BULKHEAD =
      new PolicyKind<>(
          List.of("bulkhead"),
          BulkheadKeys.ALL,
          BulkheadConfig::of,
          Maker.<BulkheadConfig, Bulkhead>of(
              Bulkhead.class, Bulkhead::create, Bulkhead::reconfigure, Pipeline.Builder::bulkhead));

  static final PolicyKind<ThreadPoolDraft, ThreadPoolPlan> THREAD_POOL_BULKHEAD =
      new PolicyKind<>(
          List.of("thread-pool-bulkhead"),
          ThreadPoolKeys.ALL,
          ThreadPoolPlan::of,
          new Maker<>(
              Bulkhead.class,
              (name, plan) -> plan.create(name),
              (bulkhead, plan) -> plan.applyTo(bulkhead),
              Pipeline.Builder::bulkhead,
              ThreadPoolPlan::settings,
              (before, after) -> after));

  static final PolicyKind<RateLimiterConfig.Builder, RateLimiterConfig> RATE_LIMITER =
      new PolicyKind<>(
          List.of("ratelimiter"),
          RateLimiterKeys.ALL,
          RateLimiterConfig::of,
          Maker.<RateLimiterConfig, RateLimiter>of(
              RateLimiter.class,
              RateLimiter::create,
              RateLimiter::reconfigure,
              Pipeline.Builder::rateLimiter));

  static final PolicyKind<TimeoutConfig.Builder, TimeoutConfig> TIMEOUT =
      new PolicyKind<>(
          List.of("timelimiter", "timeout"),
          TimeoutKeys.ALL,
          TimeoutConfig::of,
          Maker.<TimeoutConfig, Timeout>of(
              Timeout.class, Timeout::create, Timeout::reconfigure, Pipeline.Builder::timeout));

  /**
   * All kinds, in the order of a pipeline that is right for most. The bulkhead of threads is inside
   * the timeout, so that one covers the time in its queue, and answers whatever the thread does.
   */
  static final List<PolicyKind<?, ?>> ALL =
      List.of(RETRY, HEDGE, CIRCUIT_BREAKER, RATE_LIMITER, BULKHEAD, TIMEOUT, THREAD_POOL_BULKHEAD);

  private final List<String> names;
  private final Keys<B> keys;
  private final Function<Consumer<B>, C> configOf;
  private final Maker<C, ?> maker;

  private PolicyKind(
      List<String> names, Keys<B> keys, Function<Consumer<B>, C> configOf, Maker<C, ?> maker) {
    this.names = names;
    this.keys = keys;
    this.configOf = configOf;
    this.maker = maker;
  }

  /** What its section is called, the usual name first. */
  List<String> names() {
    return names;
  }

  /** The usual name of its section. */
  String name() {
    return names.get(0);
  }

  /** Whether this is a spelling of one of its names. */
  boolean isCalled(String spelled) {
    String canonical = KeyPath.canonical(spelled);
    return names.stream().map(KeyPath::canonical).anyMatch(canonical::equals);
  }

  Keys<B> keys() {
    return keys;
  }

  /**
   * Makes a configuration.
   *
   * @throws dev.recloser.InvalidConfigurationException when settings are wrong; lists them all
   */
  C make(Consumer<B> settings) {
    return configOf.apply(settings);
  }

  /** Makes policies. */
  Maker<C, ?> maker() {
    return maker;
  }

  @Override
  public String toString() {
    return name();
  }

  private static RetryConfig charging(RetryConfig config, RetryBudget budget) {
    return config.with(retry -> retry.budget(budget));
  }

  private static HedgeConfig charging(HedgeConfig config, RetryBudget budget) {
    return config.with(hedge -> hedge.budget(budget));
  }
}

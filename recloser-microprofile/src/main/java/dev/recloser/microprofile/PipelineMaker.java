package dev.recloser.microprofile;

import dev.recloser.BulkheadConfig;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.Fallback;
import dev.recloser.HalfOpenRule;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Jitter;
import dev.recloser.Outcome;
import dev.recloser.Pipeline;
import dev.recloser.Policies;
import dev.recloser.Policy;
import dev.recloser.RetryBudget;
import dev.recloser.RetryConfig;
import dev.recloser.Scheduler;
import dev.recloser.TimeoutConfig;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.eclipse.microprofile.faulttolerance.Bulkhead;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.faulttolerance.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Makes the policies of one method of its annotations, in the order of the specification: fallback,
 * retry, circuit breaker, timeout, bulkhead, and the method.
 *
 * <p>What is wrong is told, and the policy then left out, for the application will not start.
 */
final class PipelineMaker {
  /** As good as without limit, and the most that a bulkhead can count. */
  private static final int MOST_CALLS = BulkheadConfig.MOST_CALLS;

  /** As good as without limit, and the most that a policy takes. */
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  /** The smallest rate there is: one failure in a window of ten million reaches it. */
  private static final BigDecimal LEAST_PERCENT = new BigDecimal("0.000001");

  private static final int PERCENT_DECIMALS = 6;

  /**
   * How long a probe may take at least before it counts as failed, where that is not configured.
   * The specification has no such time, and with a delay of zero there would be none; without one,
   * a probe that never ends would keep the breaker half-open for ever.
   */
  private static final Duration LEAST_LEASE = Duration.ofMinutes(1);

  private final String name;
  private final Policies policies;
  private final Scheduler scheduler;
  private final Executor executor;
  private final List<Policy> stated = new ArrayList<>();
  private @Nullable Fallback<@Nullable Object> fallback;
  private dev.recloser.@Nullable Retry retry;
  private dev.recloser.@Nullable CircuitBreaker breaker;
  private dev.recloser.@Nullable Timeout timeout;
  private dev.recloser.@Nullable Bulkhead bulkhead;

  PipelineMaker(String name, Policies policies, Scheduler scheduler, Executor executor) {
    this.name = name;
    this.policies = policies;
    this.scheduler = scheduler;
    this.executor = executor;
  }

  /** The policies that the method has annotations for, other than a fallback. */
  List<Policy> stated() {
    return List.copyOf(stated);
  }

  void fallback(Fallback<@Nullable Object> made) {
    fallback = made;
  }

  void retry(Members<Retry> members) {
    Retry declared = members.declared();
    int retries =
        members.value(
            "maxRetries", Integer.class, declared.maxRetries(), n -> n >= -1, "-1 or more", 0);
    Duration delay = members.time("delay", declared.delay(), "delayUnit", declared.delayUnit());
    Duration longest =
        members.time(
            "maxDuration", declared.maxDuration(), "durationUnit", declared.durationUnit());
    Duration jitter =
        members.time("jitter", declared.jitter(), "jitterDelayUnit", declared.jitterDelayUnit());
    if (!longest.isZero() && longest.compareTo(delay) <= 0) {
      members.wrong("maxDuration", longest, "more than the delay, which is " + delay);
    }
    ThrownTypes types =
        types(members, "retryOn", declared.retryOn(), "abortOn", declared.abortOn());
    double growth =
        members.value(
            "exponentialBackoffMultiplier", Double.class, 1.0, m -> m >= 1, "1 or more", 1.0);
    Duration most =
        members.value(
            "maxWaitDuration", Duration.class, FOR_EVER, d -> !d.isNegative(), "0 or more", delay);
    retry =
        make(
            members,
            () ->
                policies
                    .retries()
                    .retry(
                        name,
                        RetryConfig.of(
                            config ->
                                config
                                    .maxAttempts(attempts(retries))
                                    .waitDuration(delay)
                                    .intervalFunction(Delays.of(delay, jitter, growth, most))
                                    .maxWaitDuration(FOR_EVER)
                                    .jitter(Jitter.NONE)
                                    .maxElapsedTime(longest)
                                    .budget(RetryBudget.unlimited())
                                    .retryRefusals(true)
                                    .classifier(types.classifier(Outcome.IGNORED))
                                    .scheduler(scheduler)
                                    .executor(executor))));
  }

  void circuitBreaker(Members<CircuitBreaker> members) {
    CircuitBreaker declared = members.declared();
    Duration delay = members.time("delay", declared.delay(), "delayUnit", declared.delayUnit());
    int volume =
        members.value(
            "requestVolumeThreshold",
            Integer.class,
            declared.requestVolumeThreshold(),
            n -> n >= 1,
            "1 or more",
            1);
    double ratio =
        members.value(
            "failureRatio",
            Double.class,
            declared.failureRatio(),
            r -> r >= 0 && r <= 1,
            "0 to 1",
            1.0);
    int successes =
        members.value(
            "successThreshold",
            Integer.class,
            declared.successThreshold(),
            n -> n >= 1,
            "1 or more",
            1);
    ThrownTypes types = types(members, "failOn", declared.failOn(), "skipOn", declared.skipOn());
    breaker =
        make(
            members,
            () ->
                policies
                    .circuitBreakers()
                    .circuitBreaker(
                        name,
                        CircuitBreakerConfig.of(
                            config -> {
                              config
                                  .slidingWindowSize(volume)
                                  .minimumNumberOfCalls(volume)
                                  .failureRateThreshold(percent(ratio))
                                  .slowCallDurationThreshold(Duration.ZERO)
                                  .waitDurationInOpenState(atLeast(Duration.ofNanos(1), delay))
                                  .maxProbeDuration(atLeast(LEAST_LEASE, delay))
                                  .permittedNumberOfCallsInHalfOpenState(successes)
                                  .halfOpenRule(HalfOpenRule.ALL_SUCCEED)
                                  .classifier(types.classifier(Outcome.SUCCESS))
                                  .scheduler(scheduler);
                              OwnSettings.CIRCUIT_BREAKER.apply(members, config);
                            })));
  }

  void timeout(Members<Timeout> members) {
    Timeout declared = members.declared();
    Duration time = members.time("value", declared.value(), "unit", declared.unit());
    if (time.isZero()) {
      return; // None is meant.
    }
    timeout =
        make(
            members,
            () ->
                policies
                    .timeouts()
                    .timeout(
                        name,
                        TimeoutConfig.of(
                            config -> config.timeoutDuration(time).scheduler(scheduler))));
  }

  void bulkhead(Members<Bulkhead> members, boolean asynchronous) {
    Bulkhead declared = members.declared();
    int calls =
        members.value("value", Integer.class, declared.value(), n -> n >= 1, "1 or more", 1);
    int queue =
        members.value(
            "waitingTaskQueue",
            Integer.class,
            declared.waitingTaskQueue(),
            n -> n >= 1,
            "1 or more",
            1);
    bulkhead =
        make(
            members,
            () ->
                policies
                    .bulkheads()
                    .bulkhead(
                        name,
                        BulkheadConfig.of(
                            config -> {
                              config
                                  .maxConcurrentCalls(Math.min(calls, MOST_CALLS))
                                  .scheduler(scheduler);
                              if (asynchronous) {
                                config
                                    .maxQueuedCalls(Math.min(queue, MOST_CALLS))
                                    .maxWaitDuration(FOR_EVER)
                                    .callExecutor(executor);
                              }
                              OwnSettings.BULKHEAD.apply(members, config);
                            })));
  }

  /** Has the method run on the application's threads, where no bulkhead does. */
  void offload(dev.recloser.Bulkhead threads) {
    if (bulkhead == null) {
      bulkhead = threads;
    }
  }

  /** What has been made, in its order. */
  Pipeline<@Nullable Object> pipeline() {
    return Pipeline.create(
        name,
        calls -> {
          if (fallback != null) {
            calls.fallback(fallback);
          }
          if (retry != null) {
            calls.retry(retry);
          }
          if (breaker != null) {
            calls.circuitBreaker(breaker);
          }
          if (timeout != null) {
            calls.timeout(timeout);
          }
          if (bulkhead != null) {
            calls.bulkhead(bulkhead);
          }
        });
  }

  /** Makes a policy; null if its settings are wrong, which is then told. */
  private <P extends Policy> @Nullable P make(Members<?> members, Supplier<P> maker) {
    try {
      P policy = maker.get();
      stated.add(policy);
      return policy;
    } catch (InvalidConfigurationException wrong) {
      wrong
          .faults()
          .forEach(fault -> members.wrong(fault.setting(), fault.value(), fault.expected()));
      return null;
    }
  }

  private static int attempts(int retries) {
    return retries < 0 || retries == Integer.MAX_VALUE ? Integer.MAX_VALUE : retries + 1;
  }

  /**
   * In percent, and not more than it is, so that as many failures as make up the ratio reach it. Of
   * a ratio of zero every failure does, and a window without any does not.
   */
  private static double percent(double ratio) {
    return BigDecimal.valueOf(ratio)
        .movePointRight(2)
        .setScale(PERCENT_DECIMALS, RoundingMode.FLOOR)
        .max(LEAST_PERCENT)
        .doubleValue();
  }

  private static Duration atLeast(Duration least, Duration time) {
    return time.compareTo(least) < 0 ? least : time;
  }

  @SuppressWarnings("rawtypes") // As the configuration gives them.
  static ThrownTypes types(
      Members<?> members, String meant, Class<?>[] those, String notMeant, Class<?>[] notThose) {
    Class[] first = members.value(meant, Class[].class, those);
    Class[] second = members.value(notMeant, Class[].class, notThose);
    checkThrowable(members, meant, first);
    checkThrowable(members, notMeant, second);
    return ThrownTypes.of(first, second);
  }

  private static void checkThrowable(Members<?> members, String member, Class<?>[] types) {
    for (Class<?> type : types) {
      if (!Throwable.class.isAssignableFrom(type)) {
        members.wrong(member, type.getName(), "a class that can be thrown");
      }
    }
  }
}

package dev.recloser.microprofile;

import dev.recloser.Fallback;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Pipeline;
import dev.recloser.Policies;
import dev.recloser.Policy;
import dev.recloser.Scheduler;
import dev.recloser.TimeoutConfig;
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
 * Makes the policies of one method of its annotations, and puts them in the order of the
 * specification: fallback, retry, circuit breaker, timeout, bulkhead, and the method.
 *
 * <p>What is wrong is told, and the policy then left out, for the application will not start.
 */
final class PipelineMaker {
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
    RetrySettings said = RetrySettings.of(members);
    retry = make(members, () -> policies.retries().retry(name, said.config(scheduler, executor)));
  }

  void circuitBreaker(Members<CircuitBreaker> members) {
    CircuitBreakerSettings said = CircuitBreakerSettings.of(members);
    breaker =
        make(
            members, () -> policies.circuitBreakers().circuitBreaker(name, said.config(scheduler)));
  }

  /** A time of zero means none. */
  void timeout(Members<Timeout> members) {
    Timeout said = members.declared();
    Duration time = members.time("value", said.value(), "unit", said.unit());
    if (!time.isZero()) {
      TimeoutConfig config =
          TimeoutConfig.of(settings -> settings.timeoutDuration(time).scheduler(scheduler));
      timeout = make(members, () -> policies.timeouts().timeout(name, config));
    }
  }

  void bulkhead(Members<Bulkhead> members, boolean asynchronous) {
    BulkheadSettings said = BulkheadSettings.of(members);
    bulkhead =
        make(
            members,
            () ->
                policies
                    .bulkheads()
                    .bulkhead(
                        name,
                        asynchronous ? said.config(scheduler, executor) : said.config(scheduler)));
  }

  /** Has the method run on the application's threads, where no bulkhead does. */
  void offload(dev.recloser.Bulkhead threads) {
    if (bulkhead == null) {
      bulkhead = threads;
    }
  }

  /** What has been made, in its order. */
  Pipeline<@Nullable Object> pipeline() {
    return Pipeline.create(name, this::addTo);
  }

  private void addTo(Pipeline.Builder<@Nullable Object> calls) {
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
}

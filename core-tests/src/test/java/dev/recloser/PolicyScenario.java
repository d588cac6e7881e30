package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/**
 * Policies of every kind on fake time, and calls through them in any {@link Way}. After every test
 * nothing may be left: no timer, no thread in a call, no permit or slot, no interrupt, no scope.
 *
 * <p>All happens on the test's thread, but for hedged plain calls, which need threads. Time passes
 * with those in one way only, so that they are as repeatable as the others: what sleeps on such a
 * thread waits until the hedge has set its timer, lets the hedge's delay pass, and then sleeps
 * until it is interrupted.
 */
@org.junit.jupiter.api.Timeout(60) // for a call that never ends: none may wait for ever
abstract class PolicyScenario {
  static final Duration DELAY = millis(50);
  static final Duration LIMIT = millis(100);
  static final Duration WAIT = millis(10);

  final FakeTime time = FakeTime.create();

  /** Fake time for all policies but hedges. */
  final Scheduler timers =
      new Scheduler() {
        @Override
        public Cancellable schedule(Runnable task, Duration delay) {
          return time.schedule(task, delay);
        }

        @Override
        public void sleep(Duration delay) throws InterruptedException {
          if (Thread.currentThread() instanceof AttemptThread) {
            overtaken();
          } else {
            time.sleep(delay);
          }
        }
      };

  private final ExecutorService pool = Executors.newCachedThreadPool(AttemptThread::new);
  private final Semaphore hedgesSet = new Semaphore(0);
  private final List<Policy> policies = Collections.synchronizedList(new ArrayList<>());
  private final List<Dependency> dependencies = new ArrayList<>();

  /** A thread of an attempt of a hedged plain call. */
  private static final class AttemptThread extends Thread {
    AttemptThread(Runnable task) {
      super(task, "attempt");
    }
  }

  @AfterEach
  final void nothing_is_left() throws InterruptedException {
    assertThat(Thread.interrupted()).as("interrupt flag").isFalse();
    assertThat(Scope.current()).as("scope of the thread").isNull();
    pool.shutdown();
    assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).as("attempts ended").isTrue();
    assertThat(time.pendingTimers()).as("timers").isZero();
    assertThat(dependencies).as("calls that go on").allMatch(d -> d.running() == 0);
    policies.forEach(PolicyScenario::assertNothingIsOut);
  }

  private static void assertNothingIsOut(Policy policy) {
    if (policy instanceof Bulkhead bulkhead) {
      assertThat(bulkhead.metrics().running()).as("slots out").isZero();
      assertThat(bulkhead.metrics().waiting()).as("waiting for slots").isZero();
    } else if (policy instanceof RateLimiter limiter) {
      assertThat(limiter.metrics().waiting()).as("waiting for permits").isZero();
    } else if (policy instanceof CircuitBreaker breaker) {
      assertThat(breaker.metrics().callsInFlight()).as("permits out").isZero();
    }
  }

  /** Looks at a policy after the test. */
  final <P extends Policy> P watched(P policy) {
    policies.add(policy);
    return policy;
  }

  /** Three attempts, 10 ms apart. */
  final Retry retry(Consumer<RetryConfig.Builder> settings) {
    return watched(
        Retry.create(
            "retry",
            RetryConfig.of(
                    s ->
                        s.waitDuration(WAIT)
                            .exponentialBackoffMultiplier(1)
                            .jitter(Jitter.NONE)
                            .ticker(time)
                            .scheduler(timers)
                            .executor(Runnable::run))
                .with(settings)));
  }

  final Retry retry() {
    return retry(s -> {});
  }

  /** A second attempt after 50 ms. */
  final Hedge hedge(Way way, Consumer<HedgeConfig.Builder> settings) {
    Scheduler hedgeTimers =
        (task, delay) -> {
          Cancellable timer = time.schedule(task, delay);
          hedgesSet.release();
          return timer;
        };
    return watched(
        Hedge.create(
            "hedge",
            HedgeConfig.of(
                    s ->
                        s.idempotent(true)
                            .delay(DELAY)
                            .ticker(time)
                            .scheduler(hedgeTimers)
                            .executor(way.isStage() ? Runnable::run : pool))
                .with(settings)));
  }

  final Hedge hedge(Way way) {
    return hedge(way, s -> {});
  }

  final CircuitBreaker breaker(Consumer<CircuitBreakerConfig.Builder> settings) {
    return watched(
        CircuitBreaker.create(
            "breaker", CircuitBreakerConfig.of(s -> s.ticker(time)).with(settings)));
  }

  final CircuitBreaker breaker() {
    return breaker(s -> {});
  }

  final CircuitBreaker openBreaker() {
    CircuitBreaker open = breaker();
    open.transitionTo(CircuitBreaker.State.OPEN);
    return open;
  }

  /** So many permits at once, each back after a second; calls wait for up to five. */
  final RateLimiter limiter(int permits, Consumer<RateLimiterConfig.Builder> settings) {
    return watched(
        RateLimiter.create(
            "limiter",
            RateLimiterConfig.of(
                    s ->
                        s.limitForPeriod(1)
                            .maxBurst(permits)
                            .ticker(time)
                            .scheduler(timers)
                            .executor(Runnable::run))
                .with(settings)));
  }

  final RateLimiter limiter(int permits) {
    return limiter(permits, s -> {});
  }

  /** As {@link #limiter(int)}, but nobody waits. */
  final RateLimiter refusingLimiter(int permits) {
    return limiter(permits, s -> s.timeoutDuration(Duration.ZERO));
  }

  /** So many slots; nobody waits. */
  final Bulkhead bulkhead(int slots, Consumer<BulkheadConfig.Builder> settings) {
    return watched(
        Bulkhead.create(
            "bulkhead",
            BulkheadConfig.of(
                    s -> s.maxConcurrentCalls(slots).scheduler(timers).executor(Runnable::run))
                .with(settings)));
  }

  final Bulkhead bulkhead(int slots) {
    return bulkhead(slots, s -> {});
  }

  /** 100 ms for each call. */
  final Timeout timeout(Consumer<TimeoutConfig.Builder> settings) {
    return watched(
        Timeout.create(
            "timeout",
            TimeoutConfig.of(s -> s.timeoutDuration(LIMIT).ticker(time).scheduler(timers))
                .with(settings)));
  }

  final Timeout timeout() {
    return timeout(s -> {});
  }

  /** Answers refusals with "refused" and failures with "instead". */
  static Fallback<Object> fallback() {
    return Fallback.of(f -> f.onRefusal(() -> "refused").onFailure(thrown -> "instead"));
  }

  /** Policies and fallbacks, outermost first. */
  final Pipeline<Object> pipeline(Object... parts) {
    Pipeline<Object> pipeline =
        Pipeline.create(
            "orders",
            calls -> {
              for (Object part : parts) {
                add(calls, part);
              }
            });
    policies.addAll(pipeline.policies());
    return pipeline;
  }

  @SuppressWarnings("unchecked")
  private static void add(Pipeline.Builder<Object> calls, Object part) {
    if (part instanceof Fallback<?> fallback) {
      calls.fallback((Fallback<Object>) fallback);
    } else if (part instanceof Retry retry) {
      calls.retry(retry);
    } else if (part instanceof Hedge hedge) {
      calls.hedge(hedge);
    } else if (part instanceof CircuitBreaker breaker) {
      calls.circuitBreaker(breaker);
    } else if (part instanceof RateLimiter limiter) {
      calls.rateLimiter(limiter);
    } else if (part instanceof Bulkhead bulkhead) {
      calls.bulkhead(bulkhead);
    } else {
      calls.timeout((Timeout) part);
    }
  }

  /** A dependency whose calls end so, one after the other; see {@link Dependency}. */
  final Dependency dependency(Object... steps) {
    Dependency dependency = new Dependency(time, timers, steps);
    dependencies.add(dependency);
    return dependency;
  }

  static Dependency.Step after(Duration takes, Object end) {
    return new Dependency.Step(takes, end);
  }

  /** A call that does not come back unless it is stopped. */
  static Dependency.Step hangs() {
    return after(Duration.ofHours(1), "too late");
  }

  static IOException down() {
    return new IOException("down");
  }

  final Object call(Way way, Policy policy, Dependency dependency) throws Throwable {
    return way.call(policy, dependency, time);
  }

  final Object call(Way way, Pipeline<Object> pipeline, Dependency dependency) throws Throwable {
    return way.call(pipeline, dependency, time);
  }

  /** Makes a call that must fail, and gives what it throws. */
  final Throwable failure(Way way, Policy policy, Dependency dependency) {
    return Objects.requireNonNull(catchThrowable(() -> call(way, policy, dependency)));
  }

  /** Makes a call that must fail, and gives what it throws. */
  final Throwable failure(Way way, Pipeline<Object> pipeline, Dependency dependency) {
    return Objects.requireNonNull(catchThrowable(() -> call(way, pipeline, dependency)));
  }

  static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  private void overtaken() throws InterruptedException {
    assertThat(hedgesSet.tryAcquire(10, TimeUnit.SECONDS)).as("hedge set").isTrue();
    time.advance(DELAY);
    assertThat(new CountDownLatch(1).await(10, TimeUnit.SECONDS)).as("interrupted").isTrue();
  }
}

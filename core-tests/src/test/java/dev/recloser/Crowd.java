package dev.recloser;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Many calls at once through every policy there is, on virtual threads, and on older JDKs as many
 * on a pool of threads. Some calls fail always, some the first time, some never end.
 */
final class Crowd {
  private static final int CALLERS_WITHOUT_VIRTUAL_THREADS = 200;
  private static final int LIMIT_SECONDS = 60;
  private static final Duration LONG = Duration.ofSeconds(LIMIT_SECONDS);

  private static final String LIVE = "stock";
  private static final String INSTEAD = "unknown";

  private final ExecutorService callers =
      VirtualThreads.executorOr(Executors.newFixedThreadPool(CALLERS_WITHOUT_VIRTUAL_THREADS));
  private final ExecutorService workers =
      VirtualThreads.executorOr(Executors.newCachedThreadPool());

  /** The dependency: it answers on a thread of its own. */
  private final ExecutorService dependency = Executors.newSingleThreadExecutor();

  private final AtomicIntegerArray requests;
  private final AtomicInteger interruptsLeft = new AtomicInteger();
  private final AtomicInteger inCalls = new AtomicInteger();
  private final AtomicInteger mostInCalls = new AtomicInteger();

  /** The timers that have neither gone off nor been taken back. */
  private final Set<Object> timers = ConcurrentHashMap.newKeySet();

  private final int systemTimersBefore = systemTimers();

  private final int calls;
  private final Retry retry;
  private final Hedge hedge;
  private final CircuitBreaker breaker;
  private final RateLimiter limiter;
  private final Bulkhead bulkhead;

  /** Around everything, on the thread of the caller. */
  private final Timeout whole;

  /** Around each attempt, on a thread of an executor. */
  private final Timeout single;

  private final Pipeline<String> pipeline;

  Crowd(int calls, Duration timeLimit) {
    this.calls = calls;
    requests = new AtomicIntegerArray(calls);
    retry =
        Retry.create(
            "inventory",
            s ->
                s.maxAttempts(2)
                    .waitDuration(Duration.ofMillis(5))
                    .retryOnException(thrown -> thrown instanceof IOException)
                    .budget(RetryBudget.create(100, calls, Ticker.system()))
                    .scheduler(this::schedule)
                    .executor(worker()));
    hedge =
        Hedge.create(
            "inventory",
            s ->
                s.idempotent(true)
                    .delay(Duration.ofMillis(100))
                    .scheduler(this::schedule)
                    .executor(worker()));
    breaker =
        CircuitBreaker.create(
            "inventory",
            s ->
                s.slidingWindowSize(calls)
                    .minimumNumberOfCalls(calls)
                    .failureRateThreshold(90)
                    .slowCallDurationThreshold(timeLimit.dividedBy(2)));
    limiter =
        RateLimiter.create(
            "inventory",
            s ->
                s.limitForPeriod(2 * calls)
                    .maxBurst(calls / 2)
                    .timeoutDuration(LONG)
                    .scheduler(this::schedule)
                    .executor(worker()));
    bulkhead =
        Bulkhead.create(
            "inventory",
            s ->
                s.maxConcurrentCalls(calls / 10)
                    .maxQueuedCalls(2 * calls)
                    .maxWaitDuration(LONG)
                    .scheduler(this::schedule)
                    .executor(worker()));
    whole = Timeout.create("orders", s -> s.timeoutDuration(LONG).scheduler(this::schedule));
    single =
        Timeout.create(
            "inventory",
            s -> s.timeoutDuration(timeLimit).scheduler(this::schedule).executor(worker()));
    pipeline =
        Pipeline.create(
            "orders-to-inventory",
            policies ->
                policies
                    .fallback(rules -> rules.onFailure(thrown -> INSTEAD))
                    .timeout(whole)
                    .retry(retry)
                    .hedge(hedge)
                    .circuitBreaker(breaker)
                    .rateLimiter(limiter)
                    .bulkhead(bulkhead)
                    .timeout(single));
  }

  /** All of them make a plain call, and wait for the dependency on their own threads. */
  void callPlainly() throws Exception {
    everyCall(call -> pipeline.call(() -> request(call).get(LIMIT_SECONDS, SECONDS)));
  }

  /** All of them make a call with a stage. */
  void callWithStages() throws Exception {
    everyCall(call -> pipeline.callAsync(() -> request(call)).get(LIMIT_SECONDS, SECONDS));
  }

  private interface Caller {
    String call(int call) throws Exception;
  }

  private void everyCall(Caller caller) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    List<Future<String>> answers = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      int call = i;
      answers.add(callers.submit(() -> callWhenAllAreThere(start, caller, call)));
    }
    start.countDown();
    for (int call = 0; call < calls; call++) {
      assertThat(answers.get(call).get(LIMIT_SECONDS, SECONDS))
          .as("answer to call %d", call)
          .isEqualTo(isAnswered(call) ? LIVE : INSTEAD);
    }
    int atLeast = VirtualThreads.exist() ? calls / 10 : CALLERS_WITHOUT_VIRTUAL_THREADS / 2;
    assertThat(mostInCalls.get()).as("calls at once").isGreaterThan(atLeast);
  }

  private String callWhenAllAreThere(CountDownLatch start, Caller caller, int call)
      throws Exception {
    boolean unused = start.await(LIMIT_SECONDS, SECONDS);
    mostInCalls.accumulateAndGet(inCalls.incrementAndGet(), Math::max);
    try {
      return caller.call(call);
    } finally {
      inCalls.decrementAndGet();
      countInterrupt();
    }
  }

  /** One in a hundred calls never ends, ten fail for good, and twenty fail the first time. */
  private CompletableFuture<String> request(int call) {
    boolean isFirst = requests.getAndIncrement(call) == 0;
    int kind = call % 100;
    CompletableFuture<String> answer = new CompletableFuture<>();
    if (kind != 0) {
      boolean fails = kind <= 10 || (kind <= 30 && isFirst);
      dependency.execute(() -> end(answer, fails));
    }
    return answer;
  }

  private static boolean isAnswered(int call) {
    return call % 100 > 10;
  }

  private static void end(CompletableFuture<String> answer, boolean fails) {
    if (fails) {
      answer.completeExceptionally(new IOException("down"));
    } else {
      answer.complete(LIVE);
    }
  }

  /** Ends the threads, and looks whether what was counted adds up and nothing is left. */
  void assertOver() throws Exception {
    for (ExecutorService executor : List.of(callers, workers, dependency)) {
      executor.shutdown();
      assertThat(executor.awaitTermination(LIMIT_SECONDS, SECONDS)).as("threads ended").isTrue();
    }
    assertNothingIsLeft();
    assertCountersAddUp();
  }

  private void assertNothingIsLeft() {
    assertThat(bulkhead.metrics().running()).as("slots").isZero();
    assertThat(bulkhead.metrics().waiting()).as("waiting for slots").isZero();
    assertThat(limiter.metrics().waiting()).as("waiting for permits").isZero();
    assertThat(breaker.metrics().callsInFlight()).as("calls of the breaker").isZero();
    assertThat(interruptsLeft).as("interrupts").hasValue(0);
    assertThat(timers).isEmpty();
    assertThat(systemTimers()).as("timers").isLessThanOrEqualTo(systemTimersBefore);
  }

  private void assertCountersAddUp() {
    FallbackMetrics answers = pipeline.fallbackMetrics().get(0);
    assertThat(answers)
        .isEqualTo(new FallbackMetrics(calls * 89L / 100, calls * 11L / 100, 0, 0, 0, 0));
    assertThat(sum(whole.metrics())).isEqualTo(calls);
    assertThat(retry.metrics().calls()).isEqualTo(calls);

    HedgeMetrics hedged = hedge.metrics();
    assertThat(hedged.wonByFirst() + hedged.wonByHedge() + hedged.failed() + hedged.cancelled())
        .isEqualTo(calls + retry.metrics().retries());

    // An attempt that lost before its thread began was not made.
    CircuitBreakerMetrics attempts = breaker.metrics();
    assertThat(attempts.admitted())
        .isBetween((long) calls, calls + retry.metrics().retries() + hedged.hedges());
    assertThat(attempts.totalRefused()).isZero();

    RateLimiterMetrics limited = limiter.metrics();
    assertThat(limited.admitted() + limited.refused() + limited.cancelled())
        .isEqualTo(attempts.admitted());
    BulkheadMetrics slots = bulkhead.metrics();
    assertThat(slots.admitted() + slots.refused() + slots.cancelled())
        .isEqualTo(limited.admitted());
    assertThat(slots.mostRunning()).isLessThanOrEqualTo(calls / 10);
    assertThat(sum(single.metrics())).isEqualTo(slots.admitted());
    assertThat(single.metrics().timedOut()).isGreaterThanOrEqualTo(calls / 100);
  }

  private static long sum(TimeoutMetrics metrics) {
    return metrics.succeeded() + metrics.failed() + metrics.timedOut();
  }

  /** A thread that goes on to other tasks must not take an interrupt to them. */
  private Executor worker() {
    return task ->
        workers.execute(
            () -> {
              task.run();
              countInterrupt();
            });
  }

  private void countInterrupt() {
    if (Thread.interrupted()) {
      interruptsLeft.incrementAndGet();
    }
  }

  private Cancellable schedule(Runnable task, Duration delay) {
    Object timer = new Object();
    timers.add(timer);
    Cancellable scheduled =
        Scheduler.system()
            .schedule(
                () -> {
                  timers.remove(timer);
                  task.run();
                },
                delay);
    return () -> {
      scheduled.cancel();
      timers.remove(timer);
    };
  }

  /** The timers of this JVM, those of other tests included. */
  private static int systemTimers() {
    return SystemTime.timers();
  }
}

package dev.recloser.stress;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import dev.recloser.Bulkhead;
import dev.recloser.CallNotPermittedException;
import dev.recloser.CallRejectedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerConfig;
import dev.recloser.CircuitBreakerEvent.CallFinished;
import dev.recloser.CircuitBreakerEvent.StateTransition;
import dev.recloser.Hedge;
import dev.recloser.Jitter;
import dev.recloser.Outcome;
import dev.recloser.Permit;
import dev.recloser.Pipeline;
import dev.recloser.RateLimiter;
import dev.recloser.Retry;
import dev.recloser.SlidingWindowType;
import dev.recloser.Timeout;
import dev.recloser.TimeoutExceededException;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Everything at once: calls of all kinds through a breaker, a pipeline and a hedge, which fail at
 * random; user code that throws; time that jumps, and a wall clock that jumps back and forth;
 * operators who switch, reset and reconfigure.
 *
 * <p>Time is fake, so nobody waits long for anything; what {@link #run} leaves behind is the state
 * of policies through which nothing goes any more.
 */
final class Soak {
  static final int THREADS = 16;

  /** What the bulkhead's limit never exceeds. */
  static final int MOST_SLOTS = 8;

  private static final int JUMPERS = 2;
  private static final int OPERATORS = 2;
  private static final int CALLERS = THREADS - JUMPERS - OPERATORS;

  /** More calls than these are not left open on purpose. */
  private static final int MOST_OPEN = 200;

  private static final int DRAIN_SECONDS = 60;
  private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

  /** No breaker waits longer, whatever the wall clock makes of a {@code Retry-After}. */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  final FakeTime time = FakeTime.create();

  /** Called directly, and by hand. */
  final CircuitBreaker breaker = breaker("direct");

  /** In the pipeline. */
  final CircuitBreaker inner = breaker("inner");

  final Retry retry =
      Retry.create(
          "retry",
          s ->
              s.maxAttempts(3)
                  .waitDuration(Duration.ofMillis(20))
                  .jitter(Jitter.FULL)
                  .retryOnException(Soak::throwingPredicate)
                  .ticker(time)
                  .scheduler(time)
                  .executor(Runnable::run));
  final RateLimiter limiter =
      RateLimiter.create(
          "limiter",
          s ->
              s.limitForPeriod(50)
                  .limitRefreshPeriod(Duration.ofMillis(100))
                  .timeoutDuration(Duration.ofMillis(50))
                  .ticker(time)
                  .scheduler(time)
                  .executor(Runnable::run));
  final Bulkhead bulkhead =
      Bulkhead.create(
          "bulkhead",
          s ->
              s.maxConcurrentCalls(4)
                  .maxWaitDuration(Duration.ofMillis(50))
                  .scheduler(time)
                  .executor(Runnable::run));
  final Timeout timeout =
      Timeout.create(
          "timeout", s -> s.timeoutDuration(Duration.ofMillis(100)).ticker(time).scheduler(time));
  final Hedge hedge =
      Hedge.create(
          "hedge",
          s ->
              s.idempotent(true)
                  .delay(Duration.ofMillis(20))
                  .executor(Runnable::run)
                  .ticker(time)
                  .scheduler(time));
  private final Pipeline<String> pipeline =
      Pipeline.create(
          "pipeline",
          p ->
              p.retry(retry)
                  .circuitBreaker(inner)
                  .rateLimiter(limiter)
                  .bulkhead(bulkhead)
                  .timeout(timeout));

  // What the callers of the direct breaker have seen.
  final LongAdder admitted = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder pipelineCalls = new LongAdder();
  final LongAdder hedgedCalls = new LongAdder();

  // What a listener that does not throw has heard of the direct breaker.
  final LongAdder finished = new LongAdder();
  final AtomicLong transitions = new AtomicLong();
  final AtomicInteger outOfOrder = new AtomicInteger();
  final AtomicInteger waitsTooLong = new AtomicInteger();

  /** Interrupts that were found after a call. */
  final AtomicInteger interrupts = new AtomicInteger();

  /** What a dependency and its client believe the time to be, in milliseconds. */
  private final AtomicLong wallClock = new AtomicLong();

  /** Calls that somebody else will end; a permit may be in here twice. */
  private final Queue<Permit> permits = new ConcurrentLinkedQueue<>();

  private final Queue<CompletableFuture<String>> stages = new ConcurrentLinkedQueue<>();

  /** What callers have got of late, of which some are cancelled. */
  private final Deque<CompletableFuture<String>> futures = new ConcurrentLinkedDeque<>();

  private volatile boolean callersGoOn;
  private volatile boolean othersGoOn;

  Soak() {
    for (CircuitBreaker each : List.of(breaker, inner)) {
      var unusedFirst = each.on(StateTransition.class, event -> throwSometimes());
      var unusedOther = each.on(CallFinished.class, event -> throwSometimes());
    }
    var unusedFinished = breaker.on(CallFinished.class, event -> finished.increment());
    var unusedTransitions =
        breaker.on(
            StateTransition.class,
            event -> {
              if (event.sequence() != transitions.incrementAndGet()) {
                outOfOrder.getAndIncrement();
              }
              if (event.to() == CircuitBreaker.State.OPEN
                  && event.waitDuration() != null
                  && event.waitDuration().compareTo(LONGEST_WAIT) > 0) {
                waitsTooLong.getAndIncrement();
              }
            });
  }

  /**
   * Runs for a time on the wall, and returns when all calls have ended and no state has a timer.
   */
  void run(Duration length) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      callersGoOn = true;
      othersGoOn = true;
      List<Future<?>> callers = start(threads, CALLERS, this::calls);
      List<Future<?>> others = start(threads, JUMPERS, this::jumps);
      others.addAll(start(threads, OPERATORS, this::commands));
      long end = System.nanoTime() + length.toNanos();
      for (Future<?> caller : callers) {
        awaitUntil(caller, end);
      }
      callersGoOn = false;
      for (Future<?> caller : callers) {
        caller.get(DRAIN_SECONDS, SECONDS); // Time goes on meanwhile, for those who wait.
      }
      othersGoOn = false;
      for (Future<?> other : others) {
        other.get(DRAIN_SECONDS, SECONDS);
      }
    } finally {
      callersGoOn = false;
      othersGoOn = false;
      threads.shutdownNow();
    }
    drain();
  }

  private static List<Future<?>> start(ExecutorService threads, int number, Runnable task) {
    List<Future<?>> started = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      started.add(threads.submit(task));
    }
    return started;
  }

  /** A caller that has ended by now has died, which its future tells. */
  private static void awaitUntil(Future<?> caller, long end) throws Exception {
    try {
      caller.get(Math.max(1, end - System.nanoTime()), NANOSECONDS);
    } catch (TimeoutException e) {
      // As it should.
    }
  }

  private void drain() {
    while (!permits.isEmpty() || !stages.isEmpty()) {
      endSomething();
    }
    futures.clear();
    time.advance(Duration.ofMinutes(1));
    while (!stages.isEmpty()) { // Of calls that a timer has begun.
      endSomething();
    }
    breaker.reset();
    inner.reset();
    time.advance(Duration.ofMinutes(1));
  }

  private void calls() {
    while (callersGoOn) {
      switch (random(8)) {
        case 0, 1 -> direct(() -> breaker.call(this::countedAnswer));
        case 2 -> byHand();
        case 3 -> directAsync();
        case 4 -> throughPipeline();
        case 5 -> throughPipelineAsync();
        case 6 -> hedged();
        default -> endSomething();
      }
      interrupts.getAndAdd(Thread.interrupted() ? 1 : 0);
      if (permits.size() + stages.size() > MOST_OPEN) {
        endSomething();
        endSomething();
      }
      if (futures.size() > MOST_OPEN) {
        futures.clear();
      }
    }
  }

  private void direct(Call call) {
    try {
      call.make();
    } catch (CallNotPermittedException e) {
      refused.increment();
    } catch (Throwable e) {
      expected(e);
    }
  }

  private String countedAnswer() throws Exception {
    admitted.increment();
    return answer();
  }

  private void byHand() {
    Permit permit = breaker.tryAcquire();
    if (permit == null) {
      refused.increment();
      return;
    }
    admitted.increment();
    permits.add(permit);
    if (random(4) == 0) {
      permits.add(permit); // Two will end it.
    }
  }

  private void directAsync() {
    CompletableFuture<String> future =
        breaker.callAsync(
            () -> {
              admitted.increment();
              return stage();
            });
    if (future.isCompletedExceptionally() && isRefusal(future)) {
      refused.increment();
    }
    futures.add(future);
  }

  private static boolean isRefusal(CompletableFuture<String> future) {
    return future
        .<Boolean>handle((result, thrown) -> thrown instanceof CallNotPermittedException)
        .join();
  }

  private void throughPipeline() {
    pipelineCalls.increment();
    try {
      var unused = pipeline.call(this::answer);
    } catch (Throwable e) {
      expected(e);
    }
  }

  private void throughPipelineAsync() {
    pipelineCalls.increment();
    futures.add(pipeline.callAsync(this::stage));
  }

  private void hedged() {
    hedgedCalls.increment();
    futures.add(hedge.callAsync(this::stage));
  }

  /** What a dependency does in the time of a call. */
  private String answer() throws Exception {
    int fate = random(20);
    if (fate == 0) {
      time.advance(Duration.ofMillis(random(200)));
    }
    return switch (fate) {
      case 1, 2, 3 -> throw new IOException("connection reset");
      case 4 -> throw new CancellationException("given up");
      case 5 -> throw new AssertionError("a bug in the client");
      case 6 -> throw new IllegalStateException("a bug in the service");
      default -> "answer " + fate;
    };
  }

  private CompletableFuture<String> stage() {
    if (random(3) == 0) {
      try {
        return CompletableFuture.completedFuture(answer());
      } catch (Throwable e) {
        return CompletableFuture.failedFuture(e);
      }
    }
    CompletableFuture<String> stage = new CompletableFuture<>();
    stages.add(stage);
    return stage;
  }

  private void endSomething() {
    Permit permit = permits.poll();
    if (permit != null) {
      end(permit);
    }
    CompletableFuture<String> stage = stages.poll();
    if (stage != null) {
      end(stage);
    }
    CompletableFuture<String> future = futures.pollLast();
    if (future != null && random(2) == 0) {
      future.cancel(true);
    }
  }

  private void end(Permit permit) {
    switch (random(5)) {
      case 0 -> permit.close();
      case 1 -> permit.fail(new IOException("connection reset"));
      case 2 -> permit.record(Outcome.IGNORED);
      default -> permit.complete("answer");
    }
  }

  private void end(CompletableFuture<String> stage) {
    try {
      stage.complete(answer());
    } catch (Throwable e) {
      stage.completeExceptionally(e);
    }
  }

  private void jumps() {
    while (othersGoOn) {
      int dice = random(1000);
      wallClock.getAndAdd(ThreadLocalRandom.current().nextLong(-DAY_MILLIS, DAY_MILLIS));
      time.advance(dice == 0 ? Duration.ofMinutes(1) : Duration.ofMillis(dice % 60));
      Thread.onSpinWait();
    }
  }

  private void commands() {
    while (othersGoOn) {
      CircuitBreaker target = random(2) == 0 ? breaker : inner;
      switch (random(8)) {
        case 0 -> target.transitionTo(CircuitBreaker.State.values()[random(6)]);
        case 1 -> target.transitionTo(CircuitBreaker.State.FORCED_OPEN, Duration.ofMillis(10));
        case 2 -> target.reset();
        case 3 -> reconfigure(target);
        case 4 -> reconfigureOthers();
        case 5 -> listenForAMoment(target);
        case 6 -> look(target);
        default -> target.transitionTo(CircuitBreaker.State.CLOSED);
      }
      // Longer than that, so that breakers have some time to open and close by themselves.
      for (int i = random(2000); i > 0 && othersGoOn; i--) {
        Thread.onSpinWait();
      }
    }
  }

  private static void reconfigure(CircuitBreaker target) {
    int minimum = 1 + random(10);
    boolean count = random(2) == 0;
    target.reconfigure(
        c ->
            (count
                    ? c.slidingWindowType(SlidingWindowType.COUNT_BASED)
                        .slidingWindowSize(minimum + random(40))
                    : c.slidingWindowType(SlidingWindowType.TIME_BASED)
                        .slidingWindowSize(Duration.ofMillis(100 + random(2000))))
                .minimumNumberOfCalls(minimum)
                .failureRateThreshold(10 + random(90))
                .slowCallRateThreshold(10 + random(90))
                .slowCallDurationThreshold(Duration.ofMillis(50 + random(500)))
                .countSlowCallsInFlight(random(2) == 0)
                .permittedNumberOfCallsInHalfOpenState(1 + random(5))
                .automaticTransitionFromOpenToHalfOpenEnabled(random(2) == 0)
                .maxWaitDurationInHalfOpenState(Duration.ofMillis(random(2) * 300L))
                .rampUpDuration(Duration.ofMillis(random(2) * 200L)));
  }

  private void reconfigureOthers() {
    bulkhead.reconfigure(
        c -> c.maxConcurrentCalls(1 + random(MOST_SLOTS)).maxQueuedCalls(random(20)));
    limiter.reconfigure(c -> c.limitForPeriod(10 + random(100)));
    timeout.reconfigure(c -> c.timeoutDuration(Duration.ofMillis(10 + random(200))));
    retry.reconfigure(c -> c.maxAttempts(1 + random(4)));
    hedge.reconfigure(c -> c.delay(Duration.ofMillis(random(50))));
  }

  private static void listenForAMoment(CircuitBreaker target) {
    var handle = target.on(CallFinished.class, event -> throwSometimes());
    Thread.onSpinWait();
    handle.cancel();
  }

  private void look(CircuitBreaker target) {
    if (target.metrics().callsInFlight() < 0) {
      throw new AssertionError("more calls have ended than began");
    }
    var snapshot = target.snapshot();
    if (snapshot.window().failed() > snapshot.window().calls()) {
      throw new AssertionError("torn: " + snapshot);
    }
    if (target.explain().isBlank() || bulkhead.explain().isBlank() || limiter.explain().isBlank()) {
      throw new AssertionError("nothing to say");
    }
  }

  private CircuitBreaker breaker(String name) {
    return CircuitBreaker.create(
        name,
        CircuitBreakerConfig.of(
            c ->
                c.slidingWindowSize(20)
                    .minimumNumberOfCalls(5)
                    .slowCallDurationThreshold(Duration.ofMillis(80))
                    .waitDurationInOpenState(Duration.ofMillis(100))
                    .maxProbeDuration(Duration.ofMillis(300))
                    .waitIntervalFunctionInOpenState(Soak::throwingWait)
                    .exponentialMaxWaitDurationInOpenState(LONGEST_WAIT)
                    .retryAfter((result, thrown) -> untilDate())
                    .recordResult(Soak::throwingPredicate)
                    .random(Soak::throwingRandom)
                    .ticker(time)
                    .scheduler(time)));
  }

  /** {@code Retry-After} as a date, of which the wall clock makes any time, before now as well. */
  private Duration untilDate() {
    throwSometimes();
    return Duration.ofMillis(100 - wallClock.get());
  }

  private static Duration throwingWait(int openings) {
    throwSometimes();
    return Duration.ofMillis(50L * Math.min(openings, 10));
  }

  private static boolean throwingPredicate(Object any) {
    throwSometimes();
    return any instanceof IOException;
  }

  private static double throwingRandom() {
    throwSometimes();
    return ThreadLocalRandom.current().nextDouble();
  }

  private static void throwSometimes() {
    if (random(50) == 0) {
      throw new IllegalStateException("user code throws");
    }
  }

  private static int random(int bound) {
    return ThreadLocalRandom.current().nextInt(bound);
  }

  /** What callers get is what the dependency threw, or what a policy did. */
  private static void expected(Throwable thrown) {
    boolean known =
        thrown instanceof IOException
            || thrown instanceof CancellationException
            || thrown instanceof IllegalStateException
            || thrown instanceof CallRejectedException
            || thrown instanceof TimeoutExceededException
            || "a bug in the client".equals(thrown.getMessage());
    if (!known) {
      throw new AssertionError("unexpected", thrown);
    }
  }

  /** A call that may throw anything. */
  private interface Call {
    void make() throws Throwable;
  }
}

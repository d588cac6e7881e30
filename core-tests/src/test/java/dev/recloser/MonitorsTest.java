package dev.recloser;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.spi.CallContext;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The core holds no monitor while it runs what a user gave it, or while it waits: who does, pins a
 * virtual thread on JDKs before 24, and on every JDK may hold others up or lock up with them. Only
 * a ticker is read under a lock, now and then.
 */
final class MonitorsTest {
  private static final Duration LIMIT = Duration.ofMillis(100);
  private static final Duration WAIT = Duration.ofMillis(10);

  private final FakeTime time = FakeTime.create();
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final Set<String> asked = Collections.synchronizedSet(new TreeSet<>());
  private final List<String> found = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void the_threads_end() throws InterruptedException {
    pool.shutdown();
    assertThat(pool.awaitTermination(30, SECONDS)).isTrue();
  }

  /** Looks what this thread holds, and passes a value on. */
  private <V> V asked(String what, V value) {
    asked.add(what);
    look(what, Thread.currentThread());
    return value;
  }

  private void look(String what, Thread thread) {
    monitorsOf(thread).forEach(monitor -> found.add(what + " under " + monitor));
  }

  /** The monitors that code of the core has taken. */
  private static List<String> monitorsOf(Thread thread) {
    ThreadInfo info =
        ManagementFactory.getThreadMXBean()
            .getThreadInfo(new long[] {thread.getId()}, /* lockedMonitors= */ true, false)[0];
    return Arrays.stream(info.getLockedMonitors())
        .map(MonitorInfo::getLockedStackFrame)
        .filter(MonitorsTest::isInTheCore)
        .map(StackTraceElement::toString)
        .toList();
  }

  private static boolean isInTheCore(StackTraceElement frame) {
    String type = frame.getClassName();
    return type.startsWith("dev.recloser.")
        && !type.startsWith("dev.recloser.test.")
        && !type.startsWith(MonitorsTest.class.getName());
  }

  private final Scheduler scheduler =
      new Scheduler() {
        @Override
        public Cancellable schedule(Runnable task, Duration delay) {
          Cancellable timer = time.schedule(task, asked("schedule", delay));
          return () -> asked("cancel", timer).cancel();
        }

        @Override
        public void sleep(Duration delay) throws InterruptedException {
          time.sleep(asked("sleep", delay));
        }
      };

  /** What a stale answer is kept by. */
  private final class Key {
    @Override
    public int hashCode() {
      return asked("hashCode", 1);
    }

    @Override
    public boolean equals(Object other) {
      return asked("equals", other instanceof Key);
    }
  }

  private final CallContext context =
      () -> {
        asked("capture", "");
        return task -> asked("carry", task).run();
      };

  private final Retry retry =
      Retry.create(
          "retry",
          s ->
              s.maxAttempts(2)
                  .intervalFunction(attempt -> asked("retry interval", WAIT))
                  .retryOnException(thrown -> asked("retryOnException", true))
                  .retryOnResult(result -> asked("retryOnResult", false))
                  .retryAfter((result, thrown) -> asked("retry after", WAIT))
                  .random(() -> asked("retry random", 0.5))
                  .ticker(time)
                  .scheduler(scheduler)
                  .executor(task -> asked("retry executor", task).run()));
  private final CircuitBreaker breaker =
      CircuitBreaker.create(
          "breaker",
          s ->
              s.slidingWindowSize(4)
                  .minimumNumberOfCalls(4)
                  .slowCallDurationThreshold(WAIT)
                  .waitIntervalFunctionInOpenState(opening -> asked("open interval", LIMIT))
                  .randomizedWaitFactor(0.5)
                  .random(() -> asked("breaker random", 0.5))
                  .retryAfter((result, thrown) -> asked("open after", WAIT))
                  .recordException(thrown -> asked("recordException", true))
                  .recordResult(result -> asked("recordResult", false))
                  .healthCheck(
                      () -> asked("healthCheck", CompletableFuture.completedFuture("fine")))
                  .automaticTransitionFromOpenToHalfOpenEnabled(true)
                  .ticker(time)
                  .scheduler(scheduler));
  private final RateLimiter limiter =
      RateLimiter.create(
          "limiter",
          s ->
              s.limitForPeriod(1)
                  .limitRefreshPeriod(WAIT)
                  .ticker(time)
                  .scheduler(scheduler)
                  .executor(task -> asked("limiter executor", task).run()));
  private final Bulkhead bulkhead =
      Bulkhead.create(
          "bulkhead",
          s ->
              s.maxConcurrentCalls(1)
                  .maxWaitDuration(LIMIT)
                  .scheduler(scheduler)
                  .executor(task -> asked("bulkhead executor", task).run()));
  private final Hedge hedge =
      Hedge.create(
          "hedge",
          s ->
              s.idempotent(true)
                  .delay(WAIT)
                  .ticker(time)
                  .scheduler(scheduler)
                  .executor(task -> asked("hedge executor", task).run()));
  private final Timeout timeout =
      Timeout.create(
          "timeout",
          s ->
              s.timeoutDuration(LIMIT)
                  .ticker(time)
                  .scheduler(scheduler)
                  .executor(task -> asked("timeout executor", task).run()));

  private final Pipeline<String> pipeline =
      Pipeline.create(
          "orders",
          policies ->
              policies
                  .context(context)
                  .fallback(
                      rules ->
                          rules
                              .stale(Duration.ofMinutes(1))
                              .onFailure(thrown -> asked("fallback", "unknown"))
                              .onRefusal(() -> asked("fallback of a refusal", "unknown"))
                              .ticker(time))
                  .retry(retry)
                  .hedge(hedge)
                  .circuitBreaker(breaker)
                  .rateLimiter(limiter)
                  .bulkhead(bulkhead)
                  .timeout(timeout));

  @Test
  void what_a_user_gave_is_run_under_no_monitor() throws Exception {
    for (Policy policy : pipeline.policies()) {
      policy.on(PolicyEvent.class, event -> asked("listener", event));
    }

    for (int round = 0; round < 3; round++) {
      plainCalls();
      stages();
      time.advance(LIMIT.multipliedBy(3)); // Open, half-open, and what was left waiting.
    }
    reconfigure();

    assertThat(found).isEmpty();
    assertThat(asked)
        .contains(
            "breaker random",
            "bulkhead executor",
            "cancel",
            "capture",
            "carry",
            "equals",
            "fallback",
            "fallback of a refusal",
            "hashCode",
            "healthCheck",
            "hedge executor",
            "limiter executor",
            "listener",
            "open after",
            "open interval",
            "plain call",
            "recordException",
            "recordResult",
            "retry after",
            "retry executor",
            "retry interval",
            "retry random",
            "retryOnException",
            "retryOnResult",
            "schedule",
            "sleep",
            "stage",
            "timeout executor");
  }

  private void plainCalls() throws Exception {
    pipeline.call(() -> fail());
    pipeline.keyed(new Key()).call(() -> asked("plain call", "stock"));
    pipeline.keyed(new Key()).call(() -> fail());
    for (int i = 0; i < 4; i++) {
      pipeline.call(() -> fail());
    }
    breaker.reset();
  }

  private void stages() {
    List<CompletableFuture<String>> sources = new ArrayList<>();
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      answers.add(
          pipeline
              .keyed(new Key())
              .callAsync(
                  () -> {
                    sources.add(asked("stage", new CompletableFuture<>()));
                    return sources.get(sources.size() - 1);
                  }));
    }
    time.advance(WAIT);
    answers.get(5).cancel(true);
    sources.get(0).complete("stock");
    time.advance(WAIT);
    sources.get(sources.size() - 1).completeExceptionally(new IOException("down"));
    time.advance(LIMIT.multipliedBy(2)); // The others time out.
  }

  private void reconfigure() {
    retry.reconfigure(s -> s.maxAttempts(3));
    hedge.reconfigure(s -> s.delay(LIMIT));
    breaker.reconfigure(s -> s.slidingWindowSize(8));
    limiter.reconfigure(s -> s.limitForPeriod(2));
    bulkhead.reconfigure(s -> s.maxConcurrentCalls(2));
    timeout.reconfigure(s -> s.timeoutDuration(WAIT));
  }

  private String fail() throws IOException {
    throw asked("plain call", new IOException("down"));
  }

  @Test
  void a_thread_that_waits_for_a_slot_holds_no_monitor() throws Exception {
    BulkheadSlot slot = bulkhead.acquire();
    CompletableFuture<Thread> caller = new CompletableFuture<>();
    Future<String> waiting =
        pool.submit(
            () -> {
              caller.complete(Thread.currentThread());
              return bulkhead.call(() -> "stock");
            });
    Thread waiter = caller.get(30, SECONDS);
    long deadline = System.nanoTime() + SECONDS.toNanos(30);
    while (waiter.getState() != Thread.State.WAITING && System.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
    }

    assertThat(waiter.getState()).isEqualTo(Thread.State.WAITING);
    assertThat(monitorsOf(waiter)).isEmpty();
    slot.close();
    assertThat(waiting.get(30, SECONDS)).isEqualTo("stock");
  }

  @Test
  void a_thread_that_waits_for_work_on_another_holds_no_monitor() throws Exception {
    Thread caller = Thread.currentThread();
    Pipeline<String> elsewhere =
        Pipeline.create(
            "orders",
            policies ->
                policies
                    .hedge(s -> s.idempotent(true).scheduler(scheduler).executor(pool))
                    .timeout(s -> s.scheduler(scheduler).executor(pool)));

    elsewhere.call(
        () -> {
          look("a call elsewhere", caller);
          return "stock";
        });

    assertThat(found).isEmpty();
  }

  /** Which shows that the tests above can fail. */
  @Test
  void a_ticker_that_is_read_under_a_lock_is_found() {
    CircuitBreaker untimed =
        CircuitBreaker.create(
            "untimed",
            s ->
                s.slidingWindowSize(1)
                    .minimumNumberOfCalls(1)
                    .slowCallDurationThreshold(Duration.ZERO)
                    .ticker(() -> asked("ticker", time.nanoTime())));

    Permit permit = untimed.acquire();
    permit.fail(new IOException("down"));

    assertThat(found).anySatisfy(what -> assertThat(what).contains("Evidence"));
  }
}

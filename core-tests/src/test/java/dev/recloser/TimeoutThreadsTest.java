package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Which threads a timeout interrupts, and which it does not. */
@org.junit.jupiter.api.Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class TimeoutThreadsTest {
  private static final Duration LIMIT = Duration.ofMillis(100);

  private final FakeTime time = FakeTime.create();
  private final CountDownLatch queued = new CountDownLatch(1);
  private final ThreadPoolExecutor pool =
      new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new TellingQueue(queued));
  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch never = new CountDownLatch(1);
  private final CircuitBreaker inside = CircuitBreaker.create("inside", s -> s.ticker(time));

  @AfterEach
  void nothing_is_left() throws InterruptedException {
    never.countDown();
    for (ExecutorService service : new ExecutorService[] {pool, callers}) {
      service.shutdown();
      assertThat(service.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(time.pendingTimers()).isZero();
    assertThat(inside.snapshot().callsInFlight()).isZero();
  }

  private Timeout onPool() {
    return Timeout.create(
        "inventory", s -> s.timeoutDuration(LIMIT).ticker(time).scheduler(time).executor(pool));
  }

  /** What a caller on a thread of its own has got, and its interrupt flag after it. */
  private record Answer(Throwable thrown, boolean interrupted) {}

  private CompletableFuture<Answer> caller(Policy policy, CheckedSupplier<String, Exception> call) {
    return CompletableFuture.supplyAsync(
        () -> {
          Throwable thrown = catchThrowable(() -> policy.call(call));
          return new Answer(thrown, Thread.interrupted());
        },
        callers);
  }

  private String hang() throws InterruptedException {
    begun.countDown();
    never.await();
    return "late";
  }

  private String hangWhateverHappens() {
    begun.countDown();
    boolean released = false;
    while (!released) {
      try {
        never.await();
        released = true;
      } catch (InterruptedException e) {
        // Ignored on purpose: such work is what executors are for.
      }
    }
    return "late";
  }

  private static Answer get(CompletableFuture<Answer> answer) throws Exception {
    return answer.get(30, TimeUnit.SECONDS);
  }

  @Test
  void the_calling_thread_is_interrupted_and_gets_its_flag_back() throws Exception {
    Timeout timeout =
        Timeout.create("inventory", s -> s.timeoutDuration(LIMIT).ticker(time).scheduler(time));
    CompletableFuture<Answer> answer = caller(timeout, () -> inside.call(this::hang));
    begun.await();

    time.advance(LIMIT);

    assertThat(get(answer).thrown())
        .isInstanceOf(TimeoutExceededException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(get(answer).interrupted()).isFalse();
    assertThat(inside.metrics().failed()).isEqualTo(1);
  }

  @Test
  void an_executor_makes_it_on_time_even_if_the_call_ignores_interrupts() throws Exception {
    CompletableFuture<Answer> answer = caller(onPool(), this::hangWhateverHappens);
    begun.await();

    time.advance(LIMIT);

    assertThat(get(answer).thrown()).isInstanceOf(TimeoutExceededException.class).hasNoCause();
    assertThat(pool.getActiveCount()).isEqualTo(1);
    assertThatThePoolHasNoInterrupt();
  }

  @Test
  void a_call_on_an_executor_is_interrupted_and_counted_inside() throws Exception {
    CompletableFuture<Answer> answer = caller(onPool(), () -> inside.call(this::hang));
    begun.await();

    time.advance(LIMIT);

    assertThat(get(answer).thrown()).isInstanceOf(TimeoutExceededException.class);
    assertThatThePoolHasNoInterrupt();
    assertThat(inside.metrics().failed()).isEqualTo(1);
  }

  @Test
  void a_timeout_on_the_caller_counts_inside_another_thread() throws Exception {
    Timeout outer =
        Timeout.create("outer", s -> s.timeoutDuration(LIMIT).ticker(time).scheduler(time));
    Timeout longer =
        Timeout.create(
            "longer",
            s ->
                s.timeoutDuration(LIMIT.multipliedBy(9))
                    .ticker(time)
                    .scheduler(time)
                    .executor(pool));
    CompletableFuture<Answer> answer =
        caller(outer, () -> longer.call(() -> inside.call(this::hang)));
    begun.await();

    time.advance(LIMIT);

    assertThat(get(answer).thrown())
        .isInstanceOfSatisfying(
            TimeoutExceededException.class,
            exceeded -> assertThat(exceeded.policy()).isEqualTo("outer"));
    assertThat(get(answer).interrupted()).isFalse();
    assertThatThePoolHasNoInterrupt();
    assertThat(inside.metrics().failed()).isEqualTo(1);
  }

  @Test
  void an_interrupt_of_the_waiting_caller_cancels_the_call() throws Exception {
    AtomicReference<Thread> waiting = new AtomicReference<>();
    Timeout timeout = onPool();
    CompletableFuture<Answer> answer =
        CompletableFuture.supplyAsync(
            () -> {
              waiting.set(Thread.currentThread());
              Throwable thrown = catchThrowable(() -> timeout.call(() -> inside.call(this::hang)));
              return new Answer(thrown, Thread.interrupted());
            },
            callers);
    begun.await();

    waiting.get().interrupt();

    assertThat(get(answer).thrown()).isInstanceOf(CancellationException.class);
    assertThat(get(answer).interrupted()).isTrue();
    assertThatThePoolHasNoInterrupt();
    assertThat(inside.metrics().cancelled()).isEqualTo(1);
    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(0, 1, 0));
  }

  @Test
  void a_call_that_waits_for_a_thread_too_long_is_never_begun() throws Exception {
    pool.execute(this::hangWhateverHappens);
    begun.await();
    AtomicBoolean made = new AtomicBoolean();
    Timeout timeout =
        Timeout.create(
            "inventory",
            s ->
                s.timeoutDuration(LIMIT)
                    .ticker(time)
                    .scheduler(time)
                    .executor(task -> pool.execute(task)));
    CompletableFuture<Answer> answer = caller(timeout, () -> String.valueOf(made.getAndSet(true)));
    queued.await();

    time.advance(LIMIT);
    assertThat(get(answer).thrown()).isInstanceOf(TimeoutExceededException.class);
    assertThatThePoolHasNoInterrupt();

    assertThat(made).isFalse();
  }

  @Test
  void a_call_that_was_not_begun_leaves_the_queue_of_its_pool() throws Exception {
    pool.execute(this::hangWhateverHappens);
    begun.await();
    CompletableFuture<Answer> answer = caller(onPool(), () -> "stock");
    queued.await();

    time.advance(LIMIT);

    assertThat(get(answer).thrown()).isInstanceOf(TimeoutExceededException.class);
    assertThat(pool.getQueue()).isEmpty();
  }

  @Test
  void a_timer_that_rings_as_the_call_ends_never_interrupts_what_comes_after() {
    ExecutorService ringing = Executors.newFixedThreadPool(2);
    Timeout racing =
        Timeout.create(
            "racing",
            s ->
                s.scheduler(
                    (task, delay) -> {
                      ringing.execute(task);
                      return () -> {};
                    }));
    int timedOut = 0;
    for (int i = 0; i < 20_000; i++) {
      int spins = i % 200;
      Throwable thrown = catchThrowable(() -> racing.run(() -> spin(spins)));
      assertThat(Thread.currentThread().isInterrupted()).as("after call %s", i).isFalse();
      timedOut += thrown == null ? 0 : 1;
    }
    ringing.shutdown();
    try {
      assertThat(ringing.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError("an interrupt after the calls", e);
    }

    assertThat(racing.metrics()).isEqualTo(new TimeoutMetrics(20_000 - timedOut, 0, timedOut));
  }

  @Test
  void a_call_that_ends_while_it_is_being_interrupted_waits_for_that() throws Exception {
    Timeout timeout =
        Timeout.create("inventory", s -> s.timeoutDuration(LIMIT).ticker(time).scheduler(time));
    SlowlyInterrupted caller = new SlowlyInterrupted(timeout, begun);
    caller.start();
    begun.await();

    time.advance(LIMIT);
    caller.join(30_000);

    assertThat(caller.thrown).isInstanceOf(TimeoutExceededException.class);
    assertThat(caller.interruptedAfter).isFalse();
  }

  @Test
  void a_call_may_run_on_a_thread_of_its_own() throws Exception {
    ExecutorService virtual = threadPerTask();
    Timeout timeout =
        Timeout.create(
            "inventory",
            s -> s.timeoutDuration(LIMIT).ticker(time).scheduler(time).executor(virtual));
    CompletableFuture<Answer> answer = caller(timeout, () -> inside.call(this::hang));
    begun.await();

    time.advance(LIMIT);

    assertThat(get(answer).thrown()).isInstanceOf(TimeoutExceededException.class);
    virtual.shutdown();
    assertThat(virtual.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(inside.metrics().failed()).isEqualTo(1);
  }

  @Test
  void a_result_after_the_time_is_over_is_a_failure_for_the_breaker_inside() {
    Timeout timeout =
        Timeout.create("inventory", s -> s.timeoutDuration(LIMIT).ticker(time).scheduler(time));

    assertThatThrownBy(
            () ->
                timeout.call(
                    () ->
                        inside.call(
                            () -> {
                              time.advance(LIMIT.plusNanos(1));
                              return "too late";
                            })))
        .isInstanceOf(TimeoutExceededException.class);

    assertThat(inside.metrics().failed()).isEqualTo(1);
    assertThat(inside.metrics().succeeded()).isZero();
  }

  /** Virtual threads where the JDK has them; by reflection, as tests are compiled for Java 17. */
  private static ExecutorService threadPerTask() throws Exception {
    return Runtime.version().feature() < 21
        ? Executors.newCachedThreadPool()
        : (ExecutorService)
            Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  /** Its only thread, asked when it is done with the call. */
  private void assertThatThePoolHasNoInterrupt() throws Exception {
    never.countDown();
    assertThat(pool.submit(() -> Thread.currentThread().isInterrupted()).get(30, TimeUnit.SECONDS))
        .isFalse();
  }

  /** A caller whose interrupt comes when it has its answer already, should it not wait for it. */
  private static final class SlowlyInterrupted extends Thread {
    private final Timeout timeout;
    private final CountDownLatch begun;
    private final CountDownLatch interrupting = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private Throwable thrown;
    private boolean interruptedAfter;

    SlowlyInterrupted(Timeout timeout, CountDownLatch begun) {
      this.timeout = timeout;
      this.begun = begun;
    }

    @Override
    public void run() {
      thrown =
          catchThrowable(
              () ->
                  timeout.run(
                      () -> {
                        begun.countDown();
                        interrupting.await();
                      }));
      answered.countDown();
      try {
        interrupted.await();
      } catch (InterruptedException e) {
        interruptedAfter = true;
      }
      interruptedAfter |= Thread.interrupted();
    }

    @Override
    public void interrupt() {
      interrupting.countDown();
      try {
        // A moment for the answer that must not come.
        boolean unused = answered.await(50, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      super.interrupt();
      interrupted.countDown();
    }
  }

  /** A queue that says when there is a task in it. */
  private static final class TellingQueue extends LinkedBlockingQueue<Runnable> {
    private static final long serialVersionUID = 1L;

    private final transient CountDownLatch filled;

    TellingQueue(CountDownLatch filled) {
      this.filled = filled;
    }

    @Override
    public boolean offer(Runnable task) {
      boolean taken = super.offer(task);
      filled.countDown();
      return taken;
    }
  }
}

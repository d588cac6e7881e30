package dev.recloser;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.test.FakeTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Threads that wait for slots of a bulkhead, on fake time. */
final class BulkheadThreadsTest {
  private static final Duration WAIT = Duration.ofMillis(500);
  private static final int LIMIT_SECONDS = 30;

  private final FakeTime time = FakeTime.create();

  /** One permit for each timer: a thread asks for it when it is in the queue. */
  private final Semaphore queued = new Semaphore(0);

  private final Bulkhead bulkhead =
      Bulkhead.create(
          "inventory",
          s ->
              s.maxConcurrentCalls(1)
                  .maxWaitDuration(WAIT)
                  .maxQueuedCalls(10)
                  .executor(Runnable::run)
                  .scheduler(
                      (task, delay) -> {
                        Cancellable timer = time.schedule(task, delay);
                        queued.release();
                        return timer;
                      }));

  /** A thread that makes one call, and what came of it. */
  private final class Caller {
    private final List<String> order;
    private final Thread thread;
    private @Nullable Throwable thrown;
    private boolean interrupted;

    Caller(String name, List<String> order) {
      this.order = order;
      thread = new Thread(this::callOnce, name);
      thread.setDaemon(true);
      thread.start();
    }

    private void callOnce() {
      thrown =
          catchThrowable(
              () ->
                  bulkhead.run(
                      () -> {
                        synchronized (order) {
                          order.add(thread.getName());
                        }
                      }));
      interrupted = thread.isInterrupted();
    }

    Caller ended() throws InterruptedException {
      thread.join(SECONDS.toMillis(LIMIT_SECONDS));
      assertThat(thread.isAlive()).as("still waiting").isFalse();
      return this;
    }
  }

  private Caller waiting(String name, List<String> order) throws InterruptedException {
    Caller caller = new Caller(name, order);
    assertThat(queued.tryAcquire(LIMIT_SECONDS, SECONDS)).isTrue();
    return caller;
  }

  private void assertNothingIsLeft() {
    assertThat(bulkhead.metrics().running()).isZero();
    assertThat(bulkhead.metrics().waiting()).isZero();
    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void threads_get_slots_in_the_order_in_which_they_came() throws InterruptedException {
    List<String> order = new ArrayList<>();
    List<Caller> callers = new ArrayList<>();
    BulkheadSlot slot = bulkhead.acquire();
    for (int i = 0; i < 5; i++) {
      callers.add(waiting("caller " + i, order));
    }

    slot.close();
    for (Caller caller : callers) {
      assertThat(caller.ended().thrown).isNull();
    }

    assertThat(order).containsExactly("caller 0", "caller 1", "caller 2", "caller 3", "caller 4");
    assertNothingIsLeft();
  }

  @Test
  void a_thread_whose_time_is_up_takes_no_slot_with_it() throws InterruptedException {
    List<String> order = new ArrayList<>();
    BulkheadSlot slot = bulkhead.acquire();
    Caller first = waiting("first", order);
    time.advance(Duration.ofMillis(1));
    Caller second = waiting("second", order);

    time.advance(WAIT.minusMillis(1));
    assertThat(first.ended().thrown)
        .isInstanceOf(BulkheadFullException.class)
        .hasMessage(
            "inventory refused the call after 500 ms, 1 of 1 are running and 1 of 10 waiting");
    slot.close();

    assertThat(second.ended().thrown).isNull();
    assertThat(order).containsExactly("second");
    assertThat(bulkhead.metrics()).isEqualTo(new BulkheadMetrics(2, 1, 0, 0, 0, 1, 1, null));
    assertNothingIsLeft();
  }

  @Test
  void a_thread_that_is_interrupted_takes_no_slot_with_it() throws InterruptedException {
    List<String> order = new ArrayList<>();
    BulkheadSlot slot = bulkhead.acquire();
    Caller first = waiting("first", order);
    Caller second = waiting("second", order);

    first.thread.interrupt();
    assertThat(first.ended().thrown)
        .isInstanceOf(CancellationException.class)
        .hasMessage("inventory: interrupted while waiting for a slot");
    assertThat(first.interrupted).isTrue();
    slot.close();

    assertThat(second.ended().thrown).isNull();
    assertThat(order).containsExactly("second");
    assertThat(bulkhead.metrics()).isEqualTo(new BulkheadMetrics(2, 0, 1, 0, 0, 1, 1, null));
    assertNothingIsLeft();
  }

  @Test
  void an_interrupt_before_does_not_matter_where_nobody_waits() {
    Thread.currentThread().interrupt();

    bulkhead.run(() -> {});

    assertThat(Thread.interrupted()).isTrue();
    assertNothingIsLeft();
  }

  @Test
  void a_higher_limit_wakes_threads() throws InterruptedException {
    List<String> order = new ArrayList<>();
    BulkheadSlot slot = bulkhead.acquire();
    Caller first = waiting("first", order);

    bulkhead.reconfigure(s -> s.maxConcurrentCalls(2));

    assertThat(first.ended().thrown).isNull();
    slot.close();
    assertNothingIsLeft();
  }

  /**
   * Slots come back while times run out, threads are interrupted, stages cancelled and the limit is
   * changed, all at random moments. In the end all slots must be there, and on the way there must
   * never be more calls than the highest limit.
   */
  @Test
  void no_slot_is_lost_or_doubled_whatever_happens_at_once() throws InterruptedException {
    int callers = 6;
    int callsEach = 3_000;
    int highest = 3;
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    ConcurrentLinkedQueue<CompletableFuture<String>> stages = new ConcurrentLinkedQueue<>();
    CountDownLatch over = new CountDownLatch(callers);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      Random random = new Random(i);
      Thread thread =
          new Thread(
              () -> {
                for (int call = 0; call < callsEach; call++) {
                  if (random.nextBoolean()) {
                    plainCall(running, most);
                  } else {
                    stageCall(random, stages);
                  }
                }
                over.countDown();
              });
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);

    Random random = new Random(42);
    long deadline = System.nanoTime() + SECONDS.toNanos(2L * LIMIT_SECONDS);
    while (over.getCount() > 0 && System.nanoTime() - deadline < 0) {
      disturb(random, threads, stages, highest);
    }
    assertThat(over.getCount()).as("callers still waiting").isZero();
    for (CompletableFuture<String> stage = stages.poll(); stage != null; stage = stages.poll()) {
      stage.complete("stock");
    }
    time.advance(WAIT);

    assertNothingIsLeft();
    assertThat(running).hasValue(0);
    assertThat(most.get()).isLessThanOrEqualTo(highest);
    BulkheadMetrics metrics = bulkhead.metrics();
    assertThat(metrics.admitted() + metrics.refused() + metrics.cancelled())
        .isEqualTo((long) callers * callsEach);
    assertThat(metrics.mostRunning()).isLessThanOrEqualTo(highest);
  }

  private void plainCall(AtomicInteger running, AtomicInteger most) {
    try {
      bulkhead.run(
          () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            running.decrementAndGet();
          });
    } catch (BulkheadFullException | CancellationException refused) {
      // As it may be.
    }
    boolean unused = Thread.interrupted();
  }

  private void stageCall(Random random, ConcurrentLinkedQueue<CompletableFuture<String>> stages) {
    CompletableFuture<String> later =
        bulkhead.callAsync(
            () -> {
              CompletableFuture<String> stage = new CompletableFuture<>();
              stages.add(stage);
              return stage;
            });
    if (random.nextInt(4) == 0) {
      later.cancel(true);
    }
  }

  private void disturb(
      Random random,
      List<Thread> threads,
      ConcurrentLinkedQueue<CompletableFuture<String>> stages,
      int highest) {
    CompletableFuture<String> stage = stages.poll();
    if (stage != null) {
      stage.complete("stock");
    }
    switch (random.nextInt(8)) {
      case 0 -> threads.get(random.nextInt(threads.size())).interrupt();
      case 1 -> time.advance(WAIT.dividedBy(10));
      case 2 -> bulkhead.reconfigure(s -> s.maxConcurrentCalls(1 + random.nextInt(highest)));
      default -> Thread.onSpinWait();
    }
  }
}

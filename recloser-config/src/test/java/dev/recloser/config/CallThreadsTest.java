package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class CallThreadsTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final CallThreads threads = new CallThreads("inventory", 1, Duration.ZERO);
  private final CountDownLatch go = new CountDownLatch(1);
  private final List<Thread> seen = new ArrayList<>();

  @AfterEach
  void all_threads_end_once_none_is_kept() throws InterruptedException {
    go.countDown();
    threads.keep(0, Duration.ZERO);
    for (Thread thread : seen) {
      thread.join(TimeUnit.SECONDS.toMillis(30));
      assertThat(thread.isAlive()).isFalse();
    }
  }

  /** Runs something on a thread, and waits for it if need be; tells the thread. */
  private CompletableFuture<Thread> execute(CompletableFuture<?> until) {
    CompletableFuture<Thread> begun = new CompletableFuture<>();
    threads.execute(
        () -> {
          begun.complete(Thread.currentThread());
          until.join();
        });
    return begun;
  }

  private Thread threadOf(CompletableFuture<Thread> begun) throws Exception {
    Thread thread = begun.get(30, TimeUnit.SECONDS);
    if (!seen.contains(thread)) {
      seen.add(thread);
    }
    return thread;
  }

  private static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  private static void awaitIdle(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  private List<Thread> alive() {
    return seen.stream().filter(Thread::isAlive).toList();
  }

  @Test
  void they_are_daemons_named_after_the_bulkhead() throws Exception {
    var end = new CompletableFuture<Void>();
    Thread first = threadOf(execute(end));
    Thread second = threadOf(execute(end));

    assertThat(Stream.of(first, second).map(Thread::getName))
        .containsExactly("inventory-1", "inventory-2");
    assertThat(first.isDaemon()).isTrue();
    end.complete(null);
  }

  @Test
  void a_task_gets_the_thread_that_is_idle_and_one_more_gets_a_new_one() throws Exception {
    threads.keep(2, Duration.ZERO);
    Thread first = threadOf(execute(done()));
    awaitIdle(first);
    var end = new CompletableFuture<Void>();

    assertThat(threadOf(execute(end))).isSameAs(first);
    assertThat(threadOf(execute(end))).isNotSameAs(first);
    end.complete(null);
  }

  @Test
  void as_many_as_are_the_core_are_kept_and_the_others_end() throws Exception {
    threads.keep(2, Duration.ZERO);
    var end = new CompletableFuture<Void>();
    for (int task = 0; task < 5; task++) {
      threadOf(execute(end));
    }

    end.complete(null);
    while (alive().size() > 2) {
      Thread.onSpinWait();
    }
    alive().forEach(CallThreadsTest::awaitIdle);

    assertThat(alive()).hasSize(2).contains(threadOf(execute(done())));
  }

  @Test
  void a_smaller_core_ends_threads_that_wait_already() throws Exception {
    Thread first = threadOf(execute(done()));
    awaitIdle(first);

    threads.keep(0, Duration.ZERO);
    first.join(TimeUnit.SECONDS.toMillis(30));

    assertThat(first.isAlive()).isFalse();
  }

  @Test
  void those_beyond_the_core_are_kept_for_the_time_that_is_set() throws Exception {
    threads.keep(0, LONG);
    Thread first = threadOf(execute(done()));
    awaitIdle(first);

    assertThat(threadOf(execute(done()))).isSameAs(first);
  }

  @Test
  void an_interrupt_that_a_task_leaves_goes_with_it() throws Exception {
    threads.execute(() -> Thread.currentThread().interrupt());
    var flag = new CompletableFuture<Boolean>();
    threads.execute(() -> flag.complete(Thread.currentThread().isInterrupted()));

    assertThat(flag.get(30, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void an_interrupt_from_elsewhere_does_not_end_a_thread_that_waits() throws Exception {
    Thread first = threadOf(execute(done()));
    awaitIdle(first);

    first.interrupt();

    assertThat(threadOf(execute(done()))).isSameAs(first);
  }

  @Test
  void tasks_that_come_from_many_threads_at_once_are_all_done() throws Exception {
    threads.keep(1, Duration.ofNanos(1));
    int callers = 4;
    int each = 2_000;
    var tasks = new CountDownLatch(callers * each);
    List<Thread> all = new ArrayList<>();
    for (int caller = 0; caller < callers; caller++) {
      all.add(
          new Thread(
              () -> {
                for (int task = 0; task < each; task++) {
                  threads.execute(tasks::countDown);
                }
              }));
    }

    all.forEach(Thread::start);

    assertThat(tasks.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_task_must_be_there() {
    assertThatThrownBy(() -> threads.execute(null)).isInstanceOf(NullPointerException.class);
  }
}

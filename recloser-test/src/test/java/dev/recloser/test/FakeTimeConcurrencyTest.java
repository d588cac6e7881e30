package dev.recloser.test;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FakeTimeConcurrencyTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 2_000;

  private final FakeTime time = FakeTime.create();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  @Test
  void adds_up_what_several_threads_advance_and_runs_each_timer_once() throws Exception {
    var runs = new AtomicInteger();
    for (int i = 1; i <= ROUNDS; i++) {
      time.schedule(runs::incrementAndGet, ofNanos(i));
    }

    together(
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            time.advance(ofNanos(1));
          }
        });

    assertThat(time.elapsed()).isEqualTo(ofNanos((long) THREADS * ROUNDS));
    assertThat(runs).hasValue(ROUNDS);
  }

  @Test
  void never_goes_back_while_several_threads_advance_it() throws Exception {
    var stepsBack = new AtomicInteger();

    together(
        () -> {
          long before = time.nanoTime();
          for (int i = 0; i < ROUNDS; i++) {
            time.schedule(() -> {}, ofNanos(i % 3));
            time.advance(ofNanos(1));
            long now = time.nanoTime();
            if (now - before < 1) {
              stepsBack.incrementAndGet();
            }
            before = now;
          }
        });

    assertThat(stepsBack).hasValue(0);
  }

  @Test
  void forgets_every_timer_that_several_threads_schedule_and_cancel() throws Exception {
    var runs = new AtomicInteger();

    together(
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            time.schedule(runs::incrementAndGet, ofSeconds(1)).cancel();
          }
        });

    assertThat(time.pendingTimers()).isZero();
    time.advance(ofSeconds(1));
    assertThat(runs).hasValue(0);
  }

  @Test
  void holds_no_lock_while_a_timer_runs() {
    var done = new ArrayList<String>();
    time.schedule(
        () -> {
          await(
              threads.submit(
                  () -> {
                    time.schedule(() -> done.add("scheduled elsewhere"), ZERO);
                    time.schedule(() -> done.add("cancelled elsewhere"), ZERO).cancel();
                    time.advance(ofNanos(1));
                  }));
          done.add("timer");
        },
        ofNanos(10));

    time.advance(ofNanos(10));

    assertThat(done).containsExactly("scheduled elsewhere", "timer");
    assertThat(time.elapsed()).isEqualTo(ofNanos(11));
  }

  /** Runs something on all threads at once, and waits for all. */
  private void together(Runnable work) throws Exception {
    var start = new CyclicBarrier(THREADS);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      running.add(
          threads.submit(
              () -> {
                start.await(10, SECONDS);
                work.run();
                return null;
              }));
    }
    running.forEach(FakeTimeConcurrencyTest::await);
  }

  private static void await(Future<?> future) {
    try {
      future.get(10, SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}

package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** The timers of the JVM, beside a list of them. */
class TimerWheelTest {
  private static final long MILLI = 1_000_000;

  /** A timer and when it is due. */
  private record Bell(SystemTime.Task timer, long due) {}

  private final TimerWheel wheel = new TimerWheel(2);

  private Bell add(long due) {
    Bell bell = new Bell(new SystemTime.Task(() -> {}), due);
    wheel.add(bell.timer, due);
    return bell;
  }

  @Test
  void a_timer_is_due_at_its_moment_and_not_before() {
    Bell bell = add(5 * MILLI + 7);

    assertThat(wheel.earliest()).isEqualTo(5 * MILLI + 7);
    assertThat(wheel.takeDue(5 * MILLI + 6)).isEmpty();
    assertThat(wheel.takeDue(5 * MILLI + 7)).containsExactly(bell.timer);
    assertThat(wheel.takeDue(6 * MILLI)).isEmpty();
    assertThat(wheel.size()).isZero();
    assertThat(wheel.earliest()).isEqualTo(TimerWheel.NEVER);
  }

  @Test
  void one_that_is_taken_back_is_gone_and_can_be_taken_back_again() {
    Bell bell = add(5 * MILLI);
    Bell other = add(5 * MILLI);

    bell.timer.cancel();
    bell.timer.cancel();
    new SystemTime.Task(() -> {}).cancel();

    assertThat(wheel.size()).isEqualTo(1);
    assertThat(wheel.takeDue(5 * MILLI)).containsExactly(other.timer);
    other.timer.cancel();
    assertThat(wheel.size()).isZero();
  }

  @Test
  void one_that_is_many_turns_away_is_not_taken_early() {
    Bell far = add(3_600_000 * MILLI);

    for (long now = 0; now < 3_600_000 * MILLI; now += 250 * MILLI + 1) {
      assertThat(wheel.takeDue(now)).isEmpty();
      assertThat(wheel.earliest()).isEqualTo(far.due);
    }
    assertThat(wheel.takeDue(far.due)).containsExactly(far.timer);
  }

  @Test
  void one_that_is_due_already_when_it_comes_is_found_at_once() {
    assertThat(wheel.takeDue(1_000 * MILLI)).isEmpty();

    Bell late = add(3 * MILLI);

    assertThat(wheel.earliest()).isEqualTo(late.due);
    assertThat(wheel.takeDue(1_000 * MILLI)).containsExactly(late.timer);
  }

  /** Random timers, some taken back, looks at random times: always what a list would have given. */
  @RepeatedTest(50)
  void it_is_a_sorted_list(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    TreeMap<Long, List<Bell>> model = new TreeMap<>();
    List<Bell> known = new ArrayList<>();
    long now = 0;
    for (int step = 0; step < 2_000; step++) {
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          long delay = Math.abs(random.nextLong() % (random.nextBoolean() ? MILLI : 5_000 * MILLI));
          Bell bell = add(now + delay);
          model.computeIfAbsent(bell.due, due -> new ArrayList<>()).add(bell);
          known.add(bell);
        }
        case 2 -> {
          if (!known.isEmpty()) {
            Bell bell = known.remove(random.nextInt(known.size()));
            bell.timer.cancel();
            model.computeIfPresent(
                bell.due,
                (due, bells) -> {
                  bells.remove(bell);
                  return bells.isEmpty() ? null : bells;
                });
          }
        }
        default -> {
          now += Math.abs(random.nextLong() % (2_000 * MILLI));
          List<Bell> expected = new ArrayList<>();
          var due = model.headMap(now, true);
          due.values().forEach(expected::addAll);
          due.clear();
          // At equal moments the order does not matter.
          List<Long> moments = momentsOf(wheel.takeDue(now), expected);
          assertThat(moments).isSorted().hasSize(expected.size());
          known.removeAll(expected);
        }
      }
      assertThat(wheel.earliest()).isEqualTo(model.isEmpty() ? TimerWheel.NEVER : model.firstKey());
      assertThat(wheel.size()).isEqualTo(known.size());
    }
  }

  private static List<Long> momentsOf(List<TimerWheel.Entry> taken, List<Bell> expected) {
    IdentityHashMap<TimerWheel.Entry, Long> moments = new IdentityHashMap<>();
    expected.forEach(bell -> moments.put(bell.timer, bell.due));
    return taken.stream().map(moments::remove).toList();
  }

  /** On the real clock: none is lost, none is early, and those taken back do not ring. */
  @Test
  void the_systems_scheduler_runs_every_task_once_and_none_early() throws InterruptedException {
    int threads = 4;
    int each = 500;
    CountDownLatch rung = new CountDownLatch(threads * each);
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    List<Thread> started = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      Random random = new Random(t);
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  long nanos = random.nextInt(20_000_000);
                  long start = System.nanoTime();
                  Scheduler.system()
                      .schedule(
                          () -> {
                            if (System.nanoTime() - start < nanos) {
                              wrong.add("early");
                            }
                            rung.countDown();
                          },
                          Duration.ofNanos(nanos));
                  Scheduler.system()
                      .schedule(() -> wrong.add("taken back"), Duration.ofSeconds(1))
                      .cancel();
                }
              });
      started.add(thread);
      thread.start();
    }
    for (Thread thread : started) {
      thread.join();
    }

    assertThat(rung.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(wrong).isEmpty();
  }

  @Test
  @org.junit.jupiter.api.Timeout(30)
  void a_task_that_throws_or_is_interrupted_does_not_stop_those_after_it()
      throws InterruptedException {
    CountDownLatch rung = new CountDownLatch(2);
    try (CapturedLog log = new CapturedLog()) {
      Scheduler.system()
          .schedule(
              () -> {
                Thread.currentThread().interrupt();
                rung.countDown();
                throw new IllegalStateException("broken");
              },
              Duration.ZERO);
      Scheduler.system().schedule(rung::countDown, Duration.ofMillis(5));

      assertThat(rung.await(30, TimeUnit.SECONDS)).isTrue();
      while (log.entries().isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(log.entries()).anyMatch(entry -> entry.getMessage().equals("A timer threw"));
    }
  }

  /** A timer that stands for one call after the other may be moved while somebody drops it. */
  @Test
  @org.junit.jupiter.api.Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void none_is_lost_when_one_is_taken_back_that_moves_to_another_wheel() throws Exception {
    int neighbours = 5_000;
    for (int i = 0; i < neighbours; i++) {
      add(5 * MILLI);
    }
    SystemTime.Task moving = new SystemTime.Task(() -> {});
    Object moves = new Object();
    AtomicBoolean over = new AtomicBoolean();
    Runnable move =
        () -> {
          synchronized (moves) {
            TimerWheel.remove(moving);
            wheel.add(moving, 5 * MILLI);
          }
        };
    List<Thread> threads = new ArrayList<>();
    // Holds the lock of the neighbours for a while, so that others come to wait for it.
    for (Runnable step : List.<Runnable>of(wheel::sizeWithoutStanding, move, move)) {
      threads.add(
          new Thread(
              () -> {
                while (!over.get()) {
                  step.run();
                }
              }));
    }
    threads.forEach(thread -> thread.setDaemon(true)); // Broken links can be a circle.
    threads.forEach(Thread::start);
    long start = System.nanoTime();
    while (System.nanoTime() - start < 500 * MILLI) {
      TimerWheel.remove(moving);
    }
    over.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    TimerWheel.remove(moving);

    assertThat(wheel.size()).isEqualTo(neighbours);
    assertThat(wheel.takeDue(5 * MILLI)).hasSize(neighbours);
  }

  /** A dependent of a timed-out stage, for example, is a user's code and runs in such a task. */
  @Test
  @org.junit.jupiter.api.Timeout(60)
  void whoever_blocks_in_a_task_does_not_hold_up_the_timeouts_of_others() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Scheduler.system()
        .schedule(
            () -> {
              blocked.countDown();
              try {
                boolean unused = go.await(50, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            Duration.ZERO);
    assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
    Timeout timeout = Timeout.create("quick", Duration.ofMillis(5));

    CompletableFuture<String> stage = timeout.callAsync(CompletableFuture::new);

    assertThatThrownBy(() -> stage.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TimeoutExceededException.class);
    assertThatThrownBy(() -> timeout.run(() -> new CountDownLatch(1).await(30, TimeUnit.SECONDS)))
        .isInstanceOf(TimeoutExceededException.class);
    go.countDown();
  }
}

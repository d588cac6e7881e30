package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * On the system's time, the calls of a thread use the same things one after the other, a timer
 * among them; no call notices the one before. This runs on the real clock, for it is about that.
 */
@org.junit.jupiter.api.Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class TimeoutReuseTest {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration SHORT = Duration.ofMillis(60);

  private final CountDownLatch never = new CountDownLatch(1);
  private final int timersBefore = SystemTime.timers();

  @AfterEach
  void nothing_is_left() {
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(Scope.innermost()).isNull();
    assertThat(SystemTime.timers()).isLessThanOrEqualTo(timersBefore);
  }

  private static Timeout timeout(Duration limit) {
    return Timeout.create("inventory", limit);
  }

  private static void spin(long nanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      Thread.onSpinWait();
    }
  }

  /** Makes a call that hangs, and returns how long it took until it was timed out. */
  private Duration timedOutAfter(Timeout timeout) {
    long start = System.nanoTime();
    assertThatThrownBy(() -> timeout.run(never::await))
        .isInstanceOf(TimeoutExceededException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @Test
  void a_call_has_its_own_time_though_the_timer_rings_for_the_one_before() {
    Timeout timeout = timeout(SHORT);

    Throwable unused = catchThrowable(() -> timeout.run(() -> {}));
    spin(SHORT.toNanos() / 2);
    long start = System.nanoTime();
    // The timer rings in the middle of it. On a busy machine it may take its whole time, though.
    Throwable thrown = catchThrowable(() -> timeout.run(() -> spin(SHORT.toNanos() * 3 / 4)));
    long took = System.nanoTime() - start;

    assertThat(thrown == null || took >= SHORT.toNanos())
        .as("%s after %d ns", thrown, took)
        .isTrue();
    assertThat(timedOutAfter(timeout)).isGreaterThanOrEqualTo(SHORT);
  }

  @Test
  void a_call_is_timed_out_after_the_timer_has_rung_for_nobody() {
    Timeout timeout = timeout(SHORT);

    Throwable unused = catchThrowable(() -> timeout.run(() -> {}));
    spin(SHORT.toNanos() * 3 / 2);

    assertThat(timedOutAfter(timeout)).isGreaterThanOrEqualTo(SHORT);
    assertThat(timedOutAfter(timeout)).isGreaterThanOrEqualTo(SHORT);
  }

  @Test
  void a_shorter_limit_than_that_of_the_call_before_is_kept() {
    Timeout timeout = timeout(LONG);

    timeout.run(() -> {});
    timeout.reconfigure(s -> s.timeoutDuration(SHORT));

    assertThat(timedOutAfter(timeout)).isBetween(SHORT, LONG);
  }

  @Test
  void a_deadline_around_the_call_is_kept_as_well() {
    Timeout timeout = timeout(LONG);

    timeout.run(() -> {});

    assertThat(Deadline.after(SHORT).call(() -> timedOutAfter(timeout))).isLessThan(LONG);
  }

  @Test
  void a_limit_that_was_made_longer_holds_for_the_next_call() {
    Timeout timeout = timeout(SHORT);

    Throwable unused = catchThrowable(() -> timeout.run(() -> {}));
    timeout.reconfigure(s -> s.timeoutDuration(LONG));

    timeout.run(() -> spin(SHORT.toNanos() * 3 / 2)); // Would throw if it were timed out.
  }

  @Test
  void a_call_in_a_call_of_the_same_timeout_is_one_of_its_own() {
    Timeout timeout = timeout(LONG);
    for (int i = 0; i < 3; i++) {
      timeout.run(
          () -> {
            timeout.run(() -> assertThat(Scope.innermost().outer()).isNotNull());
            timeout.run(() -> assertThat(Scope.innermost().outer()).isNotNull());
            assertThat(Scope.innermost().outer()).isNull();
          });
    }
    assertThat(timeout.metrics()).isEqualTo(new TimeoutMetrics(9, 0, 0));
  }

  @Test
  void what_a_call_has_used_is_used_again_if_nobody_has_kept_it() {
    Timeout timeout = timeout(LONG);
    List<Scope> used = new ArrayList<>();

    timeout.run(() -> used.add(Scope.innermost()));
    timeout.run(() -> used.add(Scope.current()));
    timeout.run(() -> used.add(Scope.innermost()));
    assertThatThrownBy(() -> timeout.run(() -> spinOver(timeout, used)))
        .isInstanceOf(TimeoutExceededException.class);
    timeout.reconfigure(s -> s.timeoutDuration(LONG));
    timeout.run(() -> used.add(Scope.innermost()));

    assertThat(used.get(1)).isSameAs(used.get(0));
    assertThat(used.get(2)).isNotSameAs(used.get(1));
    assertThat(used.get(3)).isNotSameAs(used.get(2));
    assertThat(used.get(4)).isNotSameAs(used.get(3));
  }

  /** The same call again, with a limit that it does not keep. */
  private void spinOver(Timeout timeout, List<Scope> used) {
    timeout.reconfigure(s -> s.timeoutDuration(SHORT));
    timeout.run(
        () -> {
          Scope own = Scope.innermost();
          used.add(own);
          while (!own.isStopped()) {
            Thread.onSpinWait();
          }
        });
  }

  @Test
  void whoever_means_the_call_before_does_not_stop_the_next_one() {
    Timeout timeout = timeout(LONG);
    SpareThreads spares = new SpareThreads(timeout, 1);

    TimedThread before = spares.take(timeout.config(), LONG.toNanos(), null);
    assertThat(before.begin()).isTrue();
    long seen = before.use();
    before.end();
    spares.giveBack(before);
    TimedThread next = spares.take(timeout.config(), LONG.toNanos(), null);
    assertThat(next).isSameAs(before);
    assertThat(next.begin()).isTrue();

    next.timeOut(seen);
    assertThat(next.isStopped()).isFalse();
    next.timeOut(next.use());
    assertThat(next.isTimedOut()).isTrue();
    next.end();
    spares.giveBack(next);
    assertThat(spares.take(timeout.config(), LONG.toNanos(), null)).isNotSameAs(next);
  }

  @Test
  void a_stage_that_began_in_a_call_is_in_that_one_and_in_no_later_one() {
    Timeout timeout = timeout(LONG);
    Retry retry = Retry.create("inventory", s -> s.maxAttempts(1));
    CompletableFuture<String> stage = new CompletableFuture<>();

    var later = timeout.call(() -> retry.callAsync(() -> stage));
    timeout.reconfigure(s -> s.timeoutDuration(SHORT));
    assertThat(timedOutAfter(timeout)).isGreaterThanOrEqualTo(SHORT);
    stage.complete("stock");

    assertThat(later).isCompletedWithValue("stock");
  }

  /**
   * Calls end while the timer rings for them, over and over: each is timed out only when its own
   * time is over, and no interrupt comes after it.
   */
  @Test
  void calls_that_end_as_the_timer_rings_harm_no_call_after_them() throws InterruptedException {
    long limit = 50_000;
    int each = 20_000;
    Timeout timeout = timeout(Duration.ofNanos(limit));
    ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    Runnable calls =
        () -> {
          for (int i = 0; i < each; i++) {
            long spin = limit * (i % 24) / 20;
            long start = System.nanoTime();
            Throwable thrown = catchThrowable(() -> timeout.run(() -> spin(spin)));
            long took = System.nanoTime() - start;
            if (thrown != null && took < limit) {
              wrong.add("timed out after " + took + " ns");
            }
            if (thrown == null && spin >= limit) {
              wrong.add("not timed out after " + spin + " ns");
            }
            if (Thread.interrupted()) {
              wrong.add("an interrupt after the call");
            }
          }
        };
    Thread other = new Thread(calls);
    other.start();
    calls.run();
    other.join();

    assertThat(wrong).isEmpty();
    TimeoutMetrics counted = timeout.metrics();
    assertThat(counted.succeeded() + counted.timedOut()).isEqualTo(2L * each);
    assertThat(counted.failed()).isZero();
    assertThat(counted.timedOut()).isPositive();
    assertThat(counted.succeeded()).isPositive();
  }
}

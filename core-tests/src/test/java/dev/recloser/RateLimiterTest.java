package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.test.FakeTime;
import dev.recloser.test.RecordingListener;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Permits, turns and refusals of a rate limiter; plain calls and stages alike. */
final class RateLimiterTest {
  private final FakeTime time = FakeTime.create();
  private final List<Duration> calls = new ArrayList<>();

  /** How the call is made. */
  /** Ten a second, two at once, waits of up to a second. */
  private RateLimiterConfig config(Consumer<RateLimiterConfig.Builder> settings) {
    return RateLimiterConfig.of(
            s ->
                s.limitForPeriod(10)
                    .maxBurst(2)
                    .timeoutDuration(millis(1_000))
                    .ticker(time)
                    .scheduler(time))
        .with(settings);
  }

  private RateLimiter limiter(Consumer<RateLimiterConfig.Builder> settings) {
    return RateLimiter.create("inventory", config(settings));
  }

  private void call(Way way, RateLimiter limiter) throws Throwable {
    way.call(limiter, Way.client(() -> calls.add(time.elapsed())), time);
  }

  private void begin(RateLimiter limiter) {
    assertThat(stage(limiter)).isNotCancelled();
  }

  private CompletableFuture<Void> stage(RateLimiter limiter) {
    return limiter.callAsync(
        () -> {
          calls.add(time.elapsed());
          return CompletableFuture.completedFuture(null);
        });
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  @AfterEach
  void nothing_is_left() {
    assertThat(time.pendingTimers()).isZero();
    assertThat(Thread.interrupted()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void a_burst_goes_at_once_and_the_rest_evenly(Way way) throws Throwable {
    RateLimiter limiter = limiter(s -> {});

    for (int i = 0; i < 5; i++) {
      call(way, limiter);
    }

    assertThat(calls).containsExactly(millis(0), millis(0), millis(100), millis(200), millis(300));
    assertThat(limiter.metrics()).isEqualTo(new RateLimiterMetrics(5, 0, 0, 3, 0, 0, millis(100)));
  }

  @ParameterizedTest
  @EnumSource
  void what_cannot_be_served_in_time_is_refused_at_once(Way way) {
    RateLimiter limiter = limiter(s -> s.timeoutDuration(millis(99)));
    assertThat(limiter.tryAcquire(2)).isTrue();

    assertThatThrownBy(() -> call(way, limiter))
        .isInstanceOf(RequestNotPermittedException.class)
        .hasMessage(
            "inventory refused the call, its permits are used up; it could be served in 100 ms")
        .satisfies(
            thrown -> {
              assertThat(thrown.getStackTrace()).isEmpty();
              assertThat(((RequestNotPermittedException) thrown).retryAfter())
                  .hasValue(millis(100));
            });

    assertThat(calls).isEmpty();
    assertThat(time.elapsed()).isZero();
    assertThat(limiter.metrics().refused()).isEqualTo(1);
    assertThat(limiter.metrics().availablePermits()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void a_wait_as_long_as_the_timeout_is_waited_for(Way way) throws Throwable {
    RateLimiter limiter = limiter(s -> s.timeoutDuration(millis(100)));
    limiter.acquire(2);

    call(way, limiter);

    assertThat(calls).containsExactly(millis(100));
  }

  @Test
  void permits_by_hand_can_be_several() {
    RateLimiter limiter = limiter(s -> s.maxBurst(5));

    limiter.acquire(5);
    assertThat(limiter.tryAcquire()).isFalse();
    limiter.acquire(3);
    limiter.acquire();

    assertThat(time.elapsed()).isEqualTo(millis(400));
    assertThat(limiter.metrics().longestWait()).isEqualTo(millis(300));
  }

  @Test
  void a_call_can_cost_several() {
    RateLimiter limiter = limiter(s -> s.permitsPerCall(2));

    limiter.run(() -> {});
    limiter.run(() -> {});

    assertThat(time.elapsed()).isEqualTo(millis(200));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 3, Integer.MAX_VALUE})
  void permits_that_are_never_there_are_an_error(int permits) {
    RateLimiter limiter = limiter(s -> {});

    assertThatThrownBy(() -> limiter.acquire(permits))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("permits: " + permits + " (expected: at least 1, at most 2, the maxBurst)");
    assertThatThrownBy(() -> limiter.tryAcquire(permits))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(limiter.metrics().availablePermits()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 150_000_000})
  void idle_years_fill_the_bucket_and_no_more_from_any_origin(long origin) {
    FakeTime years = FakeTime.startingAt(origin);
    RateLimiter limiter = limiter(s -> s.ticker(years).scheduler(years));
    limiter.acquire(2);
    limiter.acquire(1);
    limiter.acquire(1);
    years.advance(Duration.ofDays(36_500));

    assertThat(limiter.metrics().availablePermits()).isEqualTo(2);
    assertThat(limiter.tryAcquire(2)).isTrue();
    assertThat(limiter.tryAcquire(1)).isFalse();
  }

  @Test
  void calls_a_third_of_a_nanosecond_apart_from_whole_ones_do_not_drift() {
    RateLimiter limiter =
        limiter(s -> s.limitForPeriod(3).limitRefreshPeriod(Duration.ofNanos(100)).maxBurst(1));
    limiter.acquire();

    for (int i = 0; i < 3_000; i++) {
      limiter.acquire();
    }

    assertThat(time.elapsed()).isEqualTo(Duration.ofNanos(100_000));
  }

  @Test
  void stages_in_line_do_not_drift_by_a_nanosecond() {
    RateLimiter limiter =
        limiter(s -> s.limitForPeriod(3).limitRefreshPeriod(Duration.ofNanos(100)).maxBurst(1));
    for (int i = 0; i <= 3_000; i++) {
      begin(limiter);
    }

    time.advance(Duration.ofNanos(99_999));
    assertThat(calls).hasSize(3_000);
    time.advance(Duration.ofNanos(1));
    assertThat(calls).hasSize(3_001).endsWith(Duration.ofNanos(100_000));
  }

  @Test
  void stages_wait_in_line_with_one_timer() {
    RateLimiter limiter = limiter(s -> {});
    for (int i = 0; i < 5; i++) {
      begin(limiter);
    }

    assertThat(time.pendingTimers()).isEqualTo(1);
    assertThat(limiter.metrics().availablePermits()).isEqualTo(-3);
    assertThat(limiter.metrics().waiting()).isEqualTo(3);
    time.advance(millis(300));

    assertThat(calls).containsExactly(millis(0), millis(0), millis(100), millis(200), millis(300));
  }

  @Test
  void who_is_cancelled_in_line_brings_all_behind_forward() {
    RateLimiter limiter = limiter(s -> {});
    limiter.acquire(2);
    CompletableFuture<Void> first = stage(limiter);
    CompletableFuture<Void> second = stage(limiter);
    CompletableFuture<Void> third = stage(limiter);

    time.advance(millis(50));
    first.cancel(true);
    time.advance(millis(50));
    assertThat(second).isDone();
    third.cancel(true);

    assertThat(time.pendingTimers()).isZero();
    assertThat(limiter.metrics()).isEqualTo(new RateLimiterMetrics(2, 0, 2, 1, 0, 0, millis(100)));
  }

  @Test
  void cancelling_a_stage_that_has_begun_cancels_its_call_and_gives_nothing_back() {
    RateLimiter limiter = limiter(s -> {});
    limiter.acquire(2);
    CompletableFuture<String> source = new CompletableFuture<>();
    CompletableFuture<String> later = limiter.callAsync(() -> source);
    time.advance(millis(100));

    later.cancel(true);

    assertThat(source).isCancelled();
    assertThat(limiter.metrics()).isEqualTo(new RateLimiterMetrics(2, 0, 0, 1, 0, 0, millis(100)));
  }

  @Test
  void an_interrupt_ends_the_wait_and_gives_the_permits_back() {
    RateLimiter limiter = limiter(s -> {});
    limiter.acquire(2);
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> call(Way.PLAIN, limiter))
        .isInstanceOf(CancellationException.class)
        .hasMessage("inventory: interrupted while waiting for permits");

    assertThat(Thread.interrupted()).isTrue();
    assertThat(limiter.metrics()).isEqualTo(new RateLimiterMetrics(1, 0, 1, 0, 0, 0, millis(0)));
  }

  /** A scheduler whose sleepers are in bed when the test does something. */
  private Scheduler whileAsleep(Runnable what) {
    return new Scheduler() {
      @Override
      public Cancellable schedule(Runnable task, Duration delay) {
        return time.schedule(task, delay);
      }

      @Override
      public void sleep(Duration delay) throws InterruptedException {
        what.run();
        time.sleep(delay);
      }
    };
  }

  @Test
  void behind_a_sleeper_no_more_is_gained_than_the_bucket_holds() throws Throwable {
    List<CompletableFuture<Void>> stages = new ArrayList<>();
    RateLimiter[] it = new RateLimiter[1];
    // Stage at 100 ms, sleeper until 200 ms, stage at 300 ms; with a burst of one.
    it[0] =
        limiter(
            s ->
                s.maxBurst(1)
                    .scheduler(
                        whileAsleep(
                            () -> {
                              stages.add(stage(it[0]));
                              stages.get(0).cancel(true);
                            })));
    it[0].acquire();
    stages.add(stage(it[0]));

    call(Way.PLAIN, it[0]);
    time.advance(millis(100));

    assertThat(calls).containsExactly(millis(200), millis(300));
  }

  @Test
  void behind_a_sleeper_what_the_bucket_holds_is_gained() throws Throwable {
    List<CompletableFuture<Void>> stages = new ArrayList<>();
    RateLimiter[] it = new RateLimiter[1];
    it[0] =
        limiter(
            s ->
                s.scheduler(
                    whileAsleep(
                        () -> {
                          stages.add(stage(it[0]));
                          stages.get(0).cancel(true);
                        })));
    it[0].acquire(2);
    stages.add(stage(it[0]));

    call(Way.PLAIN, it[0]);

    // The sleeper and the stage behind it, which would else have had its turn at 300 ms.
    assertThat(calls).containsExactly(millis(200), millis(200));
    assertThat(it[0].metrics().availablePermits()).isZero();
  }

  @Test
  void a_sleeper_whose_turn_is_put_off_sleeps_on() throws Throwable {
    RateLimiter[] it = new RateLimiter[1];
    AtomicInteger sleeps = new AtomicInteger();
    it[0] =
        limiter(
            s ->
                s.scheduler(
                    whileAsleep(
                        () -> {
                          if (sleeps.getAndIncrement() == 0) {
                            it[0].reconfigure(slower -> slower.limitForPeriod(5));
                          }
                        })));
    it[0].acquire(2);

    call(Way.PLAIN, it[0]);

    assertThat(calls).containsExactly(millis(200));
    assertThat(sleeps).hasValue(2);
  }

  @Test
  void new_limits_change_the_times_and_not_the_permits() {
    RateLimiter limiter = limiter(s -> s.maxBurst(10));
    limiter.acquire(6);

    limiter.reconfigure(s -> s.limitForPeriod(1_000_003).limitRefreshPeriod(Duration.ofDays(1)));
    assertThat(limiter.metrics().availablePermits()).isEqualTo(4);
    limiter.reconfigure(s -> s.maxBurst(3));
    assertThat(limiter.metrics().availablePermits()).isEqualTo(3);
    limiter.reconfigure(s -> s.maxBurst(10).limitForPeriod(10).limitRefreshPeriod(millis(1_000)));

    assertThat(limiter.metrics().availablePermits()).isEqualTo(3);
  }

  @Test
  void new_limits_hurry_the_line_or_refuse_what_they_make_too_late() {
    RateLimiter limiter = limiter(s -> {});
    limiter.acquire(2);
    begin(limiter);
    begin(limiter);
    CompletableFuture<Void> third = stage(limiter);

    limiter.reconfigure(s -> s.limitForPeriod(100));
    time.advance(millis(10));
    assertThat(calls).containsExactly(millis(10));

    begin(limiter);
    limiter.reconfigure(s -> s.limitForPeriod(2));
    // Asked at 0 ms, and would have its turn at 1,010 ms. The one behind it, asked at 10 ms, may.
    assertThat(third)
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(RequestNotPermittedException.class)
        .withMessageContaining("its limits have been changed");
    time.advance(millis(1_000));

    assertThat(calls).containsExactly(millis(10), millis(510), millis(1_010));
  }

  @Test
  void a_new_timeout_is_for_those_who_come() {
    RateLimiter limiter = limiter(s -> {});
    limiter.acquire(2);
    begin(limiter);

    limiter.reconfigure(config(s -> s.timeoutDuration(Duration.ZERO)));

    assertThat(stage(limiter)).isCompletedExceptionally();
    time.advance(millis(100));
    assertThat(calls).hasSize(1);
    assertThatThrownBy(() -> limiter.reconfigure(s -> s.ticker(Ticker.system())))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("ticker: another one");
  }

  @ParameterizedTest
  @EnumSource
  void a_scheduler_that_throws_refuses_who_would_wait_and_costs_no_permit(Way way) {
    IllegalStateException dead = new IllegalStateException("dead");
    RateLimiter limiter =
        limiter(
            s ->
                s.scheduler(
                    (task, delay) -> {
                      throw dead;
                    }));
    limiter.acquire(2);

    assertThatThrownBy(() -> call(way, limiter))
        .isInstanceOf(RequestNotPermittedException.class)
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).containsExactly(dead));

    assertThat(limiter.metrics().waiting()).isZero();
    assertThat(limiter.metrics().refused()).isEqualTo(1);
    assertThat(limiter.metrics().cancelled()).isZero();
    assertThat(limiter.metrics().availablePermits()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void it_tells_whom_it_admits_and_whom_it_refuses(Way way) throws Throwable {
    RateLimiter limiter = limiter(s -> s.maxBurst(1).timeoutDuration(millis(100)));
    RecordingListener heard = RecordingListener.on(limiter);

    call(way, limiter);
    begin(limiter);
    assertThatThrownBy(() -> call(way, limiter)).isInstanceOf(RequestNotPermittedException.class);
    time.advance(millis(100));
    assertThat(limiter.tryAcquire()).isFalse();

    assertThat(heard.events())
        .containsExactly(
            new RateLimiterEvent.CallAdmitted("inventory", 1),
            new RateLimiterEvent.CallRefused("inventory", 1, millis(200)),
            new RateLimiterEvent.CallAdmitted("inventory", 1),
            new RateLimiterEvent.CallRefused("inventory", 1, millis(100)));
    assertThat(limiter.metrics().admitted()).isEqualTo(2);
    assertThat(limiter.metrics().refused()).isEqualTo(2);
  }

  @Test
  void it_tells_of_a_stage_that_new_limits_refuse() {
    RateLimiter limiter = limiter(s -> s.maxBurst(1));
    limiter.acquire();
    RecordingListener heard = RecordingListener.on(limiter);
    CompletableFuture<Void> waiting = stage(limiter);

    limiter.reconfigure(s -> s.limitRefreshPeriod(Duration.ofMinutes(1)));

    assertThat(waiting).isCompletedExceptionally();
    assertThat(heard.of(RateLimiterEvent.CallRefused.class)).hasSize(1);
    assertThat(heard.of(RateLimiterEvent.CallAdmitted.class)).isEmpty();
  }

  @Test
  void a_call_that_throws_has_used_its_permit_and_stops_nobody_behind() {
    RateLimiter limiter = limiter(s -> {});
    limiter.acquire(2);
    CompletableFuture<Void> broken =
        limiter.callAsync(
            () -> {
              throw new IllegalStateException("broken");
            });
    CompletableFuture<Void> next = stage(limiter);

    time.advance(millis(200));

    assertThat(broken).isCompletedExceptionally();
    assertThat(next).isCompleted();
    assertThatThrownBy(
            () ->
                limiter.call(
                    () -> {
                      throw new IOException("down");
                    }))
        .isInstanceOf(IOException.class);
  }

  @Test
  void a_breaker_takes_no_notice_of_a_refusal() {
    CircuitBreaker breaker = CircuitBreaker.create("inventory", s -> s.ticker(time));
    Pipeline<String> pipeline =
        Pipeline.create(
            "orders",
            p ->
                p.circuitBreaker(breaker)
                    .rateLimiter(
                        s -> s.limitForPeriod(1).timeoutDuration(Duration.ZERO).ticker(time)));
    assertThat(pipeline.call(() -> "stock")).isEqualTo("stock");

    assertThatThrownBy(() -> pipeline.call(() -> "stock"))
        .isInstanceOf(RequestNotPermittedException.class);

    assertThat(breaker.metrics().ignored()).isEqualTo(1);
    assertThat(pipeline.describe())
        .contains(
            "\n  rateLimiter orders limitForPeriod 1, limitRefreshPeriod 1 s, maxBurst 1,"
                + " permitsPerCall 1\n");
  }

  @Test
  void many_threads_get_no_more_than_there_is() throws InterruptedException {
    RateLimiter limiter = limiter(s -> s.limitForPeriod(1_000).maxBurst(1_000));
    AtomicInteger taken = new AtomicInteger();
    CountDownLatch over = new CountDownLatch(4);
    for (int i = 0; i < 4; i++) {
      new Thread(
              () -> {
                for (int j = 0; j < 1_000; j++) {
                  if (limiter.tryAcquire()) {
                    taken.incrementAndGet();
                  }
                }
                over.countDown();
              })
          .start();
    }

    assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(taken).hasValue(1_000);
    assertThat(limiter.metrics().refused()).isEqualTo(3_000);
  }

  @Test
  void all_faults_are_told_at_once() {
    assertThatThrownBy(
            () ->
                RateLimiterConfig.of(
                    s ->
                        s.limitForPeriod(0)
                            .limitRefreshPeriod(Duration.ZERO)
                            .maxBurst(0)
                            .permitsPerCall(0)
                            .timeoutDuration(millis(-1))))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessage(
            """
            A rate limiter cannot be configured like this:
              - limitForPeriod: 0 (expected: at least 1)
              - limitRefreshPeriod: 0 s (expected: more than zero, at most 36,500 days)
              - maxBurst: 0 (expected: at least 1)
              - permitsPerCall: 0 (expected: at least 1, at most maxBurst)
              - timeoutDuration: -1 ms (expected: zero or more, at most 36,500 days)""");
    assertThatThrownBy(
            () ->
                RateLimiterConfig.of(
                    s ->
                        s.limitForPeriod(1)
                            .limitRefreshPeriod(Duration.ofDays(36_500))
                            .maxBurst(Integer.MAX_VALUE)))
        .hasMessageContaining("so few that they come in 36,500 days");
  }
}

package dev.recloser;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker.State;
import dev.recloser.OrderService.Outcome;
import dev.recloser.test.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The breaker that never opened: a dependency that takes 25 to 30 seconds, and then succeeds, takes
 * every thread of its caller. What keeps it from that, and what the callers get.
 */
final class DrainedPoolTest {
  private static final long SEED = 1;
  private static final int THREADS = 4;

  /** How long pricing takes at least; who opens before that has seen no slow call end. */
  private static final Duration FIRST_SLOW_ANSWER = Duration.ofSeconds(25);

  private static Outcome outcome(PoolRemedies remedies) {
    return OrderService.run(remedies, FakeTime.create(), SEED);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void a_breaker_that_counts_failures_stays_closed_while_the_pool_drains(long seed) {
    Outcome outcome = OrderService.run(PoolRemedies.NONE, FakeTime.create(), seed);

    assertThat(outcome.breaker()).isEqualTo(State.CLOSED);
    assertThat(outcome.opened()).isEmpty();
    assertThat(outcome.mostPricing()).isGreaterThan(OrderService.WORKERS * 9 / 10);
    assertThat(outcome.drained()).isGreaterThan(OrderService.INCIDENT.dividedBy(2));
    assertThat(outcome.quickInTime()).isLessThan(outcome.quick() / 4);
    assertThat(outcome.live() + outcome.stale()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = PoolRemedies.class,
      mode = Mode.EXCLUDE,
      names = {"NONE", "FALLBACK"})
  void each_remedy_but_the_fallback_keeps_workers_for_the_others(PoolRemedies remedies) {
    Outcome outcome = outcome(remedies);

    assertThat(outcome.drained()).isZero();
    assertThat(outcome.quickInTime()).isGreaterThan(outcome.quick() - 2); // At work at the end.
  }

  @Test
  void a_timeout_frees_each_worker_in_time_and_gives_the_breaker_failures_to_count() {
    Outcome outcome = outcome(PoolRemedies.TIMEOUT);

    long inTheLimit = OrderService.PRICED_PER_SECOND * PoolRemedies.TIME_LIMIT.toMillis() / 1_000;
    assertThat((long) outcome.mostPricing()).isLessThanOrEqualTo(inTheLimit + 1);
    assertThat(outcome.breaker()).isEqualTo(State.OPEN);
    assertThat(outcome.opened())
        .hasValueSatisfying(after -> assertThat(after).isLessThan(Duration.ofSeconds(2)));
  }

  @Test
  void slow_calls_open_the_breaker_before_the_first_of_them_has_an_answer() {
    Outcome outcome = outcome(PoolRemedies.SLOW_CALLS);

    assertThat(outcome.opened())
        .hasValueSatisfying(after -> assertThat(after).isLessThan(FIRST_SLOW_ANSWER.dividedBy(4)));
    assertThat(outcome.breaker()).isNotEqualTo(State.CLOSED);
  }

  @Test
  void a_bulkhead_keeps_pricing_from_the_other_workers_though_the_breaker_stays_closed() {
    Outcome outcome = outcome(PoolRemedies.BULKHEAD);

    assertThat(outcome.mostPricing()).isEqualTo(PoolRemedies.SLOTS);
    assertThat(outcome.breaker()).isEqualTo(State.CLOSED);
  }

  @Test
  void a_fallback_alone_has_nothing_to_answer() {
    Outcome outcome = outcome(PoolRemedies.FALLBACK);

    assertThat(outcome).isEqualTo(outcome(PoolRemedies.NONE));
  }

  @ParameterizedTest
  @EnumSource(
      value = PoolRemedies.class,
      names = {"TIMEOUT_FALLBACK", "ALL"})
  void with_a_timeout_everybody_gets_a_price_in_time_and_sees_that_it_is_stale(
      PoolRemedies remedies) {
    Outcome outcome = outcome(remedies);

    int atWorkAtTheEnd = OrderService.PRICED_PER_SECOND;
    assertThat(outcome.stale()).isGreaterThan(outcome.priced() - atWorkAtTheEnd);
    assertThat(outcome.live()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = PoolRemedies.class,
      names = {"SLOW_CALLS_FALLBACK", "BULKHEAD_FALLBACK"})
  void where_calls_are_refused_who_is_refused_gets_a_stale_price(PoolRemedies remedies) {
    Outcome outcome = outcome(remedies);

    assertThat(outcome.stale()).isGreaterThan(outcome.priced() * 3 / 4);
  }

  @Test
  void no_combination_is_one_that_the_pipeline_warns_of() {
    FakeTime time = FakeTime.create();

    assertThat(PoolRemedies.values())
        .allSatisfy(r -> assertThat(r.pipeline(r.breaker(time), time).warnings()).isEmpty());
  }

  @Test
  void a_pool_of_threads_drains_in_the_same_way() throws Exception {
    FakeTime time = FakeTime.create();
    CircuitBreaker breaker = PoolRemedies.NONE.breaker(time);

    withHungCalls(
        PoolRemedies.NONE.pipeline(breaker, time),
        THREADS,
        (pool, status) -> {
          time.advance(FIRST_SLOW_ANSWER);
          assertThat(pool.getActiveCount()).isEqualTo(THREADS);
          assertThat(status.isDone()).isFalse();
          assertThat(breaker.state()).isEqualTo(State.CLOSED);
        });
  }

  @Test
  void a_bulkhead_keeps_threads_of_a_pool_for_others() throws Exception {
    int slots = THREADS / 2;

    withHungCalls(
        Pipeline.create("orders", calls -> calls.bulkhead(s -> s.maxConcurrentCalls(slots))),
        slots,
        (pool, status) -> assertThat(status.get(30, SECONDS)).isEqualTo("packed"));
  }

  /** What is looked at while calls hang, and somebody asks how an order stands. */
  private interface Look {
    void at(ThreadPoolExecutor pool, Future<String> status) throws Exception;
  }

  private static void withHungCalls(Pipeline<String> pricing, int hung, Look look)
      throws Exception {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(THREADS, THREADS, 0, SECONDS, new LinkedBlockingQueue<>());
    CountDownLatch inPricing = new CountDownLatch(hung);
    CountDownLatch answer = new CountDownLatch(1);
    try {
      List<Future<String>> prices = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        prices.add(pool.submit(() -> pricing.call(() -> price(inPricing, answer))));
      }
      assertThat(inPricing.await(30, SECONDS)).isTrue();
      Future<String> status = pool.submit(() -> "packed");

      look.at(pool, status);

      answer.countDown();
      assertThat(status.get(30, SECONDS)).isEqualTo("packed");
      assertThat(prices).hasSize(THREADS);
    } finally {
      pool.shutdownNow();
      assertThat(pool.awaitTermination(30, SECONDS)).isTrue();
    }
  }

  private static String price(CountDownLatch inPricing, CountDownLatch answer)
      throws InterruptedException {
    inPricing.countDown();
    assertThat(answer.await(30, SECONDS)).isTrue();
    return "as listed";
  }

  @Test
  void the_document_shows_these_figures() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (PoolRemedies remedies : PoolRemedies.values()) {
      rows.append(row(remedies, outcome(remedies)));
    }

    GeneratedDocument.assertIs(
        "drained-pool.md",
        TEXT.formatted(
            OrderService.WORKERS,
            OrderService.PRICED_PER_SECOND,
            OrderService.PRICED_PER_SECOND,
            OrderService.INCIDENT.toMinutes(),
            PoolRemedies.TIME_LIMIT.toMillis(),
            PoolRemedies.SLOW_RATE,
            PoolRemedies.SLOW.toSeconds(),
            PoolRemedies.SLOW_IN_TIME.toMillis(),
            PoolRemedies.SLOTS,
            PoolRemedies.TIME_TO_LIVE.toMinutes(),
            rows));
  }

  private static String row(PoolRemedies remedies, Outcome outcome) {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %d | %s | %d %% | %d %% | %d %% |\n",
        remedies,
        outcome.opened().map(after -> "after " + seconds(after)).orElse("never"),
        outcome.mostPricing(),
        outcome.drained().isZero() ? "-" : seconds(outcome.drained()),
        Math.round(100.0 * outcome.quickInTime() / outcome.quick()),
        Math.round(100.0 * outcome.live() / outcome.priced()),
        Math.round(100.0 * outcome.stale() / outcome.priced()));
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
  }

  private static final String TEXT =
      """
      # The breaker that never opened

      A breaker opens at 50 %% failures. Its dependency, pricing, begins to take 25 to 30 s, and then answers: these are successes. The
      breaker stays closed, and every thread of the caller is soon waiting for pricing. The figures are those of a simulation on fake
      time, `DrainedPoolTest`, which writes this page and fails when it says anything else: a pool of %d workers, %d requests a second
      that need a price and %d that do not. The incident takes %d minutes.

      Four remedies stand around the same call, alone and together: a **timeout** of %d ms; a **slow-call threshold**, %d %% slower than
      %d s (%d ms together with the timeout); a **bulkhead** of %d calls; a **fallback** to the last price if that is at most %d minutes old.

      | besides the breaker | it opened | most workers in pricing | no worker left for | others answered | live prices | stale prices |
      | --- | --- | --- | --- | --- | --- | --- |
      %s
      *Others* are the requests that need no price; *answered* is within a second.

      - **Nothing else**: every worker hangs in pricing, and requests that have nothing to do with it wait for those.
      - **Timeout**: it gives a worker back in time, and what it ends is a failure, which is what the breaker counts.
      - **Slow-call threshold**: the breaker opens before the first slow call has ended, since those in flight count. They are added to
        the window, so that four times as many must hang as it holds calls for 80 %%; a smaller window or threshold opens sooner.
      - **Bulkhead**: pricing gets no more workers than its share. The breaker does not open: what a policy refuses says nothing of
        pricing.
      - **Fallback**: by itself it does nothing here, for nothing fails. Together with any other, who would be refused or fail gets the
        last price, marked `STALE` with its age.
      """;
}
